#include <fmt/format.h>

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <stdexcept>

#include "topology/cluster.hpp"

namespace toposim::topology {
namespace {

std::int64_t expected_degree(const FabricShape& s, const Vertex& vertex) {
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

[[noreturn]] void broken(VertexId v, const std::string& what) {
  throw std::logic_error(fmt::format("cluster graph: vertex {} {}", v, what));
}

void check_arcs(const Graph& graph, VertexId v, ArcId first, ArcId last) {
  const auto target = [&](ArcId arc) { return boost::target(Graph::edge_descriptor(0, arc), graph); };
  for (ArcId a = first; a < last; ++a) {
    if (a > first && target(a - 1) > target(a)) broken(v, "has arcs that are not sorted by target");
    const Arc& arc = graph[Graph::edge_descriptor(0, a)];
    if (arc.reverse >= boost::num_edges(graph)) broken(v, fmt::format("has arc {} without a reverse", a));
    const Arc& back = graph[Graph::edge_descriptor(0, arc.reverse)];
    if (back.reverse != a || target(arc.reverse) != v || back.kind != arc.kind) {
      broken(v, fmt::format("has arc {}, whose reverse does not lead back", a));
    }
  }
}

struct CountVisited : boost::default_bfs_visitor {
  std::uint32_t* visited;
  explicit CountVisited(std::uint32_t* count) : visited(count) {}
  void discover_vertex(VertexId, const Graph&) const { ++*visited; }
};

}  // namespace

void check_invariants(const Graph& graph, const FabricShape& shape) {
  const VertexId vertices = boost::num_vertices(graph);
  if (vertices != shape.vertices() || boost::num_edges(graph) != shape.arcs()) {
    throw std::logic_error(fmt::format("cluster graph: {} vertices and {} arcs, expected {} and {}", vertices,
                                       boost::num_edges(graph), shape.vertices(), shape.arcs()));
  }
  const auto& rows = graph.m_forward.m_rowstart;
  for (VertexId v = 0; v < vertices; ++v) {
    const bool known = !shape.counted || graph[v].kind < VertexKind::leaf;  // a real switch has what it has
    const std::int64_t expected = known ? expected_degree(shape, graph[v]) : 0;
    if (known && rows[v + 1] - rows[v] != expected) {
      broken(v, fmt::format("has {} arcs, expected {}", rows[v + 1] - rows[v], expected));
    }
    check_arcs(graph, v, rows[v], rows[v + 1]);
  }
  std::uint32_t visited = 0;  // from vertex 0
  const auto color = boost::make_two_bit_color_map(vertices, boost::get(boost::vertex_index, graph));
  boost::breadth_first_search(graph, VertexId{0}, boost::visitor(CountVisited(&visited)).color_map(color));
  if (visited != vertices) {
    throw std::logic_error(fmt::format("cluster graph: only {} of {} vertices are connected", visited, vertices));
  }
}

}  // namespace toposim::topology
