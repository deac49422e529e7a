#include "topology/survey/failure_points.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <map>
#include <set>

#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {
namespace {

struct CableProperty {
  std::size_t component = 0;
  std::uint32_t cables = 0;
};
using SwitchGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, CableProperty>;

class Blasts {
 public:
  explicit Blasts(const Cluster& cluster) : cluster_(cluster), first_(cluster.leaf(0)) {
    nics_.resize(switch_count(cluster));
    for (std::uint32_t i = 0; i < cluster.nic_count(); ++i) {
      const VertexId nic = cluster.nic(0, i);
      nics_[cluster.leaf_of_nic(nic) - first_].push_back(nic);
    }
  }

  /// Without a switch, or without the cables between two.
  BlastRadius without(VertexId a_switch, VertexId other) const {
    std::vector<std::vector<VertexId>> parts;  // adapters
    std::vector<bool> seen(nics_.size(), false);
    if (other == 0) {
      seen[a_switch - first_] = true;
      parts.push_back({});  // so that a lone switch leaves one part, in which there is nothing
    }
    std::vector<VertexId> lost = other == 0 ? nics_[a_switch - first_] : std::vector<VertexId>();
    for (std::uint32_t start = 0; start < nics_.size(); ++start) {
      if (seen[start]) continue;
      seen[start] = true;
      std::vector<std::uint32_t> queue{start};
      std::vector<VertexId> part;
      for (std::size_t i = 0; i < queue.size(); ++i) {
        part.insert(part.end(), nics_[queue[i]].begin(), nics_[queue[i]].end());
        visit_neighbours(queue[i], a_switch, other, seen, queue);
      }
      parts.push_back(std::move(part));
    }
    const auto largest =
        std::max_element(parts.begin(), parts.end(), [](const auto& x, const auto& y) { return x.size() < y.size(); });
    for (auto part = parts.begin(); part != parts.end(); ++part)
      if (part != largest) lost.insert(lost.end(), part->begin(), part->end());
    return radius(lost);
  }

  BlastRadius of_own_adapters(VertexId a_switch) const { return radius(nics_[a_switch - first_]); }

 private:
  void visit_neighbours(std::uint32_t at, VertexId a_switch, VertexId other, std::vector<bool>& seen,
                        std::vector<std::uint32_t>& queue) const {
    const Cluster::ArcRange out = cluster_.out_arcs(first_ + at);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      const VertexId to = cluster_.target(arc), from = first_ + at;
      if (to < first_ || seen[to - first_]) continue;
      if (other != 0 && std::minmax(from, to) == std::minmax(a_switch, other)) continue;
      seen[to - first_] = true;
      queue.push_back(to - first_);
    }
  }

  BlastRadius radius(const std::vector<VertexId>& lost) const {
    std::map<std::uint32_t, std::uint32_t> by_node;
    for (const VertexId nic : lost) ++by_node[cluster_.node_of(nic)];
    BlastRadius result{static_cast<std::uint32_t>(lost.size()), static_cast<std::uint32_t>(by_node.size()), 0};
    for (const auto& [node, adapters] : by_node) result.nodes_cut += adapters == cluster_.nics_per_node() ? 1 : 0;
    return result;
  }

  const Cluster& cluster_;
  VertexId first_;
  std::vector<std::vector<VertexId>> nics_;  // by switch
};

}  // namespace

std::vector<FailurePoint> failure_points(const Cluster& cluster) {
  std::vector<FailurePoint> points;
  const std::uint32_t switches = switch_count(cluster);
  if (switches == 0) return points;
  const VertexId first = cluster.leaf(0);
  SwitchGraph graph(switches);
  const std::vector<SwitchPair> pairs = switch_pairs(cluster);
  for (const SwitchPair& pair : pairs) {
    boost::add_edge(pair.lower - first, pair.upper - first, CableProperty{0, pair.cables}, graph);
  }
  std::vector<std::size_t> cut_switches;
  const auto [components, end] = boost::biconnected_components(graph, boost::get(&CableProperty::component, graph),
                                                               std::back_inserter(cut_switches));
  (void)end;
  const std::set<std::size_t> cuts(cut_switches.begin(), cut_switches.end());
  std::vector<std::uint32_t> size(components, 0);
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) ++size[graph[edge].component];

  const Blasts blasts(cluster);
  for (std::uint32_t s = 0; s < switches; ++s)
    points.push_back(
        {first + s, 0, cuts.contains(s) ? blasts.without(first + s, 0) : blasts.of_own_adapters(first + s)});
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    if (size[graph[edge].component] != 1 || graph[edge].cables != 1) continue;
    const auto a = first + static_cast<VertexId>(boost::source(edge, graph));
    const auto b = first + static_cast<VertexId>(boost::target(edge, graph));
    const VertexId lower = std::min(a, b), upper = std::max(a, b);
    points.push_back({lower, upper, blasts.without(lower, upper)});
  }
  return points;
}

}  // namespace toposim::topology
