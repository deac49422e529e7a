#include "topology/min_hop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/error.hpp"
#include "topology/imported_fabric.hpp"
#include "topology/mix.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint8_t unreachable = 255;

bool has_dead_arc(const FabricState& state, const Path& path) {
  return std::any_of(path.begin(), path.end(), [&](ArcId arc) { return state.down(arc); });
}

}  // namespace

/// Candidates of one hop: arcs to switches one hop nearer to the destination, in the order of a built fabric's choices:
/// first cable to each switch, then second cables, and so on.
class MinHop::Walk {
 public:
  Walk(const MinHop& ways, const std::uint8_t* distances, const FabricState* state, VertexId at)
      : ways_(ways),
        distances_(distances),
        state_(state),
        out_(ways.cluster_->out_arcs(at)),
        wanted_(static_cast<std::uint8_t>(distances[ways.number(at)] - 1)) {
    VertexId last = at;
    for (ArcId arc = out_.first; arc < out_.last; ++arc) {
      if (!leads(arc)) continue;
      ++count_;
      const VertexId to = ways.cluster_->target(arc);
      switches_ += to != last ? 1 : 0;
      last = to;
    }
  }

  std::uint32_t count() const { return count_; }
  std::uint32_t switches() const { return switches_; }
  bool leads(ArcId arc) const {
    const VertexId to = ways_.cluster_->target(arc);
    return ways_.is_switch(to) && distances_[ways_.number(to)] == wanted_ && (!state_ || !state_->down(arc));
  }
  /// Candidate number `rank` < count().
  ArcId pick(std::uint32_t rank) const {
    for (std::uint32_t cable = 0;; ++cable) {
      VertexId last = 0;  // a GPU, so no switch
      std::uint32_t ordinal = 0;
      for (ArcId arc = out_.first; arc < out_.last; ++arc) {
        if (!leads(arc)) continue;
        const VertexId to = ways_.cluster_->target(arc);
        ordinal = to == last ? ordinal + 1 : 0;
        last = to;
        if (ordinal == cable && rank-- == 0) return arc;
      }
    }
  }

 private:
  const MinHop& ways_;
  const std::uint8_t* distances_;
  const FabricState* state_;
  Cluster::ArcRange out_;
  std::uint8_t wanted_;
  std::uint32_t count_ = 0, switches_ = 0;
};

MinHop::MinHop(const Cluster& cluster, std::uint64_t ecmp_seed)
    : cluster_(&cluster),
      mode_(cluster.spec().routing),
      ecmp_seed_(ecmp_seed),
      first_switch_(cluster.leaf(0)),
      switches_(cluster.leaf_count() + cluster.spine_count() + cluster.core_count()),
      gpus_per_nic_(cluster.gpus_per_node() / cluster.nics_per_node()),
      port_(cluster.nic_count()),
      distances_(std::size_t{cluster.leaf_count()} * switches_) {
  std::vector<std::uint32_t> used(cluster.leaf_count(), 0);
  for (std::uint32_t nic = 0; nic < port_.size(); ++nic)
    port_[nic] = used[number(cluster.leaf_of_nic(cluster.nic(0, nic)))]++;
  for (std::uint32_t leaf = 0; leaf < cluster.leaf_count(); ++leaf) {
    std::uint8_t* hops = distances_.data() + std::size_t{leaf} * switches_;
    fill_distances(cluster.leaf(leaf), nullptr, hops);
    for (std::uint32_t other = 0; other < cluster.leaf_count(); ++other) {
      if (used[leaf] == 0 || used[other] == 0 || hops[other] != unreachable) continue;
      throw TopologyError(fmt::format(
          "{}: switches {} and {} are more than {} hops apart, further than paths of three tiers may be with a detour",
          cluster.spec().import->file, cluster.name(cluster.leaf(other)), cluster.name(cluster.leaf(leaf)),
          imported_hops_max));
    }
  }
}

void MinHop::fill_distances(VertexId leaf, const FabricState* state, std::uint8_t* hops) const {
  std::fill_n(hops, switches_, unreachable);
  std::vector<VertexId> queue{leaf};
  hops[number(leaf)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint8_t next = static_cast<std::uint8_t>(hops[number(queue[i])] + 1);
    if (next > imported_hops_max) break;
    const Cluster::ArcRange out = cluster_->out_arcs(queue[i]);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      const VertexId from = cluster_->target(arc);
      if (!is_switch(from) || hops[number(from)] != unreachable) continue;
      if (state && state->down(cluster_->arc(arc).reverse)) continue;
      hops[number(from)] = next;
      queue.push_back(from);
    }
  }
}

FlowEnds::Place MinHop::place(std::uint32_t node, std::uint32_t nic) const {
  const std::uint32_t index = node * cluster_->nics_per_node() + nic;
  const VertexId leaf = cluster_->leaf_of_nic(cluster_->nic(node, nic));
  return {index, number(leaf), port_[index], cluster_->pod_of(leaf)};
}

FlowEnds MinHop::ends(VertexId src, VertexId dst, std::uint64_t label, std::uint32_t exit_nic,
                      std::uint32_t entry_nic) const {
  const auto place_on_nic = [&](VertexId gpu) { return gpu % cluster_->gpus_per_node() % gpus_per_nic_; };
  const auto relay = [&](VertexId gpu, std::uint32_t nic) {
    return cluster_->gpu(node_of(gpu), nic * gpus_per_nic_ + place_on_nic(gpu));
  };
  return {.src = src,
          .dst = dst,
          .label = label,
          .relay_out = relay(src, exit_nic),
          .relay_in = relay(dst, entry_nic),
          .in_place = place_on_nic(dst),
          .out = place(node_of(src), exit_nic),
          .in = place(node_of(dst), entry_nic)};
}

Path MinHop::over_nvlink(VertexId src, VertexId dst) const {
  return Path([&](ArcId* next) {
    *next++ = cluster_->out_arcs(src).first;
    *next++ = cluster_->arc(cluster_->out_arcs(dst).first).reverse;
    return next;
  });
}

ArcId* MinHop::enter(const FlowEnds& e, ArcId* next) const {
  if (e.relay_out != e.src)
    for (const ArcId arc : over_nvlink(e.src, e.relay_out)) *next++ = arc;
  *next++ = cluster_->out_arcs(e.relay_out).first + 1;
  if (e.out.nic != e.in.nic) *next++ = cluster_->cable(LinkKind::access, e.out.nic);
  return next;
}

ArcId* MinHop::leave(const FlowEnds& e, ArcId* next) const {
  if (e.out.nic != e.in.nic) *next++ = cluster_->arc(cluster_->cable(LinkKind::access, e.in.nic)).reverse;
  *next++ = cluster_->arc(cluster_->out_arcs(e.relay_in).first + 1).reverse;
  if (e.relay_in != e.dst)
    for (const ArcId arc : over_nvlink(e.relay_in, e.dst)) *next++ = arc;
  return next;
}

Path MinHop::healthy(const FlowEnds& e) const {
  return cluster_->has_tables() ? by_tables(e) : *shortest(e, nullptr);
}

std::optional<Path> MinHop::broken(const FlowEnds& e, const FabricState& state) const {
  const Path usual = healthy(e);
  if (!has_dead_arc(state, usual)) return usual;
  const auto path = shortest(e, &state);
  if (!path || has_dead_arc(state, *path)) return std::nullopt;  // the fabric is whole, the way to a leaf is not
  return path;
}

// The reader of tables has walked them: they lead to every adapter within imported_hops_max.
Path MinHop::by_tables(const FlowEnds& e) const {
  return Path([&](ArcId* next) {
    next = enter(e, next);
    const VertexId nic = cluster_->nic(0, e.in.nic), last = cluster_->leaf(e.in.leaf);
    if (e.out.nic != e.in.nic)
      for (VertexId at = cluster_->leaf(e.out.leaf); at != last; at = cluster_->target(*(next - 1)))
        *next++ = cluster_->table_arc(at, nic);
    return leave(e, next);
  });
}

std::optional<Path> MinHop::shortest(const FlowEnds& e, const FabricState* state) const {
  const std::uint8_t* healthy_hops = distances_.data() + std::size_t{e.in.leaf} * switches_;
  Distances live;
  if (state) {
    live.resize(switches_);
    fill_distances(cluster_->leaf(e.in.leaf), state, live.data());
    if (live[e.out.leaf] == unreachable) return std::nullopt;
  }
  const std::uint8_t* hops = state ? live.data() : healthy_hops;
  const std::uint64_t flow = mix64(mix64(ecmp_seed_ ^ (std::uint64_t{e.src} << 32 | e.dst)) ^ e.label);
  return Path([&](ArcId* next) {
    next = enter(e, next);
    if (e.out.nic == e.in.nic) return leave(e, next);
    std::uint32_t cables_up[imported_hops_max] = {}, up = 0;  // which of the parallel cables each way up was
    VertexId at = cluster_->leaf(e.out.leaf);
    for (std::uint32_t hop = 0; hops[number(at)] > 0; ++hop) {
      const ArcId first = cluster_->out_arcs(at).first;
      // Where a flow turns down to one switch it keeps the parallel cable that it came up by.
      const auto rank = [&](const Walk& walk) -> std::uint64_t {
        if (mode_ == RoutingMode::ecmp) return below(mix64(flow ^ (std::uint64_t{hop} << 32)), walk.count());
        if (hop == 0) return e.out.port + e.label;
        if (walk.switches() == 1 && up > 0) return cables_up[--up];
        return cluster_->arc(*(next - 1)).reverse - first;
      };
      const Walk walk(*this, hops, state, at);
      const std::uint32_t turns = up;
      ArcId chosen = walk.pick(static_cast<std::uint32_t>(rank(walk) % walk.count()));
      if (state && healthy_hops[number(at)] == hops[number(at)]) {
        // As in a whole fabric, if that still leads there; else the flow joins those that are displaced.
        up = turns;
        const Walk whole(*this, healthy_hops, nullptr, at);
        const std::uint64_t usual = rank(whole);
        const ArcId wanted = whole.pick(static_cast<std::uint32_t>(usual % whole.count()));
        chosen =
            walk.leads(wanted) ? wanted : walk.pick(static_cast<std::uint32_t>((usual + e.out.leaf) % walk.count()));
      }
      const VertexId to = cluster_->target(chosen);
      if (to > at && up < imported_hops_max) cables_up[up++] = chosen - cluster_->arcs_between(at, to).first;
      *next++ = chosen;
      at = to;
    }
    return leave(e, next);
  });
}

}  // namespace toposim::topology
