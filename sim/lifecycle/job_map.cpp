#include "sim/lifecycle/job_map.hpp"

#include <algorithm>

namespace toposim::sim {

JobMap::JobMap(const topology::Cluster& cluster, const topology::Placement& placement)
    : spares_(cluster.node_count() - placement.job_nodes()) {
  for (std::uint32_t slot = 0; slot < placement.job_nodes(); ++slot) append(placement.replicas_on_node(slot));
}

JobMap::JobMap(std::uint32_t spares, const std::vector<std::vector<std::uint32_t>>& replicas_on_slot)
    : spares_(spares) {
  for (const auto& replicas : replicas_on_slot) append(replicas);
}

void JobMap::append(const std::vector<std::uint32_t>& replicas) {
  for (const std::uint32_t replica : replicas) {
    replica_.push_back(replica);
    replicas_ = std::max(replicas_, replica + 1);
  }
  first_.push_back(static_cast<std::uint32_t>(replica_.size()));
}

}  // namespace toposim::sim
