#pragma once
#include <cstdint>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

inline constexpr std::uint32_t no_way = 0xffffffff;

/// Cables between switches on the shortest path to a switch, of every switch, counted from the first leaf.
std::vector<std::uint32_t> switch_hops(const Cluster& cluster, VertexId to_switch);

}  // namespace toposim::topology
