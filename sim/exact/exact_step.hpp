#pragma once
// A step as the exact run plays it: stretches of compute, each with the network operations that go on beside it.
#include <array>
#include <memory>
#include <vector>

#include "sim/collectives/collective.hpp"
#include "sim/step/communication.hpp"
#include "sim/step/step_model.hpp"
#include "topology/placement.hpp"
#include "topology/router.hpp"

namespace toposim::sim {

/// One thing the network does, after the one before it: the flows of a phase, with the latency of its rounds, or a wait
/// (what a collective costs to start).
struct Operation {
  std::shared_ptr<const Phase> phase;  ///< null: a wait
  double bytes_scale = 1;
  double wait_s = 0;
};

/// Over when both are.
struct StepPart {
  double compute_s = 0;
  std::vector<Operation> operations;
};

/// 1. gathering parameters beside the first forward passes, as far as they hide it; 2. what computes alone; 3. reducing
/// gradients beside the last backward passes. With T the time of an exchange and W the compute it can hide under, part
/// 1 and part 3 each take max(W, T): the step's exposed max(0, T - W) and all the rest, as in StepModel.
using StepParts = std::array<StepPart, 3>;

class StepPlanner {
 public:
  /// Keeps references. Algorithms are chosen once, on the healthy fabric, as StepModel does.
  StepPlanner(const StepModel& step_model, const topology::Router& router, const topology::Placement& placement);

  /// Non-network parts in this state from StepModel; nobody is missing. `overhead_s` is computed too.
  StepParts parts(const StepState& state, double overhead_s) const;

 private:
  struct Collective {
    CollectiveRequest request;
    CollectivePlan plan;
    double times = 1;
  };
  std::vector<Collective> planned(const std::vector<Exchange>& exchanges) const;
  void append(const Collective& collective, const StepState& state, std::vector<Operation>& operations) const;

  const StepModel& step_model_;
  const topology::Router& router_;
  std::unique_ptr<FabricModel> bottleneck_;
  std::vector<Collective> gradients_, parameters_;
};

}  // namespace toposim::sim
