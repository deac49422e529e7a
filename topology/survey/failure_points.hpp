#pragma once
// What one dead component cuts off from the rest of the fabric.
#include <cstdint>
#include <tuple>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

struct BlastRadius {
  std::uint32_t adapters = 0;   ///< that reach no longer what the most others reach
  std::uint32_t nodes_hit = 0;  ///< that have such an adapter
  std::uint32_t nodes_cut = 0;  ///< that have no other
  bool operator==(const BlastRadius&) const = default;
  bool operator<(const BlastRadius& other) const {
    return std::tie(adapters, nodes_hit, nodes_cut) < std::tie(other.adapters, other.nodes_hit, other.nodes_cut);
  }
};

/// A switch, or a cable between switches that has no other way round.
struct FailurePoint {
  VertexId a_switch = 0;
  VertexId other = 0;  ///< of a cable: its upper end; of a switch: 0
  BlastRadius blast;
};

/// Every switch, in order, then every such cable.
std::vector<FailurePoint> failure_points(const Cluster& cluster);

}  // namespace toposim::topology
