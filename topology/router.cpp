#include "topology/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "topology/error.hpp"

namespace toposim::topology {

Router::Router(const Cluster& cluster, std::uint64_t ecmp_seed)
    : cluster_(&cluster),
      up_down_(cluster, ecmp_seed),
      gpus_(cluster.gpu_count()),
      nics_per_node_(cluster.nics_per_node()),
      rail_optimised_(cluster.shape().rail_optimised),
      port_failover_(cluster.spec().port_failover) {}

Path Router::path(VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const {
  if (src >= gpus_ || dst >= gpus_) {
    const VertexId bad = src >= gpus_ ? src : dst;
    throw TopologyError(fmt::format("a route runs between GPUs, which are vertices 0 to {}; {} is {}", gpus_ - 1, bad,
                                    bad < cluster_->vertex_count() ? cluster_->name(bad) : "not in the cluster"));
  }
  if (src == dst) return {};
  if (up_down_.node_of(src) == up_down_.node_of(dst)) {
    const Path path = up_down_.over_nvlink(src, dst);
    if (state.healthy() || std::none_of(path.begin(), path.end(), [&](ArcId a) { return state.down(a); })) return path;
    return detour(src, dst, label, state);
  }
  const std::uint32_t entry = up_down_.nic_of(dst);
  const FlowEnds ends = up_down_.ends(src, dst, label, rail_optimised_ ? entry : up_down_.nic_of(src), entry);
  if (state.healthy()) return up_down_.healthy(ends);
  if (const auto path = up_down_.broken(ends, state)) return *path;
  return detour(src, dst, label, state);
}

Path Router::detour(VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const {
  if (nics_per_node_ == 0) no_route(src, dst, state);
  const std::uint32_t own_out = up_down_.nic_of(src);
  const std::uint32_t own_in = up_down_.nic_of(dst);
  if (const auto path = up_down_.broken(up_down_.ends(src, dst, label, own_out, own_in), state)) return *path;
  if (!port_failover_) no_route(src, dst, state);

  std::array<std::vector<Path>, 2> found;  // pairs of NICs like the usual ones, and all others
  for (std::uint32_t out = 0; out < nics_per_node_; ++out) {
    for (std::uint32_t in = 0; in < nics_per_node_; ++in) {
      const bool usual = rail_optimised_ ? out == in : out == own_out || in == own_in;
      if (const auto path = up_down_.broken(up_down_.ends(src, dst, label, out, in), state)) {
        found[usual ? 0 : 1].push_back(*path);
      }
    }
  }
  const std::uint64_t rank = dst % cluster_->gpus_per_node() + up_down_.node_of(src) + label;
  for (const auto& paths : found) {
    if (!paths.empty()) return paths[rank % paths.size()];
  }
  no_route(src, dst, state);
}

void Router::no_route(VertexId src, VertexId dst, const FabricState& state) const {
  std::string text =
      fmt::format("no route from {} to {}: every up/down path is cut", cluster_->name(src), cluster_->name(dst));
  if (nics_per_node_ > 0) {
    // Most often it is a port; then say which, and what would do.
    for (const VertexId gpu : {src, dst}) {
      const VertexId nic = cluster_->nic_of_gpu(gpu);
      const ArcId access = cluster_->out_arcs(nic).last - 1;
      if (!state.down(access) && !state.down(cluster_->arc(access).reverse)) continue;
      text += fmt::format("; {} is down", cluster_->arc_name(access));
      if (!port_failover_) text += " (cluster.port_failover would use the node's other NICs)";
    }
  }
  throw TopologyError(text);
}

std::size_t Router::append_route(VertexId src, VertexId dst, std::uint64_t label, const FabricState& state,
                                 std::vector<ArcId>& route) const {
  const Path arcs = path(src, dst, label, state);
  route.insert(route.end(), arcs.begin(), arcs.end());
  return arcs.size();
}

std::vector<ArcId> Router::route(VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const {
  const Path arcs = path(src, dst, label, state);
  return {arcs.begin(), arcs.end()};
}

}  // namespace toposim::topology
