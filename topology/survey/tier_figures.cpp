#include "topology/survey/tier_figures.hpp"

#include <algorithm>

#include "topology/survey/switch_hops.hpp"
#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {

std::vector<Oversubscription> oversubscription(const Cluster& cluster) {
  std::vector<Oversubscription> result;
  for (const VertexKind tier : {VertexKind::leaf, VertexKind::spine}) {
    Oversubscription of{tier, 0, 0, 0};
    bool any = false;
    for (VertexId v = cluster.leaf(0); v < cluster.vertex_count(); ++v) {
      if (cluster.graph()[v].kind != tier) continue;
      double up_Bps = 0, down_Bps = 0;
      const Cluster::ArcRange out = cluster.out_arcs(v);
      for (ArcId arc = out.first; arc < out.last; ++arc)
        (cluster.graph()[cluster.target(arc)].kind > tier ? up_Bps : down_Bps) += cluster.bandwidth_Bps(arc);
      if (up_Bps == 0 || down_Bps == 0) continue;
      const double ratio = down_Bps / up_Bps;
      if (!any || ratio > of.most) {
        of.most = ratio;
        of.worst = v;
      }
      of.least = any ? std::min(of.least, ratio) : ratio;
      any = true;
    }
    if (any) result.push_back(of);
  }
  return result;
}

std::uint32_t diameter_hops(const Cluster& cluster) {
  if (switch_count(cluster) == 0) return 0;
  const VertexId first = cluster.leaf(0);
  std::vector<bool> used(cluster.leaf_count(), false);
  for (std::uint32_t i = 0; i < cluster.nic_count(); ++i) used[cluster.leaf_of_nic(cluster.nic(0, i)) - first] = true;
  std::uint32_t furthest = 0;
  for (std::uint32_t leaf = 0; leaf < used.size(); ++leaf) {
    if (!used[leaf]) continue;
    const std::vector<std::uint32_t> hops = switch_hops(cluster, first + leaf);
    for (std::uint32_t other = 0; other < used.size(); ++other)
      if (used[other] && hops[other] != no_way) furthest = std::max(furthest, hops[other]);
  }
  return furthest;
}

}  // namespace toposim::topology
