// A graph spoilt on purpose does not pass the builder's own checks.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "specs.hpp"
#include "topology/cluster.hpp"

namespace toposim::topology {
namespace {

std::string complaint(const Graph& graph, const FabricShape& shape) {
  try {
    check_invariants(graph, shape);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Four nodes of one GPU, a leaf each, two pods of one spine; each spine has two cables up, one to each of two cores.
ClusterSpec tiny() {
  ClusterSpec spec = rail(4, 1, 2);
  spec.gpus_per_node = spec.nics_per_node = 1;
  return spec;
}

Graph graph_of(const Cluster& c, std::vector<std::pair<VertexId, VertexId>> arcs) {
  std::sort(arcs.begin(), arcs.end());
  Graph graph(boost::edges_are_sorted, arcs.begin(), arcs.end(), c.vertex_count(), arcs.size());
  for (VertexId v = 0; v < c.vertex_count(); ++v) graph[v] = c.graph()[v];
  std::vector<ArcId> cursor(graph.m_forward.m_rowstart.begin(), graph.m_forward.m_rowstart.end());
  for (ArcId a = 0; a < arcs.size(); ++a) {
    graph[Graph::edge_descriptor(0, a)] = {cursor[arcs[a].second]++, LinkKind::access, 0};
  }
  return graph;
}

std::vector<std::pair<VertexId, VertexId>> arcs_of(const Cluster& c) {
  std::vector<std::pair<VertexId, VertexId>> arcs;
  for (ArcId a = 0; a < c.arc_count(); ++a) arcs.emplace_back(c.source(a), c.target(a));
  return arcs;
}

TEST(Invariants, HoldForTheBuiltGraph) {
  const Cluster c = build_cluster(tiny());
  ASSERT_EQ(c.spine_count(), 2u);
  ASSERT_EQ(c.core_count(), 2u);
  EXPECT_EQ(complaint(c.graph(), c.shape()), "");
  EXPECT_EQ(complaint(graph_of(c, arcs_of(c)), c.shape()), "");
}

TEST(Invariants, MissingCable) {
  const Cluster c = build_cluster(tiny());
  auto arcs = arcs_of(c);
  arcs.pop_back();
  EXPECT_TRUE(mentions(complaint(graph_of(c, arcs), c.shape()), "arcs, expected"));
}

TEST(Invariants, CableOnTheWrongSwitch) {
  const Cluster c = build_cluster(tiny());
  auto arcs = arcs_of(c);
  for (auto& [from, to] : arcs) {
    if (from == c.leaf(0) && to == c.spine(0)) to = c.spine(1);
    if (from == c.spine(0) && to == c.leaf(0)) from = c.spine(1);
  }
  EXPECT_TRUE(mentions(complaint(graph_of(c, arcs), c.shape()), "arcs, expected"));
}

TEST(Invariants, WrongReverse) {
  const Cluster c = build_cluster(tiny());
  Graph graph = c.graph();
  std::swap(graph[Graph::edge_descriptor(0, 0)].reverse, graph[Graph::edge_descriptor(0, 1)].reverse);
  EXPECT_TRUE(mentions(complaint(graph, c.shape()), "does not lead back"));
  graph[Graph::edge_descriptor(0, 0)].reverse = c.arc_count();
  EXPECT_TRUE(mentions(complaint(graph, c.shape()), "without a reverse"));
}

TEST(Invariants, LinkKindsDiffer) {
  const Cluster c = build_cluster(tiny());
  Graph graph = c.graph();
  graph[Graph::edge_descriptor(0, 3)].kind = LinkKind::uplink;
  EXPECT_TRUE(mentions(complaint(graph, c.shape()), "does not lead back"));
}

// Core 0 with both cables to spine 0 and core 1 with both to spine 1: every degree is right, but the pods are apart.
TEST(Invariants, TwoHalves) {
  const Cluster c = build_cluster(tiny());
  auto arcs = arcs_of(c);
  for (auto& [from, to] : arcs) {
    for (const std::uint32_t i : {0u, 1u}) {
      if (from == c.spine(i) && to == c.core(1 - i))
        to = c.core(i);
      else if (from == c.core(1 - i) && to == c.spine(i))
        from = c.core(i);
    }
  }
  EXPECT_EQ(complaint(graph_of(c, arcs), c.shape()), "cluster graph: only " + std::to_string(c.vertex_count() / 2) +
                                                         " of " + std::to_string(c.vertex_count()) +
                                                         " vertices are connected");
}

}  // namespace
}  // namespace toposim::topology
