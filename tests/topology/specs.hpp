#pragma once
#include <cstdint>

#include "topology/cluster_spec.hpp"

namespace toposim::topology {

/// 8 GPUs and 8 NICs a node, all fabric links 50e9 B/s, non-blocking.
inline ClusterSpec clos(FabricKind fabric, std::int64_t nodes, std::int64_t nodes_per_leaf,
                        std::int64_t nodes_per_pod = 0) {
  ClusterSpec spec;
  spec.fabric = fabric;
  spec.nodes = nodes;
  spec.nodes_per_leaf = nodes_per_leaf;
  spec.nodes_per_pod = nodes_per_pod;
  return spec;
}

inline ClusterSpec rail(std::int64_t nodes, std::int64_t nodes_per_leaf, std::int64_t nodes_per_pod = 0) {
  return clos(FabricKind::rail_fat_tree, nodes, nodes_per_leaf, nodes_per_pod);
}

inline ClusterSpec one_node(std::int64_t gpus) {
  ClusterSpec spec;
  spec.fabric = FabricKind::single_node;
  spec.nodes = 1;
  spec.gpus_per_node = gpus;
  return spec;
}

}  // namespace toposim::topology
