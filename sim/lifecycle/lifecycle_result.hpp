#pragma once
// What one scheme did with one fault timeline. Times are integer nanoseconds; the buckets sum to the wall time exactly.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::sim {

/// Where wall time goes. Order is the order of results.
enum class Bucket : std::uint8_t {
  productive,  ///< steps that were kept
  lost_work,   ///< steps and parts of steps that had to be done again
  overhead,    ///< what the scheme adds to kept steps: scaling, sketches, coefficients, fixed per-step cost
  checkpoint,  ///< the job stands still for a checkpoint
  detect,
  quorum,
  reallocate,
  spare_wait,  ///< nothing to reallocate to: waiting for a repair
  comm_init,
  load,
  catch_up,  ///< slow first steps after a restart, and the job waiting for a replica to rejoin
};
inline constexpr std::size_t bucket_count = 11;
std::string_view to_string(Bucket bucket);

struct LifecycleResult {
  std::int64_t wall_ns = 0;
  std::array<std::int64_t, bucket_count> bucket_ns{};
  std::int64_t kept_steps = 0;
  std::int64_t lost_steps = 0;  ///< whole steps rolled back
  double kept_samples = 0;      ///< in units of full global batches: a step with 3 of 4 replicas counts 0.75
  double progress_steps = 0;    ///< kept steps weighted by statistical progress (StepTerms)
  /// Time from resuming after a rollback until the job is where it was; part of productive and overhead.
  std::int64_t recompute_ns = 0;
  // Counts.
  std::int64_t faults = 0;       ///< of the timeline within the horizon
  std::int64_t faults_felt = 0;  ///< that stopped, slowed or shrank the job
  std::int64_t full_recoveries = 0;
  std::int64_t replica_losses = 0;  ///< replicas that the job went on without
  std::int64_t rejoins = 0;
  std::int64_t checkpoints = 0;
  std::int64_t faults_in_recovery = 0;
  /// Weighted by time. In use: standing in for a failed node, or under repair.
  std::int64_t spares_in_use_p50 = 0, spares_in_use_p99 = 0, spares_in_use_max = 0;
  double replicas_missing_mean = 0;  ///< while the job runs steps and checkpoints, weighted by time

  std::int64_t& bucket(Bucket b) { return bucket_ns[static_cast<std::size_t>(b)]; }
  std::int64_t bucket(Bucket b) const { return bucket_ns[static_cast<std::size_t>(b)]; }
};

/// productive / wall.
double ettr(const LifecycleResult& result);
/// Kept steps, samples, statistical progress per second over the fault-free rate, one per nominal_step_ns.
double goodput_steps(const LifecycleResult& result, std::int64_t nominal_step_ns);
double goodput_samples(const LifecycleResult& result, std::int64_t nominal_step_ns);
double goodput_progress(const LifecycleResult& result, std::int64_t nominal_step_ns);

/// One line of timeline.csv.
struct LifecycleEvent {
  std::int64_t time_ns = 0;
  /// start, fault, repair, a stage's bucket (when it begins), rollback, resume, rejoin, checkpoint, blocked, end. Of
  /// the checkpoints between two other events only the last to become durable is listed, so that a log stays readable.
  std::string event;
  std::string cause;       ///< fault class name, empty where there is none
  std::int64_t node = -1;  ///< physical node, -1: none
  std::int64_t replica = -1;
  std::int64_t step = 0;  ///< last kept step
  std::int64_t replicas_active = 0;
  std::int64_t spares_free = 0;
};

}  // namespace toposim::sim
