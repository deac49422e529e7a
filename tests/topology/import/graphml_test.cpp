// GraphML written and read back, and what is refused.
#include <gtest/gtest.h>

#include <random>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/graphml_file.hpp"
#include "topology/import/import_fabric.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::problems_of;
using toposim::test::replaced;
using toposim::test::TempFile;

Cluster read_cluster(const std::string& text) {
  const TempFile file(text);
  ImportSpec import;
  import.file = file.path();
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  return build_cluster(spec);
}

std::string graphml_problems(const std::string& text) {
  const TempFile file(text);
  return problems_of(file.path(), [&] { read_graphml(file.path()); });
}

void expect_same(const Cluster& a, const Cluster& b) {
  ASSERT_EQ(a.vertex_count(), b.vertex_count());
  ASSERT_EQ(a.arc_count(), b.arc_count());
  for (VertexId v = 0; v < a.vertex_count(); ++v) EXPECT_EQ(a.name(v), b.name(v));
  for (ArcId arc = 0; arc < a.arc_count(); ++arc) {
    EXPECT_EQ(a.target(arc), b.target(arc));
    EXPECT_EQ(a.arc(arc).reverse, b.arc(arc).reverse);
    EXPECT_EQ(a.bandwidth_Bps(arc), b.bandwidth_Bps(arc));
  }
}

// Names that XML has to escape, a slow cable, parallel cables, one of them missing.
TEST(Graphml, WrittenAndReadBack) {
  FabricText text;
  for (const char* name : {"leaf <0>", "leaf & 1", "s'0", "s1"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 4; ++n) text.cable(n / 2, text.adapter(fmt::format("node{} mlx5_0", n)));
  for (const std::uint32_t leaf : {0, 1})
    for (const std::uint32_t spine : {2, 3, 3}) text.cable(leaf, spine, leaf == 1 ? "4xFDR" : "4xNDR");
  text.cable(0, 2);
  const Cluster imported = read_cluster(text.text());
  expect_same(imported, read_cluster(graphml(imported)));
}

TEST(Graphml, OfABuiltFabric) {
  ClusterSpec spec;
  spec.fabric = FabricKind::fat_tree;
  spec.nodes = 8;
  spec.gpus_per_node = spec.nics_per_node = 2;
  spec.nodes_per_leaf = 2;
  spec.nodes_per_pod = 4;
  const Cluster built = build_cluster(spec);
  expect_same(built, read_cluster(graphml(built)));
}

const std::string small_graph =
    "<graphml>\n"                                                                                      // 1
    "<key id='k' for='node' attr.name='kind'/><key id='d0' for='edge' attr.name='bandwidth_Bps'/>\n"   // 2
    "<graph edgedefault='undirected'>\n"                                                               // 3
    "<node id='s'><data key='k'>switch</data><data key='name'>leaf</data></node>\n"                    // 4
    "<node id='a'><data key='k'>adapter</data><data key='name'>node0 x</data></node>\n"                // 5
    "<node id='b'><data key='k'>adapter</data><data key='name'>node1 x</data></node>\n"                // 6
    "<edge source='a' target='s'><data key='d0'>5e10</data></edge>\n"                                  // 7
    "<edge source='s' target='b'><data key='d0'>5e10</data><data key='source_port'>1</data></edge>\n"  // 8
    "</graph>\n"
    "</graphml>\n";

// The first edge says no port: the leaf's port 1 is taken by the second, so it gets port 2.
TEST(Graphml, OfOthers) {
  const TempFile file(small_graph);
  const Wiring w = read_graphml(file.path());
  ASSERT_EQ(w.cables.size(), 2u);
  EXPECT_EQ(w.cables[0].a.device, 0u);
  EXPECT_EQ(w.cables[0].a.port, 1u);
  EXPECT_EQ(w.cables[0].b.device, 2u);
  EXPECT_EQ(w.cables[1].a.port, 2u);
  EXPECT_EQ(w.cables[1].b.device, 1u);
  EXPECT_EQ(w.cables[1].bandwidth_Bps, 50e9);
  EXPECT_EQ(read_cluster(small_graph).node_count(), 2u);
}

TEST(Graphml, Refused) {
  EXPECT_EQ(graphml_problems("<graphml>\n<graph>\n</graphml>"), "FILE:3: not XML: Start-end tags mismatch");
  EXPECT_EQ(graphml_problems("<platform version='4'/>"),
            "FILE: no <graphml> with a <graph> in it; of XML files GraphML is read");
  EXPECT_EQ(graphml_problems("<graphml><graph/></graphml>"), "FILE: a graph without nodes");
  EXPECT_EQ(graphml_problems(replaced(replaced(small_graph, ">switch<", ">box<"), "5e10", "fast")),
            "FILE:4: node 's' is of kind 'box'; give it a key 'kind' of switch, adapter or router\n"
            "FILE:7: an edge has 's' as its target, and there is no such node\n"
            "FILE:7: bandwidth_Bps is 'fast'; give each edge its bytes per second and direction\n"
            "FILE:8: an edge has 's' as its source, and there is no such node");
  EXPECT_EQ(graphml_problems(replaced(small_graph, "id='b'", "id='a'")),
            "FILE:6: node 'a' is in line 5 too; give each an id of its own\n"
            "FILE:8: an edge has 'b' as its target, and there is no such node");
  EXPECT_EQ(graphml_problems(replaced(small_graph, "<data key='d0'>5e10</data></edge>",
                                      "<data key='d0'>5e10</data><data key='target_port'>1</data></edge>")),
            "FILE:8: port 1 of 'leaf' has a cable already; a port takes one");
  EXPECT_EQ(graphml_problems(replaced(small_graph, "source='a' target='s'", "source='s' target='s'")),
            "FILE:7: an edge joins 'leaf' to itself; remove it");
  EXPECT_EQ(graphml_problems(replaced(small_graph, "source='a' target='s'", "source='b' target='s'")),
            "FILE:5: 'node0 x' and 0 more devices are joined to nothing else; import fabrics one by one");
  for (const char* rate : {"0", "-1", "nan", "inf", "1e300", "1,5", ""})
    EXPECT_NE(graphml_problems(replaced(small_graph, "5e10", rate)), "") << rate;
}

TEST(Graphml, NestedDeeply) {
  std::string deep;
  for (int i = 0; i < 500'000; ++i) deep += "<a>";
  EXPECT_NE(graphml_problems(deep).find("not XML"), std::string::npos);
}

TEST(Graphml, Fuzz) {
  std::mt19937 random(3);
  int refused = 0;
  constexpr int rounds = 1500;
  for (int round = 0; round < rounds; ++round) {
    std::string text = small_graph;
    for (int edits = 0; edits < 2; ++edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(random() % 256);
      else
        text.insert(random() % text.size(), text.substr(at, random() % 60));
    }
    refused += graphml_problems(text).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, rounds / 4);
  EXPECT_LT(refused, rounds);
}

}  // namespace
