#pragma once
// The fabric with parallel cables taken together: which switches are joined, and by how much.
#include <cstdint>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

struct SwitchPair {
  VertexId lower = 0, upper = 0;
  std::uint32_t cables = 0;
  double bandwidth_Bps = 0;  ///< of all together, one direction
};

/// In order of (lower, upper).
std::vector<SwitchPair> switch_pairs(const Cluster& cluster);

inline std::uint32_t switch_count(const Cluster& cluster) {
  return cluster.leaf_count() + cluster.spine_count() + cluster.core_count();
}

}  // namespace toposim::topology
