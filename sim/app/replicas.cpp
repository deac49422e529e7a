#include "sim/app/replicas.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace toposim::sim {
namespace {

/// Runs replicas [first, last) and returns when all are done.
void run_batch(const ReplicaLoop& loop, std::int64_t first, std::int64_t last) {
  std::atomic<std::int64_t> next{first}, done{first};
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<std::int64_t> failed_replica{last};

  const auto work = [&] {
    // Those before a failed one still run, so that the first failure is told whatever the number of threads.
    for (std::int64_t replica = next++; replica < failed_replica; replica = next++) {
      try {
        loop.run(replica);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (replica < failed_replica) {
          failed_replica = replica;
          failure = std::current_exception();
        }
      }
      ++done;
    }
  };

  const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(loop.threads, 1, last - first));
  if (count == 1) {
    for (std::int64_t replica = first; replica < last; ++replica) {
      loop.run(replica);
      if (loop.progress) loop.progress(replica + 1);
    }
    return;
  }
  std::vector<std::jthread> threads;
  threads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back(work);
  while (loop.progress && done.load() < last && failed_replica.load() == last) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    loop.progress(done.load());
  }
  threads.clear();  // joins
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::int64_t run_replicas(const ReplicaLoop& loop) {
  std::int64_t done = 0;
  while (done < loop.replicas) {
    // Without a stopping rule the batches need no boundary: one batch keeps all cores busy to the end.
    const std::int64_t last = loop.stop ? std::min(loop.replicas, done + loop.batch) : loop.replicas;
    run_batch(loop, done, last);
    done = last;
    if (loop.stop && loop.stop(done)) break;
  }
  return done;
}

}  // namespace toposim::sim
