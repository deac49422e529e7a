#pragma once
// Blast radius: what a fault takes down with it, by class of component.
#include <cstdint>
#include <utility>
#include <vector>

#include "faults/fault_timeline.hpp"
#include "topology/cluster.hpp"

namespace toposim::faults {

struct Impact {
  bool stops_job = false;                 ///< job-wide: every node must restart; no replica scheme survives it
  std::vector<std::uint32_t> nodes_down;  ///< physical nodes that stop working until repaired
  /// Upward arcs of cables with the share of bandwidth left, both directions (0: down).
  std::vector<std::pair<topology::ArcId, double>> cables;
  /// Nodes whose GPUs compute at this share of their speed (the slowest GPU sets the node's pace).
  std::vector<std::pair<std::uint32_t, double>> slow_nodes;
  bool empty() const { return !stops_job && nodes_down.empty() && cables.empty() && slow_nodes.empty(); }
};

/// gpu, node: the node. nic, access_cable: with cluster.port_failover the port's cable (the node goes on over its other
/// NICs), else the node. leaf: the same for every NIC on it. uplink_cable, core_cable: capacity. spine, core: all their
/// cables. job: the whole job with probability job_fraction, else one node drawn evenly.
Impact impact_of(const FaultEvent& event, const FaultSpec& spec, const topology::Cluster& cluster);

}  // namespace toposim::faults
