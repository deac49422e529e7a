#pragma once
// Everything of a scenario that is built once and shared by all replicas and threads.
#include <cstdint>
#include <memory>
#include <optional>

#include "faults/fault_timeline.hpp"
#include "sim/lifecycle/job_map.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/step/step_costs.hpp"
#include "sim/step/step_model.hpp"
#include "topology/domains.hpp"

namespace toposim::sim {

struct World {
  /// Builds the cluster and prices a healthy step. Throws topology::TopologyError where the fabric cannot do what the
  /// job asks of it. The scenario must outlive it.
  explicit World(const Scenario& scenario);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Scenario& scenario;
  topology::Cluster cluster;
  topology::Router router;
  topology::Placement placement;
  topology::Domains domains;
  StepModel step_model;
  faults::FaultModel fault_model;
  JobMap job_map;
  std::unique_ptr<FabricModel> flow;  ///< null at fidelity bottleneck
  std::optional<MemoisedStepCosts> costs;
  StepBreakdown nominal_step;
  std::int64_t nominal_step_ns = 0;
};

/// What schemes need to know of it, for one scheme's estimator.
SchemeContext scheme_context(const World& world, const SchemeSpec& spec);

}  // namespace toposim::sim
