#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {

std::vector<SwitchPair> switch_pairs(const Cluster& cluster) {
  std::vector<SwitchPair> pairs;
  for (VertexId v = cluster.leaf(0); v < cluster.vertex_count(); ++v) {
    const Cluster::ArcRange out = cluster.out_arcs(v);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      const VertexId to = cluster.target(arc);
      if (to <= v) continue;
      if (pairs.empty() || pairs.back().lower != v || pairs.back().upper != to) pairs.push_back({v, to, 0, 0});
      ++pairs.back().cables;
      pairs.back().bandwidth_Bps += cluster.bandwidth_Bps(arc);
    }
  }
  return pairs;
}

}  // namespace toposim::topology
