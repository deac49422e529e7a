#pragma once
// The exact fidelity: a window of training in SimGrid's own clock. Every flow of every step's data-parallel collectives
// is a SimGrid communication over a SimGrid link per arc and direction of the fabric, from node host to node host; one
// injector actor turns links and hosts off and on; a checkpoint/restart job lives on top. It is what the fast path
// (sim/lifecycle over memoised step times) is compared with.
//
// Simulated: which flows share which links at every moment, re-routing of what is left of a message when a cable fails
// or recovers, flows between the nodes that a slot really has (a spare sends from where it stands), the order of
// compute, exposed and hidden transfers, faults, recovery and checkpoints in continuous time.
// Taken as given: the step's other parts (compute, tensor, pipeline, context and expert parallelism, optimizer) from
// StepModel; a collective's phases and latencies from sim/collectives (one flow a hop, not one message a round); what a
// recovery consists of and where checkpoints fall, from the Scheme.
//
// It runs in the process's one SimGrid engine, as one piece of work of its thread (sim/fabric/simgrid_engine.hpp):
// flow solves from other threads wait meanwhile. A forked child would keep them apart, at the price of a copy of the
// process and of results sent through a pipe; a window takes seconds, and nobody solves flows during it.
#include <array>
#include <cstdint>
#include <vector>

#include "sim/exact/exact_limits.hpp"
#include "sim/lifecycle/job_map.hpp"
#include "sim/lifecycle/lifecycle_result.hpp"
#include "sim/lifecycle/outages.hpp"
#include "sim/lifecycle/scheme.hpp"
#include "sim/step/step_model.hpp"
#include "topology/placement.hpp"
#include "topology/router.hpp"

namespace toposim::sim {

struct ExactResult {
  std::int64_t wall_ns = 0;
  std::int64_t kept_steps = 0;
  std::int64_t lost_steps = 0;  ///< whole steps rolled back
  std::int64_t full_recoveries = 0;
  std::int64_t checkpoints = 0;                        ///< that became durable
  std::array<std::int64_t, bucket_count> bucket_ns{};  ///< sums to wall_ns
  std::vector<std::int64_t> step_ns;                   ///< of each kept step, in order
  std::int64_t transfers = 0;                          ///< SimGrid communications started
};

/// Trains until `steps` are kept (at the end of the last one, before a checkpoint that comes due then), or until
/// outages.horizon_ns(). A pure function of its arguments, to the nanosecond; any thread but SimGrid's own. `outages`
/// must be sorted.
/// Throws std::invalid_argument for more than exact_gpus_max GPUs in the cluster or exact_steps_max steps, and for a
/// scheme that answers a loss with anything but a restart of the whole job from a checkpoint; what StepModel throws. A
/// job that waits for a repair or a route that never comes waits until the horizon.
ExactResult exact_run(const topology::Router& router, const topology::Placement& placement, const StepModel& step_model,
                      const JobMap& job, const Scheme& scheme, const Outages& outages, std::int64_t steps);

}  // namespace toposim::sim
