// Orders and loads of rings; groups of any shape.
#include "sim/collectives/ring.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "clusters.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;
using toposim::topology::VertexId;

/// Local indices at which each hop between nodes leaves and enters.
std::vector<std::pair<std::uint32_t, std::uint32_t>> crossings(const Fabric& fabric,
                                                               const std::vector<VertexId>& order) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const VertexId a = order[i], b = order[(i + 1) % order.size()];
    if (fabric.cluster.node_of(a) != fabric.cluster.node_of(b)) found.emplace_back(a % 4, b % 4);
  }
  return found;
}

class RingOrder : public testing::TestWithParam<std::int64_t> {};

// Every GPU once, each node entered and left once, on the same rail; over the four rings each rail of a node is left
// once and entered once.
TEST_P(RingOrder, StaysOnRails) {
  Fabric fabric(hand_spec(GetParam(), 4));
  const GroupShape group(fabric.cluster, fabric.everyone());
  std::map<VertexId, int> left, entered;
  for (std::uint32_t channel = 0; channel < 4; ++channel) {
    const auto order = ring_order(group, channel);
    EXPECT_EQ(std::set<VertexId>(order.begin(), order.end()).size(), fabric.cluster.gpu_count());
    const auto hops = crossings(fabric, order);
    EXPECT_EQ(hops.size(), static_cast<std::size_t>(GetParam()));
    for (const auto& [out, in] : hops) EXPECT_EQ(out, in);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const VertexId a = order[i], b = order[(i + 1) % order.size()];
      if (fabric.cluster.node_of(a) == fabric.cluster.node_of(b)) continue;
      ++left[a];
      ++entered[b];
    }
  }
  for (const auto* uses : {&left, &entered}) {
    EXPECT_EQ(uses->size(), fabric.cluster.gpu_count());
    for (const auto& [gpu, times] : *uses) EXPECT_EQ(times, 1) << fabric.cluster.name(gpu);
  }
}

INSTANTIATE_TEST_SUITE_P(EvenAndOdd, RingOrder, testing::Values(2, 3, 4, 7, 8));

// Two GPUs on each of three nodes: no order keeps to rails, one hop changes them, none is lost.
TEST(RingOrderOdd, TwoPerNode) {
  Fabric fabric(hand_spec(3, 4));
  const std::vector<VertexId> members{0, 1, 4, 5, 8, 9};
  const auto order = ring_order(GroupShape(fabric.cluster, members), 0);
  EXPECT_EQ(std::set<VertexId>(order.begin(), order.end()).size(), members.size());
  int changes = 0;
  for (const auto& [out, in] : crossings(fabric, order)) changes += out != in;
  EXPECT_EQ(changes, 1);
}

// The ranks of a group may come in any order: the ring goes from node to node.
TEST(RingOrderOdd, RankOrderDoesNotMatter) {
  Fabric fabric(hand_spec(4, 4));
  EXPECT_EQ(ring_order(GroupShape(fabric.cluster, std::vector<VertexId>{12, 0, 8, 4}), 0),
            (std::vector<VertexId>{0, 4, 8, 12}));
}

// S = 1e9 over four nodes of one member each, all on rail 0: 2 x 3/4 S / 50e9 = 30 ms, 6 rounds of 2 us. Reduce-scatter
// and all-gather half of that. Broadcast: a chain of three hops, S / 50e9 = 20 ms and 6 us.
TEST(Ring, OnePerNode) {
  Fabric fabric(hand_spec(4, 4));
  const std::vector<std::vector<VertexId>> groups{{8, 0, 4, 12}};
  EXPECT_NEAR(fabric.time({CollectiveKind::all_reduce, groups, 1e9}, Algorithm::ring).total_s, 30.012e-3, 1e-12);
  EXPECT_NEAR(fabric.time({CollectiveKind::reduce_scatter, groups, 1e9}, Algorithm::ring).total_s, 15.006e-3, 1e-12);
  EXPECT_NEAR(fabric.time({CollectiveKind::all_gather, groups, 1e9}, Algorithm::ring).total_s, 15.006e-3, 1e-12);
  EXPECT_NEAR(fabric.time({CollectiveKind::broadcast, groups, 1e9}, Algorithm::ring).total_s, 20.006e-3, 1e-12);
  const auto chain = plan({CollectiveKind::broadcast, groups, 1e9}, Algorithm::ring, fabric.cluster, by_hand());
  ASSERT_EQ(chain.phases.at(0).flows.size(), 3u);
  EXPECT_EQ(chain.phases[0].flows.front().src, 8u);  // the root
}

// Two groups at once on different rails do not disturb each other; on one rail of one node they share its NIC.
TEST(Ring, GroupsAtTheSameTime) {
  Fabric fabric(hand_spec(2, 4));
  const auto apart = fabric.time({CollectiveKind::all_reduce, {{0, 4}, {1, 5}}, 1e9}, Algorithm::ring);
  EXPECT_NEAR(apart.total_s, 20e-3 + 4e-6, 1e-12);  // n = 2: S / 50e9, two rounds
  auto spec = hand_spec(2, 4);
  spec.nics_per_node = 1;
  spec.pcie.bandwidth_Bps = 1e12;
  Fabric shared(spec);
  EXPECT_NEAR(shared.time({CollectiveKind::all_reduce, {{0, 4}, {1, 5}}, 1e9}, Algorithm::ring).total_s, 40e-3 + 4e-6,
              1e-12);
}

TEST(Ring, GroupOfOneTakesNoTime) {
  Fabric fabric(hand_spec(2, 4));
  for (const auto algorithm : applicable({CollectiveKind::all_reduce, {{3}, {5}}, 1e9}, fabric.cluster)) {
    const auto time = fabric.time({CollectiveKind::all_reduce, {{3}, {5}}, 1e9}, algorithm, LatencySpec{});
    EXPECT_EQ(time.total_s, 0) << to_string(algorithm);
    EXPECT_EQ(time.busbw_Bps, 0);
  }
}

}  // namespace
