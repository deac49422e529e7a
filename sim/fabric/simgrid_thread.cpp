#include <condition_variable>
#include <deque>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "sim/fabric/simgrid_engine.hpp"

namespace toposim::sim {
namespace {

class SimgridThread {
 public:
  SimgridThread() : thread_([this] { serve(); }) {}

  ~SimgridThread() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  SimgridThread(const SimgridThread&) = delete;
  SimgridThread& operator=(const SimgridThread&) = delete;

  void run(const std::function<void(SimgridEngine&)>& work) {
    if (std::this_thread::get_id() == thread_.get_id())
      throw std::logic_error("with_simgrid: called from within SimGrid's thread, which would wait for itself");
    std::packaged_task<void(SimgridEngine&)> task(work);
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(task));
    }
    wake_.notify_one();
    done.get();
  }

 private:
  void serve() {
    std::unique_ptr<SimgridEngine> engine;
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !queue_.empty(); });
      if (queue_.empty()) return;
      std::packaged_task<void(SimgridEngine&)> task = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      if (!engine) engine = std::make_unique<SimgridEngine>();
      task(*engine);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void(SimgridEngine&)>> queue_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

void with_simgrid(const std::function<void(SimgridEngine&)>& work) {
  static SimgridThread thread;
  thread.run(work);
}

}  // namespace toposim::sim
