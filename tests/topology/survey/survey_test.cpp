// Figures of small fabrics, counted by hand.
#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "specs.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/survey/asymmetries.hpp"
#include "topology/survey/bisection.hpp"
#include "topology/survey/failure_points.hpp"
#include "topology/survey/picture.hpp"
#include "topology/survey/tier_figures.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::TempFile;

Cluster cluster_of(const FabricText& text) {
  const TempFile file(text.text());
  ImportSpec import;
  import.file = file.path();
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  return build_cluster(spec);
}

// Three leaves of two one-adapter nodes (50e9 B/s each), each with two cables to each of two spines, but for `without`
// cables between leaf2 and spine1.
FabricText three_leaves(std::uint32_t without = 0, const std::string& speed = "4xNDR") {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "leaf2", "spine0", "spine1"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 6; ++n) text.cable(n / 2, text.adapter(fmt::format("node{} mlx5_0", n)));
  for (std::uint32_t leaf = 0; leaf < 3; ++leaf)
    for (std::uint32_t spine = 3; spine < 5; ++spine)
      for (std::uint32_t k = leaf == 2 && spine == 4 ? without : 0; k < 2; ++k)
        text.cable(leaf, spine, leaf == 0 && spine == 3 && k == 0 ? speed : "4xNDR");
  return text;
}

// A leaf has 2 x 50e9 down and 4 x 50e9 up.
TEST(Survey, RegularFabric) {
  const Cluster c = cluster_of(three_leaves());
  EXPECT_TRUE(asymmetries(c).empty());
  const auto tiers = oversubscription(c);
  ASSERT_EQ(tiers.size(), 1u);
  EXPECT_EQ(tiers[0].least, 0.5);
  EXPECT_EQ(tiers[0].most, 0.5);
  EXPECT_EQ(diameter_hops(c), 2u);
  // Nodes 0 to 2 against 3 to 5: three adapters send, three receive.
  EXPECT_EQ(bisection(c).bandwidth_Bps, 150e9);
  EXPECT_EQ(bisection(c).adapters_Bps, 150e9);
  // Without leaf0 only node 2 of the first half sends.
  EXPECT_EQ(bisection(c, c.leaf(0)).bandwidth_Bps, 50e9);
}

// 4 : 1 at the leaves: 8 one-GPU-per-NIC adapters of 50e9 down, 2 uplinks up; half of the nodes is one leaf group.
TEST(Survey, BisectionOfAnOversubscribedFabric) {
  ClusterSpec spec = rail(16, 8);
  spec.leaf_oversubscription = 4;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(bisection(c).adapters_Bps, 8 * 8 * 50e9);
  EXPECT_EQ(bisection(c).bandwidth_Bps, 8 * 2 * 50e9);
  EXPECT_EQ(oversubscription(c)[0].most, 4);
  EXPECT_EQ(diameter_hops(build_cluster(clos(FabricKind::fat_tree, 16, 4, 8))), 4u);
}

TEST(Survey, MissingAndSlowCables) {
  EXPECT_EQ(asymmetries(cluster_of(three_leaves(1))),
            std::vector<std::string>{"leaf2 to spine1: 1 cable, where most pairs have 2"});
  EXPECT_EQ(asymmetries(cluster_of(three_leaves(0, "2xNDR"))),
            std::vector<std::string>{"leaf0 -> spine0 #0: 200 Gbps, where most of its kind have 400"});
}

// 5 of 6 pairs are joined, less than the 90 % of a mesh that is meant to be full: told by the switches' own counts.
TEST(Survey, LeafWithFewerUplinks) {
  EXPECT_EQ(asymmetries(cluster_of(three_leaves(2))),
            (std::vector<std::string>{"leaf2: 2 cables up, where most of their tier have 4",
                                      "spine1: 4 cables down, where most of their tier have 6"}));
}

// Two spines of six leave out a cable to each of three leaves: one line for both.
TEST(Survey, LikeSwitchesShareALine) {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "leaf2", "s1", "s2", "s3", "s4", "s5", "s6"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 3; ++n) text.cable(n, text.adapter(fmt::format("node{} x", n)));
  for (std::uint32_t leaf = 0; leaf < 3; ++leaf)
    for (std::uint32_t spine = 3; spine < 9; ++spine)
      if (spine < 7 || leaf == 0) text.cable(leaf, spine);
  EXPECT_EQ(asymmetries(cluster_of(text)),
            std::vector<std::string>{"s5 and 1 more, to s6: 1 cable down each, where most of their tier have 3"});
}

TEST(Survey, BlastRadius) {
  const auto points = failure_points(cluster_of(three_leaves()));
  ASSERT_EQ(points.size(), 5u);  // switches; no cable is alone
  for (int leaf = 0; leaf < 3; ++leaf) EXPECT_EQ(points[static_cast<std::size_t>(leaf)].blast, (BlastRadius{2, 2, 2}));
  EXPECT_EQ(points[3].blast, (BlastRadius{0, 0, 0}));
  // In a rail fabric a dead leaf takes an adapter of each node, and no node.
  EXPECT_EQ(failure_points(build_cluster(rail(4, 2)))[0].blast, (BlastRadius{2, 2, 0}));
}

// leaf2 hangs on leaf1 by one cable: that cable takes leaf2's nodes down, and leaf1 its own and leaf2's.
TEST(Survey, LoneCableAndCutSwitch) {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "leaf2"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 4; ++n) text.cable(n == 3 ? 2 : n / 2, text.adapter(fmt::format("node{} x", n)));
  text.cable(0, 1);
  text.cable(0, 1);
  text.cable(1, 2);
  const Cluster c = cluster_of(text);
  const auto points = failure_points(c);
  ASSERT_EQ(points.size(), 4u);
  EXPECT_EQ(points[0].blast, (BlastRadius{2, 2, 2}));
  EXPECT_EQ(points[1].blast, (BlastRadius{2, 2, 2}));  // nodes 2 and 3; leaf0's two are the rest
  EXPECT_EQ(points[2].blast, (BlastRadius{1, 1, 1}));
  EXPECT_EQ(points[3].a_switch, c.leaf(1));
  EXPECT_EQ(points[3].other, c.leaf(2));
  EXPECT_EQ(points[3].blast, (BlastRadius{1, 1, 1}));
}

TEST(Survey, Picture) {
  const std::string dot = graphviz(cluster_of(three_leaves(1, "2xNDR")));
  EXPECT_NE(dot.find("n0 [label=\"node0 to node1, 2 nodes\"];"), std::string::npos) << dot;
  EXPECT_NE(dot.find("[label=\"spine1\"];"), std::string::npos);
  // leaf0 is vertex 6 + 6 + 6 = 18, spine0 21: a cable of 400 and one of 200.
  EXPECT_NE(dot.find("v18 -- v21 [label=\"2 of 600 Gbps in all\", color=red];"), std::string::npos) << dot;
  EXPECT_NE(dot.find("v20 -- v22 [label=\"1\"];"), std::string::npos) << dot;
}

}  // namespace
