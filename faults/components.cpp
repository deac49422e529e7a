// How many of each component a cluster has.
#include <vector>

#include "faults/fault_timeline.hpp"

namespace toposim::faults {

std::uint32_t component_count(Component kind, const topology::Cluster& cluster) {
  switch (kind) {
    case Component::gpu:
      return cluster.gpu_count();
    case Component::node:
      return cluster.node_count();
    case Component::nic:
      return cluster.nic_count();
    case Component::access_cable:
      return cluster.cable_count(topology::LinkKind::access);
    case Component::uplink_cable:
      return cluster.cable_count(topology::LinkKind::uplink);
    case Component::core_cable:
      return cluster.cable_count(topology::LinkKind::core_link);
    case Component::leaf:
      return cluster.leaf_count();
    case Component::spine:
      return cluster.spine_count();
    case Component::core:
      return cluster.core_count();
    case Component::job:
      return 1;
  }
  return 0;
}

namespace {

std::vector<std::uint32_t> counts_of(const FaultSpec& spec, const topology::Cluster& cluster) {
  std::vector<std::uint32_t> counts;
  for (const FaultClassSpec& c : spec.classes) counts.push_back(component_count(c.component, cluster));
  return counts;
}

}  // namespace

FaultModel::FaultModel(const FaultSpec& spec, const topology::Cluster& cluster)
    : FaultModel(spec, counts_of(spec, cluster)) {}

}  // namespace toposim::faults
