#include "topology/survey/switch_hops.hpp"

#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {

std::vector<std::uint32_t> switch_hops(const Cluster& cluster, VertexId to_switch) {
  const VertexId first = cluster.leaf(0);
  std::vector<std::uint32_t> hops(switch_count(cluster), no_way);
  std::vector<VertexId> queue{to_switch};
  hops[to_switch - first] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Cluster::ArcRange out = cluster.out_arcs(queue[i]);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      const VertexId at = cluster.target(arc);
      if (at < first || hops[at - first] != no_way) continue;
      hops[at - first] = hops[queue[i] - first] + 1;
      queue.push_back(at);
    }
  }
  return hops;
}

}  // namespace toposim::topology
