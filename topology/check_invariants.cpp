#include <fmt/format.h>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <stdexcept>

#include "topology/cluster.hpp"

namespace toposim::topology {
namespace {

[[noreturn]] void broken(const Cluster& cluster, VertexId v, const std::string& what) {
  throw std::logic_error(fmt::format("cluster graph: {} {}", cluster.name(v), what));
}

std::int64_t expected_degree(const Cluster& cluster, VertexId v) {
  const FabricShape& s = cluster.shape();
  const Vertex& vertex = cluster.graph()[v];
  switch (vertex.kind) {
    case VertexKind::gpu:
      return s.nics_per_node > 0 ? 2 : 1;
    case VertexKind::nvswitch:
      return s.gpus_per_node;
    case VertexKind::nic:
      return s.gpus_per_nic() + 1;
    case VertexKind::leaf:
      return s.nodes_in_group(vertex.node / s.leaves_per_group) * s.nics_per_leaf_of_node() + s.leaf_uplinks;
    case VertexKind::spine:
      return s.groups_in_pod(vertex.pod) * s.leaves_per_group * s.cables_per_leaf_spine + s.spine_uplinks;
    case VertexKind::core:
      return s.pods * s.cables_per_spine_core;
  }
  return 0;
}

struct CountVisited : boost::default_bfs_visitor {
  std::uint32_t* visited;
  explicit CountVisited(std::uint32_t* count) : visited(count) {}
  void discover_vertex(VertexId, const Graph&) const { ++*visited; }
};

void check_connected(const Cluster& cluster) {
  std::uint32_t visited = 0;
  const auto index = boost::get(boost::vertex_index, cluster.graph());
  boost::breadth_first_search(
      cluster.graph(), VertexId{0},
      boost::visitor(CountVisited(&visited)).color_map(boost::make_two_bit_color_map(cluster.vertex_count(), index)));
  // breadth_first_search initialises every vertex but only discovers what it reaches.
  if (visited != cluster.vertex_count()) {
    throw std::logic_error(
        fmt::format("cluster graph: {} of {} vertices are reachable", visited, cluster.vertex_count()));
  }
}

}  // namespace

void check_invariants(const Cluster& cluster) {
  if (cluster.arc_count() != cluster.shape().arcs()) {
    throw std::logic_error(
        fmt::format("cluster graph: {} arcs, expected {}", cluster.arc_count(), cluster.shape().arcs()));
  }
  for (VertexId v = 0; v < cluster.vertex_count(); ++v) {
    const Cluster::ArcRange out = cluster.out_arcs(v);
    if (out.size() != expected_degree(cluster, v)) {
      broken(cluster, v, fmt::format("has {} arcs, expected {}", out.size(), expected_degree(cluster, v)));
    }
    for (ArcId a = out.first; a < out.last; ++a) {
      const Arc& arc = cluster.arc(a);
      if (a > out.first && cluster.target(a - 1) > cluster.target(a)) broken(cluster, v, "has unsorted arcs");
      const Arc& back = cluster.arc(arc.reverse);
      if (back.reverse != a || cluster.target(arc.reverse) != v || back.kind != arc.kind) {
        broken(cluster, v,
               fmt::format("has an arc to {} whose reverse does not lead back", cluster.name(cluster.target(a))));
      }
    }
  }
  check_connected(cluster);
}

}  // namespace toposim::topology
