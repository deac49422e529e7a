#pragma once
#include <cstdint>

#include "topology/cluster.hpp"

namespace toposim::topology {

/// How good forwarding tables are, over every way from a leaf with nodes to an adapter of another leaf.
struct TableFigures {
  std::uint64_t ways = 0;
  std::uint64_t detours = 0;  ///< of ways: over more cables than the shortest
  /// Adapters that a leaf sends to by one of its cables up; the fewest and most over all such cables.
  std::uint32_t fewest_per_uplink = 0, most_per_uplink = 0;
};

/// Needs Cluster::has_tables().
TableFigures table_figures(const Cluster& cluster);

}  // namespace toposim::topology
