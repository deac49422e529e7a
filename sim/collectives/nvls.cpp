// NVLink SHARP: NVSwitch reads and adds the same address of all members, and writes one address to all of them. Each
// member owns a shard of S/n. Per member and direction:
//   reduce: all shards leave it, S up; its own comes back, S/n down;   spread: its own leaves, S/n up; all come, S
//   down.
// All-reduce is both at once, S (1 + 1/n) each way. The first chunk is reduced before anything is spread and the last
// is spread after everything is reduced: one chunk's time on top, as bytes.
#include <algorithm>

#include "sim/collectives/planner.hpp"

namespace toposim::sim {
namespace {

using topology::ArcId;
using topology::VertexId;

void add_stream(const topology::Cluster& cluster, VertexId from, VertexId to, double bytes,
                std::vector<ArcFlow>& streams) {
  if (bytes == 0) return;
  const auto arcs = cluster.arcs_between(from, to);  // parallel links share
  for (ArcId arc = arcs.first; arc < arcs.last; ++arc) streams.push_back({arc, bytes / arcs.size()});
}

struct UpDown {
  double up_bytes, down_bytes;
};

/// Of one member of n; `is_root` matters to broadcast.
UpDown member_bytes(CollectiveKind kind, double n, bool is_root, double bytes) {
  switch (kind) {
    case CollectiveKind::reduce_scatter:
      return {bytes, bytes / n};
    case CollectiveKind::all_gather:
      return {bytes / n, bytes};
    case CollectiveKind::broadcast:
      return is_root ? UpDown{bytes, 0} : UpDown{0, bytes};
    default:
      return {bytes * (1 + 1 / n), bytes * (1 + 1 / n)};
  }
}

}  // namespace

Phase nvls_phase(const PlanInput& in, double efficiency) {
  const CollectiveKind kind = in.request.kind;
  const double passes = kind == CollectiveKind::all_reduce ? 2 : 1;  // reduce, spread
  // A pass is two NVLink hops; the phase's slowest route is one of them.
  Phase phase{.name = "nvls",
              .flows = {},
              .arc_flows = {},
              .rounds = passes,
              .round_overhead_s = in.cluster.spec().nvlink.latency_s + in.latency.switch_reduction_s};
  const double fill_bytes =
      kind == CollectiveKind::all_reduce ? std::min(in.request.bytes, in.latency.nvls_chunk_bytes) : 0;
  const double wire_bytes = (in.request.bytes + fill_bytes) / efficiency;
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    for (std::uint32_t node = 0; node < group.nodes(); ++node) {
      const auto members = group.node(node);
      if (members.size() == 1) continue;
      for (const VertexId gpu : members) {
        const auto [up, down] =
            member_bytes(kind, static_cast<double>(members.size()), gpu == in.request.groups[g].front(), wire_bytes);
        const VertexId nvswitch = in.cluster.nvswitch(in.cluster.node_of(gpu));
        add_stream(in.cluster, gpu, nvswitch, up, phase.arc_flows);
        add_stream(in.cluster, nvswitch, gpu, down, phase.arc_flows);
      }
    }
  }
  return phase;
}

CollectivePlan plan_nvls(const PlanInput& in) {
  return {.phases = {nvls_phase(in, in.latency.nvls_efficiency)}};
}

CollectivePlan plan_nvls_tree(const PlanInput& in) {
  return {.phases = {nvls_phase(in, in.latency.nvls_tree_efficiency), trees_between_nodes(in)},
          .pipelined = true,
          .chunks = std::max(1.0, in.request.bytes / in.latency.pipeline_chunk_bytes)};
}

}  // namespace toposim::sim
