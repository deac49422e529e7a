// Double binary trees: their shape, what members send, times by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "clusters.hpp"
#include "sim/collectives/binary_tree.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;
using toposim::topology::VertexId;

std::vector<int> children_of(const BinaryTree& tree) {
  std::vector<int> children(tree.parent.size(), 0);
  for (const auto parent : tree.parent)
    if (parent != BinaryTree::no_parent) ++children[parent];
  return children;
}

class Trees : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Trees, SpanAndComplementEachOther) {
  const std::uint32_t n = GetParam();
  const BinaryTree trees[] = {first_tree(n), second_tree(n)};
  for (const BinaryTree& tree : trees) {
    EXPECT_EQ(tree.depth, static_cast<std::uint32_t>(std::ceil(std::log2(n))));
    for (std::uint32_t member = 0; member < n; ++member) {
      EXPECT_EQ(tree.parent[member] == BinaryTree::no_parent, member == tree.root);
      std::uint32_t at = member, edges = 0;  // every way up ends at the root
      while (at != tree.root && edges <= n) at = tree.parent[at], ++edges;
      EXPECT_EQ(at, tree.root);
      EXPECT_LE(edges, tree.depth);
    }
  }
  const auto first = children_of(trees[0]), second = children_of(trees[1]);
  for (std::uint32_t member = 0; member < n; ++member) {
    EXPECT_LE(first[member], 2);
    if (n % 2 == 0 || member != 0)
      EXPECT_TRUE(first[member] == 0 || second[member] == 0) << member << " is an inner member of both";
    else
      EXPECT_LE(first[0] + second[0], 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Trees, testing::Values(1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 100, 127, 128, 129));

// Nobody sends or receives more than 2 S in an all-reduce, and each edge carries S/2 each way. Alone, nothing is sent.
TEST_P(Trees, AllReduceSendsAtMostTwiceTheBuffer) {
  const std::uint32_t n = GetParam();
  Fabric fabric(hand_spec(n, 1));
  const auto made = plan({CollectiveKind::all_reduce, {fabric.everyone()}, 100}, Algorithm::double_binary_tree,
                         fabric.cluster, by_hand());
  ASSERT_EQ(made.phases.size(), n == 1 ? 0u : 1u);
  if (n == 1) return;
  std::map<VertexId, double> sent, received;
  for (const Flow& flow : made.phases[0].flows) {
    EXPECT_EQ(flow.bytes, 50);
    sent[flow.src] += flow.bytes;
    received[flow.dst] += flow.bytes;
  }
  EXPECT_EQ(made.phases[0].flows.size(), 4 * (n - 1));
  for (const auto* bytes : {&sent, &received})
    for (const auto& [gpu, total] : *bytes) EXPECT_LE(total, 200) << gpu;
}

// 128 nodes, one GPU each, S = 1e9: inner members send 2 S / 50e9 = 40 ms; up and down seven levels, 14 x 2 us, instead
// of a ring's 254. Latency is all that differs much: a ring takes 39.688 + 0.508 ms.
TEST(DoubleBinaryTree, LatencyOfTheLogarithm) {
  Fabric fabric(hand_spec(128, 1));
  const auto time = fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::double_binary_tree);
  EXPECT_NEAR(time.total_s, 40e-3 + 28e-6, 1e-9);
  EXPECT_NEAR(time.latency_s, 28e-6, 1e-12);
}

// Two nodes of four, S = 1e9. Between nodes: per channel both trees are one edge, S/8 each way in each: each NIC sends
// S/4 / 50e9 = 5 ms in 2 rounds. Inside: four chains of three hops, S/4 each way; the GPU in the middle of a chain
// sends both ways, at an end one way: 3 chains x 2 x S/4... by GPU: as an end of two chains 2 x S/4, inside of two
// chains 4 x S/4, 1.5 S / 450e9 = 3.333 ms in 6 rounds. A chunk (4 MiB) of the shorter comes on top.
TEST(DoubleBinaryTree, ChainsInsideNodes) {
  Fabric fabric(hand_spec(2, 4));
  const auto time = fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::double_binary_tree);
  EXPECT_NEAR(time.total_s, 5e-3 + 1.5e9 / 450e9 * 4194304.0 / 1e9 + 6 * 0.5e-6 + 2 * 2e-6, 1e-12);
}

// Broadcast from GPU 5 over four nodes of one: its leader feeds two trees of three, S/2 each: it sends S, and so does
// an inner member of one tree: 20 ms. Depth of three members is two, and one edge more: 3 x 2 us.
TEST(DoubleBinaryTree, Broadcast) {
  Fabric fabric(hand_spec(4, 1));
  const auto time = fabric.time({CollectiveKind::broadcast, {{1, 0, 2, 3}}, 1e9}, Algorithm::double_binary_tree);
  EXPECT_NEAR(time.total_s, 20e-3 + 6e-6, 1e-12);
  Fabric eight(hand_spec(2, 4));
  const auto made = plan({CollectiveKind::broadcast, {{5, 0, 1, 2, 3, 4, 6, 7}}, 100}, Algorithm::double_binary_tree,
                         eight.cluster, by_hand());
  std::map<VertexId, double> received;  // everybody but the root gets each of the four quarters once, from somewhere
  for (const Phase& phase : made.phases)
    for (const Flow& flow : phase.flows) received[flow.dst] += flow.bytes;
  for (VertexId gpu = 0; gpu < 8; ++gpu) EXPECT_EQ(received[gpu], gpu == 5 ? 0 : 100) << gpu;
}

}  // namespace
