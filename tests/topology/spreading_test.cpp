// How evenly flows use parallel choices: the properties that router.hpp states for each routing mode.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "specs.hpp"
#include "topology/mix.hpp"
#include "topology/router.hpp"

namespace toposim::topology {
namespace {

using Loads = std::map<ArcId, std::uint32_t>;  // flows by arc, fabric links only

struct Flow {
  VertexId src, dst;
  std::uint64_t label;
};

Loads loads(const Router& router, const std::vector<Flow>& flows, const FabricState& state = {}) {
  Loads result;
  for (const Flow& flow : flows) {
    for (const ArcId arc : router.route(flow.src, flow.dst, flow.label, state)) {
      const LinkKind kind = router.cluster().arc(arc).kind;
      if (kind == LinkKind::uplink || kind == LinkKind::core_link) ++result[arc];
    }
  }
  return result;
}

std::uint32_t highest(const Loads& loads) {
  std::uint32_t most = 0;
  for (const auto& [arc, load] : loads) most = std::max(most, load);
  return most;
}

// Every GPU sends to the same place `shift` nodes further on.
std::vector<Flow> shifted(const Cluster& c, std::uint32_t shift, std::uint64_t label = 0) {
  std::vector<Flow> flows;
  for (std::uint32_t node = 0; node < c.node_count(); ++node) {
    for (std::uint32_t g = 0; g < c.gpus_per_node(); ++g) {
      flows.push_back({c.gpu(node, g), c.gpu((node + shift) % c.node_count(), g), label});
    }
  }
  return flows;
}

// Non-blocking, adaptive: any shift, in any of the fabrics, loads no cable with two flows, cores included.
TEST(Spreading, AdaptiveShiftsDoNotCollide) {
  ClusterSpec parallel = rail(32, 4, 16);
  parallel.spines = 2;
  parallel.cores_per_spine = 8;
  for (const ClusterSpec& spec : {rail(32, 4), rail(32, 4, 16), parallel, clos(FabricKind::leaf_spine, 32, 4),
                                  clos(FabricKind::fat_tree, 32, 4, 8)}) {
    const Cluster c = build_cluster(spec);
    const Router router(c);
    for (std::uint32_t shift = 1; shift < 32; ++shift) {
      EXPECT_EQ(highest(loads(router, shifted(c, shift, shift))), 1u)
          << "fabric " << static_cast<int>(spec.fabric) << " shift " << shift;
    }
  }
}

// Shift by a whole leaf: every flow crosses, and every uplink and downlink of the two tiers carries exactly one.
TEST(Spreading, AdaptiveUsesEveryCable) {
  const Cluster c = build_cluster(rail(32, 4));
  const Loads load = loads(Router(c), shifted(c, 4));
  EXPECT_EQ(load.size(), 2u * c.cable_count(LinkKind::uplink));
  EXPECT_EQ(highest(load), 1u);
}

// 2:1: 4 ports share 2 uplinks, two flows each.
TEST(Spreading, OversubscriptionIsShared) {
  ClusterSpec spec = rail(32, 4);
  spec.leaf_oversubscription = 2;
  const Cluster c = build_cluster(spec);
  const Loads load = loads(Router(c), shifted(c, 4));
  EXPECT_EQ(load.size(), 2u * c.cable_count(LinkKind::uplink));
  for (const auto& [arc, flows] : load) EXPECT_EQ(flows, 2u) << c.arc_name(arc);
}

// Channels of one pair of GPUs spread over all uplinks: 8 labels on 4 uplinks, two each.
TEST(Spreading, LabelsMoveAdaptiveFlows) {
  const Cluster c = build_cluster(rail(8, 4));
  std::vector<Flow> flows;
  for (std::uint64_t label = 0; label < 8; ++label) flows.push_back({c.gpu(1, 0), c.gpu(6, 0), label});
  const Loads load = loads(Router(c), flows);
  EXPECT_EQ(load.size(), 8u);
  for (const auto& [arc, n] : load) EXPECT_EQ(n, 2u) << c.arc_name(arc);
}

// A dead spine of 8: in each leaf one flow of 8 moves to one of the 7 others, so no uplink has more than two, and over
// the 16 leaves of a rail every surviving spine takes 2 or 3 (16 / 7).
TEST(Spreading, AdaptiveSpreadsDisplacedFlows) {
  const Cluster c = build_cluster(rail(128, 8));
  const Router router(c);
  FabricState state;
  state.take_down(c, c.spine(5));
  std::map<std::uint32_t, int> moved;  // spine -> displaced flows of rail 0
  for (std::uint32_t leaf = 0; leaf < 16; ++leaf) {
    const std::uint32_t node = leaf * 8 + 5;
    const auto route = router.route(c.gpu(node, 0), c.gpu((node + 8) % 128, 0), 0, state);
    ++moved[c.target(route[2]) - c.spine(0)];
  }
  ASSERT_EQ(moved.size(), 7u);
  for (const auto& [spine, n] : moved) EXPECT_TRUE(n == 2 || n == 3) << "spine " << spine << " took " << n;
  const Loads load = loads(router, shifted(c, 8), state);
  EXPECT_EQ(highest(load), 2u);
}

// Two dead spines of 8: the two displaced flows of a leaf take different survivors.
TEST(Spreading, AdaptiveKeepsDisplacedFlowsApart) {
  const Cluster c = build_cluster(rail(128, 8));
  FabricState state;
  state.take_down(c, c.spine(2));
  state.take_down(c, c.spine(3));
  for (const auto& [arc, flows] : loads(Router(c), shifted(c, 8), state)) {
    if (c.source(arc) < c.target(arc)) {
      EXPECT_LE(flows, 2u) << c.arc_name(arc);
    }
  }
}

// A dead core: 16 of 16 core cables of each spine are used by a shift between pods; the one flow per spine that loses
// its core doubles up with another.
TEST(Spreading, AdaptiveReplacesADeadCore) {
  const Cluster c = build_cluster(rail(16, 2, 4));
  FabricState state;
  state.take_down(c, c.core(3));
  const Loads load = loads(Router(c), shifted(c, 4), state);
  EXPECT_EQ(highest(load), 2u);
  std::uint32_t doubled = 0;
  for (const auto& [arc, flows] : load) doubled += flows == 2 ? 1 : 0;
  EXPECT_EQ(doubled, 2u * 4);  // up and down, one spine in each of 4 pods; the spines and leaves keep their flows
}

// 2:1 at the spine: 16 cables down, 8 up, so each core cable carries two flows, of leaves l and l + 8. Cores 3 and 4 of
// a plane dead: the four displaced flows of its spine go to four of the six cores left.
TEST(Spreading, AdaptiveKeepsFlowsOfDeadCoresApart) {
  ClusterSpec spec = rail(16, 2, 4);
  spec.spine_oversubscription = 2;
  const Cluster c = build_cluster(spec);
  FabricState state;
  state.take_down(c, c.core(3));
  state.take_down(c, c.core(4));
  const Loads load = loads(Router(c), shifted(c, 4), state);
  EXPECT_EQ(highest(load), 3u);
}

// ECMP: 4096 flows between two leaves of 16 uplinks. A fair hash gives 256 +- 15.5 (binomial) to each; 5 sigma is 78.
TEST(Spreading, EcmpIsFair) {
  ClusterSpec spec = rail(32, 16);
  spec.routing = RoutingMode::ecmp;
  const Cluster c = build_cluster(spec);
  std::vector<Flow> flows;
  for (std::uint32_t i = 0; i < 4096; ++i) flows.push_back({c.gpu(i % 16, 0), c.gpu(16 + i / 16 % 16, 0), i / 256});
  const Loads load = loads(Router(c), flows);
  EXPECT_EQ(load.size(), 32u);  // 16 up, 16 down
  for (const auto& [arc, n] : load) EXPECT_NEAR(n, 256, 78) << c.arc_name(arc);
  // And it collides, as a hash does: 16 flows of a permutation over 16 uplinks leave 16 (1 - 1/16)^16 = 5.7 unused.
  EXPECT_LT(loads(Router(c), shifted(c, 16)).size(), 2u * c.cable_count(LinkKind::uplink));
}

TEST(Spreading, EcmpSeedAndLabelMoveFlows) {
  ClusterSpec spec = rail(32, 16);
  spec.routing = RoutingMode::ecmp;
  const Cluster c = build_cluster(spec);
  const VertexId src = c.gpu(0, 0), dst = c.gpu(16, 0);
  std::map<std::vector<ArcId>, int> by_seed, by_label;
  for (std::uint64_t i = 0; i < 64; ++i) {
    ++by_seed[Router(c, i).route(src, dst, 0, {})];
    ++by_label[Router(c).route(src, dst, i, {})];
    EXPECT_EQ(Router(c, i).route(src, dst, i, {}), Router(c, i).route(src, dst, i, {}));
  }
  // 64 draws of 16: 16 (15/16)^64 = 0.26 are expected to be missed.
  EXPECT_GE(by_seed.size(), 13u);
  EXPECT_GE(by_label.size(), 13u);
}

// The bits of the hash are part of the results: these must not change from machine to machine. SplitMix64 seeded with 0
// outputs 0xe220a8397b1dcdaf first, and 0x6e789e6aa1b965f4 second (state 0x9e3779b97f4a7c15).
TEST(Spreading, HashIsSplitMix64) {
  EXPECT_EQ(mix64(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ULL), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(below(0xffffffff00000000ULL, 10), 9u);
  EXPECT_EQ(below(0x00000000ffffffffULL, 10), 0u);
}

}  // namespace
}  // namespace toposim::topology
