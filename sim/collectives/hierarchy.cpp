// NVLink reduce-scatter inside the node, one ring between nodes per shard, NVLink all-gather. The smallest node sets
// the number of shards g: shard j of each node lives on its leader j.
//   even nodes: NVLink rings, (m-1)/m x S a hop in m-1 rounds, m = g members;
//   a node with more members than shards: every member sends each leader its S/g directly, in at most m-1 rounds;
//   between nodes: rings of N leaders, S/g: 2(N-1)/N x S/g a hop in 2(N-1) rounds (all-reduce), half otherwise.
#include <algorithm>

#include "sim/collectives/planner.hpp"

namespace toposim::sim {
namespace {

using topology::VertexId;

enum class Direction { reduce_scatter, all_gather };

/// One node's part; `bytes` is the whole buffer.
void add_node(const PlanInput& in, const GroupShape& group, std::uint32_t node, Direction direction, double bytes,
              std::vector<Flow>& flows) {
  const auto members = group.node(node);
  const double m = static_cast<double>(members.size());
  if (members.size() == group.smallest_node()) {
    if (members.size() == 1) return;
    for (std::size_t i = 0; i < members.size(); ++i)
      flows.push_back({members[i], members[(i + 1) % members.size()], in.on_nvlink((m - 1) / m * bytes), 0});
    return;
  }
  const double shard_bytes = bytes / group.smallest_node();
  for (const VertexId leader : group.leaders(node)) {
    for (const VertexId member : members) {
      if (member == leader) continue;
      if (direction == Direction::reduce_scatter)
        flows.push_back({member, leader, in.on_nvlink(shard_bytes), 0});
      else
        flows.push_back({leader, member, in.on_nvlink(shard_bytes), 0});
    }
  }
}

/// `passes` 2 does reduce-scatter and all-gather in one phase.
Phase nvlink_phase(const PlanInput& in, std::string name, bool reduce_scatter, bool all_gather) {
  Phase phase{.name = std::move(name),
              .flows = {},
              .arc_flows = {},
              .rounds = 0,
              .round_overhead_s = in.protocol.nvlink_round_s};
  const double passes = (reduce_scatter ? 1 : 0) + (all_gather ? 1 : 0);
  for (const GroupShape& group : in.shapes) {
    for (std::uint32_t node = 0; node < group.nodes(); ++node) {
      const std::size_t members = group.node(node).size();
      if (members == group.smallest_node()) {  // both directions use the same hops
        add_node(in, group, node, Direction::reduce_scatter, passes * in.request.bytes, phase.flows);
      } else {
        if (reduce_scatter) add_node(in, group, node, Direction::reduce_scatter, in.request.bytes, phase.flows);
        if (all_gather) add_node(in, group, node, Direction::all_gather, in.request.bytes, phase.flows);
      }
    }
    phase.rounds = std::max(phase.rounds, passes * (group.largest_node() - 1.0));
  }
  return phase;
}

Phase rings_between_nodes(const PlanInput& in) {
  Phase phase{.name = "rings between nodes",
              .flows = {},
              .arc_flows = {},
              .rounds = 0,
              .round_overhead_s = in.protocol.network_round_s};
  const double passes = ring_passes(in.request.kind);
  for (const GroupShape& group : in.shapes) {
    const std::uint32_t nodes = group.nodes(), channels = group.smallest_node();
    if (nodes == 1) continue;
    const double n = nodes;
    const double bytes = in.on_network(passes * (n - 1) / n * in.request.bytes / channels);
    std::vector<std::vector<VertexId>> leaders;
    leaders.reserve(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) leaders.push_back(group.leaders(node));
    for (std::uint32_t channel = 0; channel < channels; ++channel)
      for (std::uint32_t node = 0; node < nodes; ++node)
        phase.flows.push_back({leaders[node][channel], leaders[(node + 1) % nodes][channel], bytes, channel});
    phase.rounds = std::max(phase.rounds, passes * (n - 1));
  }
  return phase;
}

}  // namespace

Phase nvlink_reduce_scatter_and_all_gather(const PlanInput& in) {
  return nvlink_phase(in, "nvlink reduce-scatter and all-gather", true, true);
}

CollectivePlan plan_hierarchical(const PlanInput& in, bool pipelined) {
  const bool reduce = in.request.kind != CollectiveKind::all_gather;
  const bool gather = in.request.kind != CollectiveKind::reduce_scatter;
  CollectivePlan plan;
  if (pipelined) {
    // Reduce-scatter and all-gather share the NVLinks, so that they are one of the two things that overlap.
    plan.phases.push_back(
        reduce && gather ? nvlink_reduce_scatter_and_all_gather(in)
                         : nvlink_phase(in, reduce ? "nvlink reduce-scatter" : "nvlink all-gather", reduce, gather));
    plan.phases.push_back(rings_between_nodes(in));
    plan.pipelined = true;
    plan.chunks = std::max(1.0, in.request.bytes / in.latency.pipeline_chunk_bytes);
    return plan;
  }
  if (reduce) plan.phases.push_back(nvlink_phase(in, "nvlink reduce-scatter", true, false));
  plan.phases.push_back(rings_between_nodes(in));
  if (gather) plan.phases.push_back(nvlink_phase(in, "nvlink all-gather", false, true));
  return plan;
}

}  // namespace toposim::sim
