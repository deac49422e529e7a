#include "topology/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

std::variant<UpDown, MinHop> ways(const Cluster& cluster, std::uint64_t ecmp_seed) {
  if (cluster.shape().counted) return MinHop(cluster, ecmp_seed);
  return UpDown(cluster, ecmp_seed);
}

}  // namespace

Router::Router(const Cluster& cluster, std::uint64_t ecmp_seed)
    : cluster_(&cluster),
      ways_(ways(cluster, ecmp_seed)),
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
  if (const UpDown* up_down = std::get_if<UpDown>(&ways_)) return path_by(*up_down, src, dst, label, state);
  return path_by(std::get<MinHop>(ways_), src, dst, label, state);
}

template <class Ways>
Path Router::path_by(const Ways& ways, VertexId src, VertexId dst, std::uint64_t label,
                     const FabricState& state) const {
  if (ways.node_of(src) == ways.node_of(dst)) {
    const Path path = ways.over_nvlink(src, dst);
    if (state.healthy() || std::none_of(path.begin(), path.end(), [&](ArcId a) { return state.down(a); })) return path;
    return detour(ways, src, dst, label, state);
  }
  const std::uint32_t entry = ways.nic_of(dst);
  const FlowEnds ends = ways.ends(src, dst, label, rail_optimised_ ? entry : ways.nic_of(src), entry);
  if (state.healthy()) return ways.healthy(ends);
  if (const auto path = ways.broken(ends, state)) return *path;
  return detour(ways, src, dst, label, state);
}

template <class Ways>
Path Router::detour(const Ways& ways, VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const {
  if (nics_per_node_ == 0) no_route(src, dst, state);
  const std::uint32_t own_out = ways.nic_of(src);
  const std::uint32_t own_in = ways.nic_of(dst);
  if (const auto path = ways.broken(ways.ends(src, dst, label, own_out, own_in), state)) return *path;
  if (!port_failover_) no_route(src, dst, state);

  std::array<std::vector<Path>, 2> found;  // pairs of NICs like the usual ones, and all others
  for (std::uint32_t out = 0; out < nics_per_node_; ++out) {
    for (std::uint32_t in = 0; in < nics_per_node_; ++in) {
      const bool usual = rail_optimised_ ? out == in : out == own_out || in == own_in;
      if (const auto path = ways.broken(ways.ends(src, dst, label, out, in), state)) {
        found[usual ? 0 : 1].push_back(*path);
      }
    }
  }
  const std::uint64_t rank = dst % cluster_->gpus_per_node() + cluster_->node_of(src) + label;
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
