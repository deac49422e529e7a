#pragma once
// The cluster and the all-reduces derived by hand: 8 GPUs and 8 NICs a node, one hop of 2 us and 50e9 B/s
// between nodes, 0.5 us and 450e9 B/s between GPUs of a node. Tests and benchmarks.
#include <cstdint>

#include "sim/fabric/phase.hpp"
#include "topology/cluster.hpp"

namespace toposim::sim {

inline topology::ClusterSpec eight_gpu_nodes(std::int64_t nodes, std::int64_t nodes_per_leaf = 32) {
  topology::ClusterSpec spec;
  spec.nodes = nodes;
  spec.nodes_per_leaf = nodes_per_leaf;
  spec.nvlink = {450e9, 0.25e-6};  // a hop is GPU to switch to GPU
  spec.access = {50e9, 1e-6};      // a hop is NIC to leaf to NIC
  return spec;
}

inline Phase named(const char* name, double rounds) {
  Phase phase;
  phase.name = name;
  phase.rounds = rounds;
  return phase;
}

/// A ring over all GPUs that stays on one rail from node to node: odd nodes are walked backwards.
inline Phase flat_ring(const topology::Cluster& cluster, double bytes) {
  const std::uint32_t nodes = cluster.node_count(), n = cluster.gpu_count();
  const auto at = [&](std::uint32_t i) {
    const std::uint32_t node = i / 8 % nodes, local = i % 8;
    return cluster.gpu(node, node % 2 == 0 ? local : 7 - local);
  };
  Phase phase = named("ring", 2.0 * (n - 1));
  for (std::uint32_t i = 0; i < n; ++i) phase.flows.push_back({at(i), at(i + 1), 2.0 * (n - 1) / n * bytes, 0});
  return phase;
}

/// Rings of eight inside every node: a reduce-scatter or an all-gather of `bytes`.
inline Phase nvlink_phase(const topology::Cluster& cluster, double bytes) {
  Phase phase = named("nvlink", 7);
  for (std::uint32_t node = 0; node < cluster.node_count(); ++node)
    for (std::uint32_t g = 0; g < 8; ++g)
      phase.flows.push_back({cluster.gpu(node, g), cluster.gpu(node, (g + 1) % 8), 7.0 / 8 * bytes, 0});
  return phase;
}

/// Eight rail rings, each all-reducing an eighth of `bytes` over all nodes.
inline Phase rail_rings(const topology::Cluster& cluster, double bytes) {
  const std::uint32_t n = cluster.node_count();
  Phase phase = named("rails", 2.0 * (n - 1));
  for (std::uint32_t g = 0; g < 8; ++g)
    for (std::uint32_t node = 0; node < n; ++node)
      phase.flows.push_back({cluster.gpu(node, g), cluster.gpu((node + 1) % n, g), 2.0 * (n - 1) / n * bytes / 8, g});
  return phase;
}

}  // namespace toposim::sim
