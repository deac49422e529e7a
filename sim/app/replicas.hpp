#pragma once
// Runs the replicas of a study on all cores, in fixed batches, so that where it stops does not depend on the threads.
#include <cstdint>
#include <functional>

namespace toposim::sim {

struct ReplicaLoop {
  std::int64_t replicas = 0;
  int threads = 1;
  std::int64_t batch = 32;                          ///< the stopping rule is asked after each batch
  std::function<void(std::int64_t replica)> run;    ///< called once per replica, from any thread
  std::function<bool(std::int64_t done)> stop;      ///< from the calling thread; may be empty
  std::function<void(std::int64_t done)> progress;  ///< from the calling thread; may be empty
};

/// Returns how many replicas were run: 0 .. done-1, all complete. The first exception of a replica (lowest number) is
/// rethrown.
std::int64_t run_replicas(const ReplicaLoop& loop);

}  // namespace toposim::sim
