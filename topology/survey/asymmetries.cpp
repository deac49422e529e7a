#include "topology/survey/asymmetries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {
namespace {

/// Pods of which so many pairs of switches are joined are meant to be a full mesh.
constexpr double full_mesh_share = 0.9;

/// Of equals the largest: what is less is what went missing.
template <class Value>
Value most_common(const std::map<Value, std::size_t>& counts) {
  auto most = counts.begin();
  for (auto it = counts.begin(); it != counts.end(); ++it)
    if (it->second >= most->second) most = it;
  return most->first;
}

std::string number_of_cables(std::uint32_t n) {
  return n == 1 ? "1 cable" : fmt::format("{} cables", n);
}

class Comparison {
 public:
  explicit Comparison(const Cluster& cluster)
      : cluster_(cluster), first_(cluster.leaf(0)), pairs_(switch_pairs(cluster)) {
    up_.resize(switch_count(cluster));
    down_.resize(up_.size());
    told_.resize(up_.size());
    for (const SwitchPair& pair : pairs_) {
      up_[pair.lower - first_] += pair.cables;
      down_[pair.upper - first_] += pair.cables;
    }
  }

  std::vector<std::string> find() && {
    compare_pairs(VertexKind::leaf, VertexKind::spine);
    compare_pairs(VertexKind::spine, VertexKind::core);
    compare_switches(VertexKind::leaf, up_, "up");
    compare_switches(VertexKind::spine, up_, "up");
    compare_switches(VertexKind::spine, down_, "down");
    compare_switches(VertexKind::core, down_, "down");
    for (const LinkKind kind : {LinkKind::access, LinkKind::uplink, LinkKind::core_link}) compare_speeds(kind);
    return std::move(found_);
  }

 private:
  VertexKind kind(VertexId v) const { return cluster_.graph()[v].kind; }

  /// Parallel cables between pairs of two kinds; within a pod that is a full mesh also pairs that are not joined.
  void compare_pairs(VertexKind lower, VertexKind upper) {
    std::map<std::uint32_t, std::size_t> counts;
    std::map<std::uint32_t, std::size_t> joined;  // by pod
    for (const SwitchPair& pair : pairs_) {
      if (kind(pair.lower) != lower || kind(pair.upper) != upper) continue;
      ++counts[pair.cables];
      ++joined[cluster_.pod_of(pair.lower)];
    }
    if (counts.empty()) return;
    const std::uint32_t usual = most_common(counts);
    for (const SwitchPair& pair : pairs_)
      if (kind(pair.lower) == lower && kind(pair.upper) == upper && pair.cables < usual)
        tell_pair(pair.lower, pair.upper, pair.cables, usual);
    if (lower == VertexKind::leaf) find_gaps(joined, usual);
  }

  void find_gaps(const std::map<std::uint32_t, std::size_t>& joined, std::uint32_t usual) {
    std::map<std::uint32_t, std::array<std::vector<VertexId>, 2>> pods;  // leaves that have cables up, spines
    for (VertexId v = first_; v < cluster_.vertex_count(); ++v) {
      if (kind(v) == VertexKind::leaf && up_[v - first_] > 0) pods[cluster_.pod_of(v)][0].push_back(v);
      if (kind(v) == VertexKind::spine) pods[cluster_.pod_of(v)][1].push_back(v);
    }
    for (const auto& [pod, sides] : pods) {
      const std::size_t all = sides[0].size() * sides[1].size();
      const auto there = joined.find(pod);
      if (there == joined.end() || there->second == all ||
          static_cast<double>(there->second) < full_mesh_share * static_cast<double>(all))
        continue;
      for (const VertexId leaf : sides[0])
        for (const VertexId spine : sides[1])
          if (cluster_.arcs_between(leaf, spine).size() == 0) tell_pair(leaf, spine, 0, usual);
    }
  }

  void tell_pair(VertexId lower, VertexId upper, std::uint32_t cables, std::uint32_t usual) {
    found_.push_back(fmt::format("{} to {}: {}, where most pairs have {}", cluster_.name(lower), cluster_.name(upper),
                                 cables == 0 ? "no cable" : number_of_cables(cables), usual));
    told_[lower - first_] += usual - cables;
    told_[upper - first_] += usual - cables;
  }

  /// Switches whose cables are fewer than most have, by more than the pairs above explain.
  void compare_switches(VertexKind tier, const std::vector<std::uint32_t>& cables, const char* direction) {
    std::map<std::uint32_t, std::size_t> counts;
    for (VertexId v = first_; v < cluster_.vertex_count(); ++v)
      if (kind(v) == tier) ++counts[cables[v - first_]];
    if (counts.size() < 2) return;
    const std::uint32_t usual = most_common(counts);
    std::map<std::uint32_t, std::vector<VertexId>> fewer;  // by how many they have
    for (VertexId v = first_; v < cluster_.vertex_count(); ++v) {
      const std::uint32_t have = cables[v - first_];
      if (kind(v) == tier && have + told_[v - first_] < usual) fewer[have].push_back(v);
    }
    for (const auto& [have, switches] : fewer) {
      std::string names = cluster_.name(switches.front());
      if (switches.size() > 1)
        names += fmt::format(" and {} more, to {}", switches.size() - 1, cluster_.name(switches.back()));
      found_.push_back(fmt::format("{}: {} {}{}, where most of their tier have {}", names, number_of_cables(have),
                                   direction, switches.size() > 1 ? " each" : "", usual));
    }
  }

  void compare_speeds(LinkKind link) {
    std::map<double, std::size_t> counts;
    const std::vector<ArcId> cables = cluster_.cables(link);
    for (const ArcId cable : cables) ++counts[cluster_.bandwidth_Bps(cable)];
    if (counts.size() < 2) return;
    const double usual = most_common(counts);
    for (const ArcId cable : cables) {
      if (cluster_.bandwidth_Bps(cable) >= usual) continue;
      found_.push_back(fmt::format("{}: {:g} Gbps, where most of its kind have {:g}", cluster_.arc_name(cable),
                                   8e-9 * cluster_.bandwidth_Bps(cable), 8e-9 * usual));
    }
  }

  const Cluster& cluster_;
  VertexId first_;
  std::vector<SwitchPair> pairs_;
  std::vector<std::uint32_t> up_, down_, told_;  // cables by switch; those that are missing and told of
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> asymmetries(const Cluster& cluster) {
  if (switch_count(cluster) == 0) return {};
  return Comparison(cluster).find();
}

}  // namespace toposim::topology
