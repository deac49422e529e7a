#include "topology/up_down.hpp"

#include <algorithm>

#include "topology/mix.hpp"
#include "topology/narrow.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint32_t kEcmpAttempts = 16;

bool all_alive(const FabricState& state, const Path& path) {
  return std::none_of(path.begin(), path.end(), [&](ArcId arc) { return state.down(arc); });
}

// x mod n; most x are below n already, and a division costs more than the test.
std::uint32_t wrap(std::uint32_t x, std::uint32_t n) {
  return x < n ? x : x % n;
}

// Choice c among the uplinks to `switches` switches: switch c mod n, parallel cable c / n.
struct Uplink {
  std::uint32_t to, cable;
};
Uplink uplink(std::uint32_t choice, std::uint32_t switches, std::uint32_t cables) {
  if (cables == 1) return {choice, 0};
  return {choice % switches, choice / switches};
}

// The first live one of `count` parallel arcs, `preferred` before all others.
std::optional<std::uint32_t> live_cable(const FabricState& state, ArcId first, std::uint32_t count,
                                        std::uint32_t preferred) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t cable = (preferred + i) % count;
    if (!state.down(first + cable)) return cable;
  }
  return std::nullopt;
}

// Number `rank` mod n of the n live arcs among first .. first + count - 1, `excluded` left out; as an offset.
std::optional<std::uint32_t> live_other(const FabricState& state, ArcId first, std::uint32_t count,
                                        std::uint32_t excluded, std::uint32_t rank) {
  std::vector<std::uint32_t> dead{excluded};
  const auto& entries = state.entries();
  auto it = std::lower_bound(entries.begin(), entries.end(), first,
                             [](const FabricState::Entry& entry, ArcId arc) { return entry.arc < arc; });
  for (; it != entries.end() && it->arc < first + count; ++it) {
    if (it->factor == 0 && it->arc - first != excluded) dead.push_back(it->arc - first);
  }
  if (dead.size() >= count) return std::nullopt;
  std::sort(dead.begin(), dead.end());
  std::uint32_t offset = rank % (count - u32(static_cast<std::int64_t>(dead.size())));
  for (const std::uint32_t d : dead) offset += offset >= d ? 1 : 0;
  return offset;
}

}  // namespace

UpDown::UpDown(const Cluster& cluster, std::uint64_t ecmp_seed)
    : arcs_(cluster.arc_map()), mode_(cluster.spec().routing), ecmp_seed_(ecmp_seed) {
  const FabricShape& s = cluster.shape();
  gpus_per_node_ = u32(s.gpus_per_node);
  nics_per_node_ = u32(s.nics_per_node);
  gpus_per_nic_ = std::max<std::uint32_t>(1, u32(s.gpus_per_nic()));
  leaves_per_pod_ = u32(s.leaves_per_pod());
  leaf_uplinks_ = u32(s.leaf_uplinks);
  spines_per_pod_ = u32(s.spines_per_pod);
  leaf_cables_ = u32(s.cables_per_leaf_spine);
  spine_uplinks_ = u32(s.spine_uplinks);
  cores_per_plane_ = u32(s.cores_per_plane);
  core_cables_ = u32(s.cables_per_spine_core);
  rail_optimised_ = s.rail_optimised;
  for (std::uint32_t node = 0; node < s.nodes; ++node) {
    for (std::uint32_t g = 0; g < gpus_per_node_; ++g) {
      gpus_.push_back({node, static_cast<std::uint16_t>(nics_per_node_ > 0 ? g / gpus_per_nic_ : 0),
                       static_cast<std::uint16_t>(g % gpus_per_nic_)});
    }
    if (nics_per_node_ == 0) continue;
    const std::int64_t group = node / s.nodes_per_group;
    nodes_.push_back({u32(group * s.leaves_per_group), u32(node % s.nodes_per_group * s.nics_per_leaf_of_node()),
                      u32(group / s.groups_per_pod)});
  }
}

FlowEnds::Place UpDown::place(std::uint32_t node, std::uint32_t nic) const {
  const NodePlace& n = nodes_[node];
  return {node * nics_per_node_ + nic, n.first_leaf + (rail_optimised_ ? nic : 0),
          n.first_port + (rail_optimised_ ? 0 : nic), n.pod};
}

// The GPU itself where the NIC is its own; else, of those that share the NIC, the one at the GPU's own place.
VertexId UpDown::relay(const GpuPlace& gpu, std::uint32_t nic) const {
  return gpu.node * gpus_per_node_ + nic * gpus_per_nic_ + gpu.place;
}

FlowEnds UpDown::ends(VertexId src, VertexId dst, std::uint64_t label, std::uint32_t exit_nic,
                      std::uint32_t entry_nic) const {
  const GpuPlace& from = gpus_[src];
  const GpuPlace& to = gpus_[dst];
  FlowEnds e;
  e.src = src;
  e.dst = dst;
  e.label = label;
  e.relay_out = relay(from, exit_nic);
  e.relay_in = relay(to, entry_nic);
  e.in_place = to.place;
  e.out = place(from.node, exit_nic);
  e.in = place(to.node, entry_nic);
  return e;
}

Path UpDown::over_nvlink(VertexId src, VertexId dst) const {
  return Path([&](ArcId* next) {
    *next++ = arcs_.gpu_to_nvswitch(src);
    *next++ = arcs_.nvswitch_to_gpu(dst);
    return next;
  });
}

UpDown::Hops UpDown::adaptive_hops(const FlowEnds& e) const {
  Hops hops;
  const Uplink up = uplink(wrap(port_and_label(e), leaf_uplinks_), spines_per_pod_, leaf_cables_);
  hops.spine = up.to;
  hops.up_cable = hops.down_cable = up.cable;
  if (e.out.pod != e.in.pod) {
    const Uplink core = uplink(wrap(spine_port(e, hops), spine_uplinks_), cores_per_plane_, core_cables_);
    hops.core = core.to;
    hops.core_up_cable = hops.core_down_cable = core.cable;
  }
  return hops;
}

UpDown::Hops UpDown::ecmp_hops(const FlowEnds& e, std::uint32_t attempt) const {
  const std::uint64_t flow = mix64(mix64(ecmp_seed_ ^ (std::uint64_t{e.src} << 32 | e.dst)) ^ e.label);
  const auto pick = [&](std::uint64_t tier, std::uint32_t choices) {
    return choices == 1 ? 0 : below(mix64(flow ^ (tier << 32 | attempt)), choices);
  };
  Hops hops;
  const Uplink up = uplink(pick(0, leaf_uplinks_), spines_per_pod_, leaf_cables_);
  hops.spine = up.to;
  hops.up_cable = up.cable;
  hops.down_cable = pick(3, leaf_cables_);
  if (e.out.pod != e.in.pod) {
    const Uplink core = uplink(pick(1, spine_uplinks_), cores_per_plane_, core_cables_);
    hops.core = core.to;
    hops.core_up_cable = core.cable;
    hops.core_down_cable = pick(2, core_cables_);
  }
  return hops;
}

Path UpDown::assemble(const FlowEnds& e, const Hops& hops) const {
  return Path([&](ArcId* next) {
    if (e.relay_out != e.src) {
      *next++ = arcs_.gpu_to_nvswitch(e.src);
      *next++ = arcs_.nvswitch_to_gpu(e.relay_out);
    }
    *next++ = arcs_.gpu_to_nic(e.relay_out);
    if (e.out.nic != e.in.nic) {
      *next++ = arcs_.nic_to_leaf(e.out.nic);
      if (e.out.leaf != e.in.leaf) {
        *next++ = arcs_.leaf_to_spine(e.out.leaf, hops.spine, hops.up_cable);
        if (e.out.pod != e.in.pod) {
          *next++ = arcs_.spine_to_core(spine_of(e.out, hops), hops.core, hops.core_up_cable);
          *next++ = arcs_.core_to_spine(core_of(hops, hops.core), e.in.pod, hops.core_down_cable);
        }
        *next++ = arcs_.spine_to_leaf(spine_of(e.in, hops), leaf_in_pod(e.in), hops.down_cable);
      }
      *next++ = arcs_.leaf_to_nic(e.in.leaf, e.in.port);
    }
    *next++ = arcs_.nic_to_gpu(e.in.nic, e.in_place);
    if (e.relay_in != e.dst) {
      *next++ = arcs_.gpu_to_nvswitch(e.relay_in);
      *next++ = arcs_.nvswitch_to_gpu(e.dst);
    }
    return next;
  });
}

Path UpDown::healthy(const FlowEnds& e) const {
  if (e.out.leaf == e.in.leaf) return assemble(e, {});
  return assemble(e, mode_ == RoutingMode::adaptive ? adaptive_hops(e) : ecmp_hops(e, 0));
}

std::optional<Path> UpDown::broken(const FlowEnds& e, const FabricState& state) const {
  Path path = healthy(e);
  if (all_alive(state, path)) return path;
  if (e.out.leaf == e.in.leaf) return std::nullopt;
  for (std::uint32_t attempt = 1; mode_ == RoutingMode::ecmp && attempt < kEcmpAttempts; ++attempt) {
    path = assemble(e, ecmp_hops(e, attempt));
    if (all_alive(state, path)) return path;
  }
  const std::optional<Hops> hops = surviving_hops(e, state);
  if (!hops) return std::nullopt;
  path = assemble(e, *hops);
  if (!all_alive(state, path)) return std::nullopt;  // the fabric is whole, but the way to one of the leaves is not
  return path;
}

std::optional<UpDown::Hops> UpDown::surviving_hops(const FlowEnds& e, const FabricState& state) const {
  const Hops wanted = adaptive_hops(e);
  if (const auto hops = beyond_leaf(e, state, wanted.spine, wanted.up_cable)) return hops;

  const std::uint32_t rank = port_and_label(e) + leaf_in_pod(e.out);
  const std::uint32_t excluded = wanted.spine * leaf_cables_ + wanted.up_cable;
  const auto other = live_other(state, arcs_.leaf_to_spine(e.out.leaf, 0, 0), leaf_uplinks_, excluded, rank);
  if (!other) return std::nullopt;
  if (const auto hops = beyond_leaf(e, state, *other / leaf_cables_, *other % leaf_cables_)) return hops;

  std::vector<Hops> all;
  for (std::uint32_t offset = 0; offset < leaf_uplinks_; ++offset) {
    if (const auto hops = beyond_leaf(e, state, offset / leaf_cables_, offset % leaf_cables_)) all.push_back(*hops);
  }
  if (all.empty()) return std::nullopt;
  return all[rank % all.size()];
}

// A live way from this leaf uplink to the destination leaf, as near to the healthy choice as there is.
std::optional<UpDown::Hops> UpDown::beyond_leaf(const FlowEnds& e, const FabricState& state, std::uint32_t spine,
                                                std::uint32_t up_cable) const {
  if (state.down(arcs_.leaf_to_spine(e.out.leaf, spine, up_cable))) return std::nullopt;
  Hops hops;
  hops.spine = spine;
  hops.up_cable = up_cable;
  const ArcId down = arcs_.spine_to_leaf(spine_of(e.in, hops), leaf_in_pod(e.in), 0);
  const auto down_cable = live_cable(state, down, leaf_cables_, up_cable);
  if (!down_cable) return std::nullopt;
  hops.down_cable = *down_cable;
  if (e.out.pod != e.in.pod && !choose_core(e, state, hops)) return std::nullopt;
  return hops;
}

bool UpDown::choose_core(const FlowEnds& e, const FabricState& state, Hops& hops) const {
  const Uplink core = uplink(wrap(spine_port(e, hops), spine_uplinks_), cores_per_plane_, core_cables_);
  if (core_leads_down(e, state, core.to * core_cables_ + core.cable, hops)) return true;
  std::vector<std::uint32_t> offsets;
  for (std::uint32_t offset = 0; offset < spine_uplinks_; ++offset) {
    if (core_leads_down(e, state, offset, hops)) offsets.push_back(offset);
  }
  if (offsets.empty()) return false;
  const std::uint32_t rank = spine_port(e, hops) + port_and_label(e);
  return core_leads_down(e, state, offsets[rank % offsets.size()], hops);
}

// `offset` counts the spine's uplinks in arc order: core, then parallel cable.
bool UpDown::core_leads_down(const FlowEnds& e, const FabricState& state, std::uint32_t offset, Hops& hops) const {
  hops.core = offset / core_cables_;
  hops.core_up_cable = offset % core_cables_;
  if (state.down(arcs_.spine_to_core(spine_of(e.out, hops), hops.core, hops.core_up_cable))) return false;
  const ArcId down = arcs_.core_to_spine(core_of(hops, hops.core), e.in.pod, 0);
  const auto cable = live_cable(state, down, core_cables_, hops.core_up_cable);
  if (!cable) return false;
  hops.core_down_cable = *cable;
  return true;
}

}  // namespace toposim::topology
