// Ring all-reduce, reduce-scatter, all-gather, broadcast (Patarasuk and Yuan 2009, "Bandwidth optimal all-reduce
// algorithms for clusters of workstations"). One flow per hop carries what all rounds send over it:
// 2(n-1)/n x S (all-reduce), (n-1)/n x S (reduce-scatter, all-gather), S (broadcast, pipelined).
#include "sim/collectives/ring.hpp"

#include <algorithm>

#include "sim/collectives/planner.hpp"

namespace toposim::sim {

using topology::VertexId;

std::vector<VertexId> ring_order(const GroupShape& group, std::uint32_t channel) {
  std::vector<VertexId> order;
  order.reserve(group.size());
  const std::uint32_t nodes = group.nodes(), per_node = group.smallest_node();
  if (nodes == 1 || per_node == 1 || !group.even()) {  // nothing to align
    order = group.members();
    return order;
  }
  // Node i is left at member (channel + exit(i)) mod per_node and entered where the node before it was left.
  const auto exit = [&](std::uint32_t i) -> std::uint32_t {
    if (nodes % 2 == 1 && i == nodes - 1) return per_node > 2 ? 2 : 1;
    return i % 2 == 0 ? 1 : 0;
  };
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto members = group.node(i);
    const std::uint32_t out = (channel + exit(i)) % per_node;
    std::uint32_t in = (channel + exit((i + nodes - 1) % nodes)) % per_node;
    if (in == out) in = (out + 1) % per_node;  // two per node, odd number of nodes: this entry changes rails
    order.push_back(members[in]);
    for (std::uint32_t k = 1; k < per_node; ++k) {
      const std::uint32_t member = (in + k) % per_node;
      if (member != out) order.push_back(members[member]);
    }
    order.push_back(members[out]);
  }
  return order;
}

double ring_passes(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce ? 2 : 1;
}

namespace {

/// Adds one ring that carries `bytes` of the buffer.
void add_ring(const PlanInput& in, std::size_t group_index, std::uint32_t channel, double bytes,
              std::vector<Flow>& flows) {
  const GroupShape& group = in.shapes[group_index];
  const double n = group.size();
  std::vector<VertexId> order = ring_order(group, channel);
  std::size_t hops = order.size();
  double payload = ring_passes(in.request.kind) * (n - 1) / n * bytes;
  if (in.request.kind == CollectiveKind::broadcast) {  // a chain from the root
    std::rotate(order.begin(), std::find(order.begin(), order.end(), in.request.groups[group_index].front()),
                order.end());
    payload = bytes;
    --hops;
  }
  for (std::size_t i = 0; i < hops; ++i) {
    const VertexId src = order[i], dst = order[(i + 1) % order.size()];
    const bool inside = in.cluster.node_of(src) == in.cluster.node_of(dst);
    flows.push_back({src, dst, inside ? in.on_nvlink(payload) : in.on_network(payload), channel});
  }
}

}  // namespace

CollectivePlan plan_ring(const PlanInput& in) {
  Phase phase{
      .name = "ring", .flows = {}, .arc_flows = {}, .rounds = 0, .round_overhead_s = in.protocol.nvlink_round_s};
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    if (group.size() == 1) continue;
    add_ring(in, g, 0, in.request.bytes, phase.flows);
    phase.rounds = std::max(phase.rounds, ring_passes(in.request.kind) * (group.size() - 1.0));
    if (group.nodes() > 1) phase.round_overhead_s = in.protocol.network_round_s;  // the slowest hop governs
  }
  return {.phases = {std::move(phase)}};
}

CollectivePlan plan_rail_rings(const PlanInput& in) {
  // A chunk passes each node once: all of its GPUs but one by NVLink, then the network. That passage is the round; its
  // slowest route is the network hop, the NVLink hops are in the overhead.
  Phase phase{.name = "rail rings", .flows = {}, .arc_flows = {}, .rounds = 0, .round_overhead_s = 0};
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    if (group.size() == 1) continue;
    const std::uint32_t rails = group.smallest_node();
    for (std::uint32_t rail = 0; rail < rails; ++rail) add_ring(in, g, rail, in.request.bytes / rails, phase.flows);
    phase.rounds = std::max(phase.rounds, ring_passes(in.request.kind) * (group.size() - 1.0) / rails);
    phase.round_overhead_s =
        std::max(phase.round_overhead_s, (rails - 1) * in.nvlink_hop_s() + in.protocol.network_round_s);
  }
  return {.phases = {std::move(phase)}};
}

}  // namespace toposim::sim
