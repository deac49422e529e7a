#pragma once
#include "analysis/results.hpp"
#include "sim/scenario/scenario.hpp"
#include "topology/cluster.hpp"
#include "topology/domains.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// The cluster and the job in words, for the head of the report and results.json.
analysis::Facts describe(const Scenario& scenario, const topology::Cluster& cluster,
                         const topology::Placement& placement, const topology::Domains& domains);

}  // namespace toposim::sim
