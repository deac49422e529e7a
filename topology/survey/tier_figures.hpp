#pragma once
// Oversubscription and distances.
#include <cstdint>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

/// Capacity down over capacity up, of the switches of one tier that have both.
struct Oversubscription {
  VertexKind tier{};
  double least = 0, most = 0;
  VertexId worst = 0;  ///< a switch that has the most
};
std::vector<Oversubscription> oversubscription(const Cluster& cluster);

/// Cables between switches that the shortest path between the two leaves furthest apart takes; leaves without nodes do
/// not count.
std::uint32_t diameter_hops(const Cluster& cluster);

}  // namespace toposim::topology
