// Every pair's own flow, all at once: S/n from each to each (all-to-all), S (point-to-point). Messages do not wait for
// each other: one round. Inside a node they go over NVLink, by their routes.
#include "sim/collectives/planner.hpp"

namespace toposim::sim {

CollectivePlan plan_direct(const PlanInput& in) {
  const bool one_way = in.request.kind == CollectiveKind::point_to_point;
  Phase phase{.name = one_way ? "point-to-point" : "all-to-all",
              .flows = {},
              .arc_flows = {},
              .rounds = 1,
              .round_overhead_s = in.protocol.nvlink_round_s};
  const auto add = [&](topology::VertexId src, topology::VertexId dst, double bytes) {
    const bool inside = in.cluster.node_of(src) == in.cluster.node_of(dst);
    if (!inside) phase.round_overhead_s = in.protocol.network_round_s;
    phase.flows.push_back({src, dst, inside ? in.on_nvlink(bytes) : in.on_network(bytes), 0});
  };
  for (const auto& group : in.request.groups) {
    const std::size_t n = group.size();
    if (n == 1) continue;
    if (one_way) {
      add(group[0], group[1], in.request.bytes);
      continue;
    }
    for (std::size_t shift = 1; shift < n; ++shift)  // in the order of a rotation, as libraries post them
      for (std::size_t i = 0; i < n; ++i)
        add(group[i], group[(i + shift) % n], in.request.bytes / static_cast<double>(n));
  }
  return {.phases = {std::move(phase)}};
}

}  // namespace toposim::sim
