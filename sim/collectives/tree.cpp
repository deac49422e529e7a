// Double binary tree as NCCL lays it: per channel (rail) a chain through the GPUs of each node that ends at the
// channel's leader, and two complementary trees over the leaders, each with half of the channel's data. All-reduce goes
// up and down again; broadcast only down, from trees over all nodes but the root's, whose leader feeds both.
//   chain hop: S/channels each way; tree edge: S/(2 channels) each way.
//   rounds: 2 (m-1) NVLink hops and 2 depth network hops (all-reduce), half of that for broadcast.
#include <algorithm>

#include "sim/collectives/binary_tree.hpp"
#include "sim/collectives/planner.hpp"

namespace toposim::sim {
namespace {

using topology::VertexId;

bool is_broadcast(const PlanInput& in) {
  return in.request.kind == CollectiveKind::broadcast;
}

/// Index of the node that holds the broadcast's root.
std::uint32_t root_node(const GroupShape& group, VertexId root) {
  for (std::uint32_t node = 0; node < group.nodes(); ++node) {
    const auto members = group.node(node);
    if (std::find(members.begin(), members.end(), root) != members.end()) return node;
  }
  return 0;
}

/// The leader first, then the other members in order, from the one after it; a broadcast's root before them all.
std::vector<VertexId> chain_order(const GroupShape& group, std::uint32_t node, VertexId leader, const VertexId* root) {
  const auto members = group.node(node);
  std::vector<VertexId> order(members.begin(), members.end());
  std::rotate(order.begin(), std::find(order.begin(), order.end(), leader), order.end());
  if (root) {
    const auto at = std::find(order.begin(), order.end(), *root);
    if (at != order.end()) std::rotate(order.begin(), at, at + 1);
  }
  return order;
}

Phase chains_inside_nodes(const PlanInput& in) {
  Phase phase{.name = "nvlink chains",
              .flows = {},
              .arc_flows = {},
              .rounds = 0,
              .round_overhead_s = in.protocol.nvlink_round_s};
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    const double bytes = in.on_nvlink(in.request.bytes / group.smallest_node());
    const VertexId* root = is_broadcast(in) ? &in.request.groups[g].front() : nullptr;
    for (std::uint32_t node = 0; node < group.nodes(); ++node) {
      const auto leaders = group.leaders(node);
      for (std::uint32_t channel = 0; channel < leaders.size(); ++channel) {
        const auto chain = chain_order(group, node, leaders[channel], root);
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
          phase.flows.push_back({chain[i], chain[i + 1], bytes, channel});
          if (!root) phase.flows.push_back({chain[i + 1], chain[i], bytes, channel});
        }
      }
    }
    phase.rounds = std::max(phase.rounds, (root ? 1 : 2) * (group.largest_node() - 1.0));
  }
  return phase;
}

void add_tree(const BinaryTree& tree, const std::vector<VertexId>& members, double bytes, std::uint32_t channel,
              bool down_only, std::vector<Flow>& flows) {
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (i == tree.root) continue;
    const VertexId parent = members[tree.parent[i]];
    flows.push_back({parent, members[i], bytes, channel});
    if (!down_only) flows.push_back({members[i], parent, bytes, channel});
  }
}

}  // namespace

Phase trees_between_nodes(const PlanInput& in) {
  Phase phase{.name = "trees between nodes",
              .flows = {},
              .arc_flows = {},
              .rounds = 0,
              .round_overhead_s = in.protocol.tree_round_s};
  const bool down_only = is_broadcast(in);
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    if (group.nodes() == 1) continue;
    const std::uint32_t channels = group.smallest_node();
    const double half_bytes = in.on_network(in.request.bytes / (2.0 * channels));
    const std::uint32_t source = down_only ? root_node(group, in.request.groups[g].front()) : group.nodes();
    std::vector<std::vector<VertexId>> leaders;  // of the nodes in the trees
    for (std::uint32_t node = 0; node < group.nodes(); ++node)
      if (node != source) leaders.push_back(group.leaders(node));
    const auto n = static_cast<std::uint32_t>(leaders.size());
    const BinaryTree trees[] = {first_tree(n), second_tree(n)};
    const std::vector<VertexId> feeders = down_only ? group.leaders(source) : std::vector<VertexId>{};
    for (std::uint32_t channel = 0; channel < channels; ++channel) {
      std::vector<VertexId> members;
      for (const auto& of_node : leaders) members.push_back(of_node[channel]);
      for (const BinaryTree& tree : trees) {
        add_tree(tree, members, half_bytes, channel, down_only, phase.flows);
        if (down_only) phase.flows.push_back({feeders[channel], members[tree.root], half_bytes, channel});
      }
    }
    phase.rounds = std::max(phase.rounds, down_only ? trees[0].depth + 1.0 : 2.0 * trees[0].depth);
  }
  return phase;
}

CollectivePlan plan_double_binary_tree(const PlanInput& in) {
  return {.phases = {chains_inside_nodes(in), trees_between_nodes(in)},
          .pipelined = true,
          .chunks = std::max(1.0, in.request.bytes / in.latency.pipeline_chunk_bytes)};
}

}  // namespace toposim::sim
