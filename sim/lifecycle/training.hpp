#pragma once
// What the job has done: steps and checkpoints. Advanced over whole checkpoint cycles at a time, never step by step,
// and exact to the nanosecond.
#include <cstdint>

#include "sim/lifecycle/checkpoint_plan.hpp"

namespace toposim::sim {

/// What one step takes and counts for, in the state the job is in.
struct Pace {
  std::int64_t step_ns = 1;      ///< > 0
  std::int64_t overhead_ns = 0;  ///< what the scheme adds to the step
  double samples = 1, progress = 1;
  std::int64_t total_ns() const { return step_ns + overhead_ns; }
};

/// Kept work, complete steps only. A checkpoint is a copy of this.
struct Work {
  std::int64_t steps = 0;
  std::int64_t productive_ns = 0, overhead_ns = 0;
  std::int64_t recompute_ns = 0;  ///< of those two: spent on work that had been done before a rollback
  double samples = 0, progress = 0;
};

/// Runs while the job runs; has its own clock for the writes that go on meanwhile.
///
/// A step whose pace changes half way: what is left of it is stretched by new total / old total, rounded up to a whole
/// nanosecond, and the step counts for what the new pace says. While a step is in flight its time is in nobody's
/// account; it is booked when the step ends, is dropped, or the run ends.
class Training {
 public:
  Training(const CheckpointPlan& plan, const Pace& pace);

  void set_pace(const Pace& pace);
  void run(std::int64_t dt_ns);   ///< steps, and checkpoints where they come due
  void wait(std::int64_t dt_ns);  ///< no steps; a checkpoint that is being written goes on
  /// Until the next moment between two steps with no checkpoint under way; 0: now.
  std::int64_t time_to_boundary_ns() const;

  void abandon_checkpoint();  ///< the one being written or waited for is lost
  void drop_step();           ///< the step in flight is lost
  void roll_back();           ///< to the last durable checkpoint; includes the other two
  void finish();              ///< the run ends: the part of a step that was done counts as kept time

  const Work& kept() const { return work_; }
  std::int64_t lost_ns() const { return lost_ns_; }
  std::int64_t lost_steps() const { return lost_steps_; }
  std::int64_t checkpoint_ns() const { return checkpoint_ns_; }
  std::int64_t checkpoints() const { return checkpoints_; }  ///< that became durable
  const Work& durable() const { return durable_; }
  std::int64_t durable_since_ns() const { return durable_at_; }  ///< on the clock of all run() and wait()

 private:
  enum class Phase : std::uint8_t { computing, stalled, waiting };

  bool steady() const;
  void settle();
  void jump(std::int64_t cycles);
  void compute(std::int64_t dt_ns);
  void write_on(std::int64_t dt_ns);
  void add_steps(std::int64_t count);
  void finish_step();
  void made_durable(const Work& work, std::int64_t at_ns);
  std::int64_t time_to_known_end() const;

  CheckpointPlan plan_;
  Pace pace_;
  Work work_, durable_, pending_;
  std::int64_t step_elapsed_ = 0, step_left_ = 0, step_recompute_ = 0;
  std::int64_t to_checkpoint_;  // steps until the next comes due, the one in flight included
  std::int64_t cycle_ns_ = 0;   // from one checkpoint to the next, at the present pace
  Phase phase_ = Phase::computing;
  std::int64_t stall_left_ = 0, write_left_ = 0;  // write_left_ > 0: pending_ is being written
  // Furthest point ever reached and rolled back from: steps, and done_ns of a step of the present pace.
  std::int64_t furthest_steps_ = 0, furthest_done_ = 0;
  std::int64_t lost_ns_ = 0, lost_steps_ = 0, checkpoint_ns_ = 0, checkpoints_ = 0;
  std::int64_t clock_ = 0, durable_at_ = 0;
};

}  // namespace toposim::sim
