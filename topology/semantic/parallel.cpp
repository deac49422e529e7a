#include "topology/semantic/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace toposim::topology {
namespace {

constexpr unsigned threads_max = 256;

}  // namespace

void for_each_task(std::size_t tasks, unsigned threads, const std::function<void(std::size_t)>& body) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min(threads, threads_max);
  const std::size_t workers = std::min<std::size_t>(threads, tasks);
  if (workers <= 1) {
    for (std::size_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed = tasks;  // the lowest task that threw
  std::exception_ptr error;
  // Tasks are handed out in ascending order and those handed out are finished, so the lowest failure is always seen.
  const auto work = [&] {
    for (std::size_t task = next++; task < tasks; task = next++) {
      try {
        body(task);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (task < failed) {
          failed = task;
          error = std::current_exception();
        }
        next = tasks;
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    pool.reserve(workers - 1);
    for (std::size_t i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace toposim::topology
