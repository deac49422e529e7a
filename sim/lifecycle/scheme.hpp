#pragma once
// The plug-in point of the lifecycle: how a scheme answers a loss, what its steps cost and what they are worth.
//
// A scheme is a constant: it keeps no state between calls, so one object serves every run and thread. The lifecycle
// (lifecycle.hpp) owns the clock, the nodes, the steps and the checkpoints, and asks the scheme what to do.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/lifecycle/checkpoint_plan.hpp"
#include "sim/lifecycle/lifecycle_result.hpp"
#include "sim/lifecycle/recovery_costs.hpp"

namespace toposim::sim {

/// One part of a recovery: the job stands still for `ns`, booked in `bucket`.
struct Stage {
  /// comm_init: by who takes part when it starts, every rank after a full stop (RecoveryCosts::comm_init_ns), else one
  /// per replica (regroup_ns). spare_wait: until Scheme::can_run.
  static constexpr std::int64_t by_state = -1;
  Bucket bucket{};
  std::int64_t ns = 0;
};

/// The parts of a recovery in order; at most 10.
class StageList {
 public:
  StageList& add(Bucket bucket, std::int64_t ns) {
    stages_[size_++] = {bucket, ns};
    return *this;
  }
  std::span<const Stage> all() const { return {stages_.data(), size_}; }
  bool has(Bucket bucket) const {
    for (const Stage& stage : all())
      if (stage.bucket == bucket) return true;
    return false;
  }

 private:
  std::array<Stage, 10> stages_{};
  std::size_t size_ = 0;
};

/// What a scheme is told when something that the job uses has stopped: everything lost since the job last ran.
struct Losses {
  bool job_wide = false;                   ///< no replica is running any more: everything has to start again
  bool planned = false;                    ///< all of it was announced, so nothing hangs and nothing needs detecting
  std::span<const std::uint32_t> missing;  ///< replicas that would take no part if the job went on; sorted
};

enum class ResumeFrom : std::uint8_t {
  checkpoint,      ///< the last durable one; steps since are lost
  last_step,       ///< the step in flight is lost
  step_in_flight,  ///< its elapsed part stands; the survivors do the rest
};

/// A recovery. With a `reallocate` stage the whole job stops, spares take the vacant slots (at `spare_wait`, as far as
/// they reach), and every replica that has all its nodes takes part again. Without one the survivors go on, and the
/// others come back one by one (RecoveryCosts: reallocate_ns, peer_load_ns, rejoin_stall_ns).
struct Response {
  ResumeFrom from = ResumeFrom::checkpoint;
  StageList stages;
};

/// What a step costs beside its own time, and what it counts for.
struct StepTerms {
  std::int64_t overhead_ns = 0;
  double samples = 1;         ///< real samples, as a share of the full global batch
  double progress = 1;        ///< statistical progress, as a share of a fault-free step's
  bool redistribute = false;  ///< survivors take over the missing replicas' micro-batches
};

class Scheme {
 public:
  Scheme(std::string name, const RecoveryCosts& costs, const CheckpointPlan& checkpoints)
      : name_(std::move(name)), costs_(costs), checkpoints_(checkpoints) {}
  virtual ~Scheme() = default;
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  virtual Response respond(const Losses& losses) const = 0;
  /// Whether the job may (re)start without these replicas (sorted). True for none missing.
  virtual bool can_run(std::span<const std::uint32_t> missing) const = 0;
  virtual StepTerms step_terms(std::span<const std::uint32_t> missing) const = 0;
  /// What it runs with, resolved, units in the names; for the report.
  virtual std::vector<std::pair<std::string, double>> settings() const = 0;
  /// Inputs that are assumed, not measured; one sentence each.
  virtual std::vector<std::string> assumptions() const = 0;

  const std::string& name() const { return name_; }
  const RecoveryCosts& costs() const { return costs_; }
  const CheckpointPlan& checkpoints() const { return checkpoints_; }

 private:
  std::string name_;
  RecoveryCosts costs_;
  CheckpointPlan checkpoints_;
};

}  // namespace toposim::sim
