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
  std::vector<std::uint32_t> nodes_down;  ///< physical nodes that stop working until repaired, ascending
  /// Upward arcs of cables with the share of bandwidth left, both directions (0: down), ascending.
  std::vector<std::pair<topology::ArcId, double>> cables;
  /// Nodes whose GPUs compute at this share of their speed (the slowest GPU sets the node's pace).
  std::vector<std::pair<std::uint32_t, double>> slow_nodes;
  bool empty() const { return !stops_job && nodes_down.empty() && cables.empty() && slow_nodes.empty(); }
};

/// What stops (fail_stop):
/// - gpu, node: the node.
/// - nic, access_cable: the node; with cluster.port_failover and another NIC in the node only that port's cable, and
///   the router takes the node's other NICs.
/// - leaf: the same for every NIC on it; a node goes on with port_failover if it has a NIC on another leaf.
/// - uplink_cable, core_cable: that cable. spine, core: all their cables. No node stops.
/// - job: the whole job with probability job_fraction, else one node, drawn evenly over all nodes (spares too).
/// What is slow (fail_slow, slow_factor): gpu, node: the node. nic, access_cable, uplink_cable, core_cable: the cable.
/// leaf: the access cables on it, which all its traffic crosses. spine, core: all their cables.
/// Throws FaultError for an event that does not fit the spec or the cluster.
Impact impact_of(const FaultEvent& event, const FaultSpec& spec, const topology::Cluster& cluster);

/// Expected rate of unplanned faults that stop the job or at least one of the nodes 0 .. job_nodes-1, everything being
/// up: what checkpoint intervals (Young, Daly) are computed from. Throws FaultError if the cluster has fewer nodes.
double job_stop_rate_per_s(const FaultModel& model, const topology::Cluster& cluster, std::uint32_t job_nodes,
                           bool with_planned = false);

}  // namespace toposim::faults
