#include "topology/fabric_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "topology/error.hpp"
#include "topology/mix.hpp"

namespace toposim::topology {
namespace {

bool before(const FabricState::Entry& entry, ArcId arc) {
  return entry.arc < arc;
}

}  // namespace

double FabricState::factor(ArcId arc) const {
  if (entries_.empty() || arc < entries_.front().arc || arc > entries_.back().arc) return 1;
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), arc, before);
  return it->arc == arc ? it->factor : 1;
}

void FabricState::set_arc(ArcId arc, double factor) {
  if (!(factor >= 0 && factor <= 1)) {
    throw TopologyError(
        fmt::format("arc {}: a remaining share of {} is not within 0 (down) to 1 (healthy)", arc, factor));
  }
  const auto it = std::lower_bound(entries_.begin(), entries_.end(), arc, before);
  const bool present = it != entries_.end() && it->arc == arc;
  if (factor == 1) {
    if (present) entries_.erase(it);
  } else if (present) {
    it->factor = factor + 0.0;  // -0 becomes 0, so that equal states hash equal
  } else {
    entries_.insert(it, {arc, factor + 0.0});
  }
}

void FabricState::set_cable(const Cluster& cluster, ArcId either_arc, double factor) {
  set_arc(either_arc, factor);
  set_arc(cluster.arc(either_arc).reverse, factor);
}

void FabricState::take_down(const Cluster& cluster, VertexId v) {
  const Cluster::ArcRange out = cluster.out_arcs(v);
  for (ArcId arc = out.first; arc < out.last; ++arc) set_cable(cluster, arc, 0);
}

std::uint64_t FabricState::hash() const {
  std::uint64_t h = mix64(entries_.size());
  for (const Entry& entry : entries_) h = mix64(mix64(h ^ entry.arc) ^ std::bit_cast<std::uint64_t>(entry.factor));
  return h;
}

}  // namespace toposim::topology
