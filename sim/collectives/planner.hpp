#pragma once
// What the planners of the algorithms share; used inside sim/collectives only.
#include <string>
#include <vector>

#include "sim/collectives/collective.hpp"
#include "sim/collectives/group_shape.hpp"

namespace toposim::sim {

/// Everything a planner may look at.
struct PlanInput {
  const CollectiveRequest& request;
  const std::vector<GroupShape>& shapes;  ///< of the request's groups, in order
  const topology::Cluster& cluster;
  const LatencySpec& latency;
  ProtocolSpec protocol;
  const topology::FabricState& state;

  /// Bytes that occupy the links when so much payload goes between two GPUs of one node / of different nodes.
  double on_nvlink(double payload_bytes) const { return payload_bytes / protocol.nvlink_efficiency; }
  double on_network(double payload_bytes) const { return payload_bytes / protocol.network_efficiency; }
  double nvlink_hop_s() const { return 2 * cluster.spec().nvlink.latency_s + protocol.nvlink_round_s; }
};

/// How often a buffer of S goes round a ring of n: 2 passes for all-reduce, 1 for the others.
double ring_passes(CollectiveKind kind);

CollectivePlan plan_ring(const PlanInput& in);
CollectivePlan plan_rail_rings(const PlanInput& in);
CollectivePlan plan_hierarchical(const PlanInput& in, bool pipelined);
CollectivePlan plan_double_binary_tree(const PlanInput& in);
CollectivePlan plan_nvls(const PlanInput& in);
CollectivePlan plan_nvls_tree(const PlanInput& in);
CollectivePlan plan_sharp(const PlanInput& in);
CollectivePlan plan_direct(const PlanInput& in);

/// The NVLink half of a hierarchy, both directions of it in one phase.
Phase nvlink_reduce_scatter_and_all_gather(const PlanInput& in);
/// The NVSwitch's half: reduce into shards, spread shards; `efficiency` of the NVLink bandwidth.
Phase nvls_phase(const PlanInput& in, double efficiency);
/// Two trees per channel over the nodes, S/channels split between them.
Phase trees_between_nodes(const PlanInput& in);

}  // namespace toposim::sim
