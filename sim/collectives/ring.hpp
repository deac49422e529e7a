#pragma once
// The order of a ring.
#include <vector>

#include "sim/collectives/group_shape.hpp"

namespace toposim::sim {

/// Ring number `channel` over the group: node after node, each node's GPUs in a row. A node is left from the GPU whose
/// index the next node is entered at, so that hops between nodes stay on one rail; over all channels of an even group
/// each rail is used once per node and direction. Where two GPUs per node meet an odd number of nodes no such order
/// exists and one hop changes rails; groups with unequal nodes are entered at their first GPU and left at their last.
std::vector<topology::VertexId> ring_order(const GroupShape& group, std::uint32_t channel);

}  // namespace toposim::sim
