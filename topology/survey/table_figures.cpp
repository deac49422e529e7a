#include "topology/survey/table_figures.hpp"

#include <algorithm>
#include <vector>

#include "topology/survey/switch_hops.hpp"

namespace toposim::topology {

TableFigures table_figures(const Cluster& cluster) {
  TableFigures figures;
  std::vector<std::uint32_t> used(cluster.arc_count(), 0);
  const VertexId first = cluster.leaf(0);
  std::vector<std::vector<VertexId>> nics(cluster.leaf_count());
  for (std::uint32_t i = 0; i < cluster.nic_count(); ++i)
    nics[cluster.leaf_of_nic(cluster.nic(0, i)) - first].push_back(cluster.nic(0, i));
  for (std::uint32_t to = 0; to < nics.size(); ++to) {
    if (nics[to].empty()) continue;
    const std::vector<std::uint32_t> shortest = switch_hops(cluster, first + to);
    for (std::uint32_t from = 0; from < nics.size(); ++from) {
      if (from == to || nics[from].empty()) continue;
      for (const VertexId nic : nics[to]) {
        std::uint32_t hops = 0;
        for (VertexId at = first + from; at != first + to; ++hops) {
          const ArcId arc = cluster.table_arc(at, nic);
          if (hops == 0) ++used[arc];
          at = cluster.target(arc);
        }
        ++figures.ways;
        figures.detours += hops > shortest[from] ? 1 : 0;
      }
    }
  }
  bool any = false;
  for (std::uint32_t leaf = 0; leaf < nics.size(); ++leaf) {
    if (nics[leaf].empty()) continue;
    const Cluster::ArcRange out = cluster.out_arcs(first + leaf);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      if (cluster.graph()[cluster.target(arc)].kind != VertexKind::spine) continue;
      figures.fewest_per_uplink = any ? std::min(figures.fewest_per_uplink, used[arc]) : used[arc];
      figures.most_per_uplink = std::max(figures.most_per_uplink, used[arc]);
      any = true;
    }
  }
  return figures;
}

}  // namespace toposim::topology
