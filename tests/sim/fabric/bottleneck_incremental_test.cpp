// The incremental solve against the fresh one, on random fabrics, states and memberships.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "sim/fabric/bottleneck_prepared.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "topology/error.hpp"

namespace {

using namespace toposim::sim;
using namespace toposim::topology;

ClusterSpec spec_of(FabricKind kind, RoutingMode routing, bool failover) {
  ClusterSpec spec;
  spec.fabric = kind;
  spec.nodes = 16;
  spec.gpus_per_node = spec.nics_per_node = 4;
  spec.nodes_per_leaf = 4;
  if (kind != FabricKind::leaf_spine) spec.nodes_per_pod = 8;
  spec.uplink = {50e9, 0.3e-6};
  spec.core_link = {50e9, 0.7e-6};
  spec.routing = routing;
  spec.port_failover = failover;
  return spec;
}

class Draw {
 public:
  explicit Draw(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  double unit() { return static_cast<double>(engine_() % 1000000) / 1e6; }

  Phase phase(const Cluster& cluster) {
    Phase made{.name = "random", .flows = {}, .arc_flows = {}, .rounds = 1.0 + below(20), .round_overhead_s = 1e-6};
    const std::uint32_t gpus = cluster.gpu_count(), shift = 1 + below(gpus - 1);
    const bool equal = below(2) == 0;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
      made.flows.push_back({gpu, (gpu + shift) % gpus, equal ? 1e9 : 1e6 * (1 + below(1000)), below(3)});
    for (std::uint32_t i = below(4); i > 0; --i)
      made.arc_flows.push_back({cluster.cables(LinkKind::access)[below(cluster.nic_count())], 1e9 * unit()});
    return made;
  }

  FabricState state(const Cluster& cluster) {
    FabricState state;
    for (std::uint32_t i = below(3); i > 0; --i)
      state.take_down(cluster,
                      below(2) ? cluster.spine(below(cluster.spine_count())) : cluster.gpu(below(16), below(4)));
    const auto uplinks = cluster.cables(LinkKind::uplink);
    for (std::uint32_t i = below(6); i > 0; --i)
      state.set_cable(cluster, uplinks[below(static_cast<std::uint32_t>(uplinks.size()))], below(2) ? 0 : unit());
    const auto access = cluster.cables(LinkKind::access);
    for (std::uint32_t i = below(3); i > 0; --i)
      state.set_arc(access[below(static_cast<std::uint32_t>(access.size()))], below(3) ? unit() : 0);
    return state;
  }

  MembershipDelta delta(const Phase& phase, const Cluster& cluster) {
    MembershipDelta made;
    if (below(3) == 0) return made;
    for (std::uint32_t flow = 0; flow < phase.flows.size(); ++flow)
      if (below(8) == 0) made.removed.push_back(flow);
    std::shuffle(made.removed.begin(), made.removed.end(), engine_);
    for (std::uint32_t i = below(6); i > 0; --i)
      made.added.push_back({below(cluster.gpu_count()), below(cluster.gpu_count()), 1e9 * unit(), below(3)});
    made.byte_scale = 0.5 + unit();
    if (below(2)) made.rounds = below(30);
    return made;
  }

 private:
  std::mt19937 engine_;
};

struct Case {
  FabricKind kind;
  RoutingMode routing;
  bool failover;
};

class Incremental : public testing::TestWithParam<Case> {};

TEST_P(Incremental, EqualsTheFreshSolve) {
  const Cluster cluster = build_cluster(spec_of(GetParam().kind, GetParam().routing, GetParam().failover));
  const Router router(cluster);
  const auto fresh = make_bottleneck_model(router);
  Draw draw(20240607);
  int solved = 0, cut = 0;
  for (int p = 0; p < 12; ++p) {
    const PreparedPhase prepared(router, draw.phase(cluster));
    for (int s = 0; s < 60; ++s) {
      const FabricState state = draw.state(cluster);
      const MembershipDelta delta = draw.delta(prepared.phase(), cluster);
      PhaseTime expected;
      try {
        expected = fresh->solve(apply(prepared.phase(), delta), state);
      } catch (const TopologyError&) {
        EXPECT_THROW(solve_incremental(prepared, state, delta), TopologyError);
        ++cut;
        continue;
      }
      const PhaseTime got = solve_incremental(prepared, state, delta);
      ASSERT_NEAR(got.transfer_s, expected.transfer_s, 1e-12 * expected.transfer_s) << "phase " << p << " state " << s;
      ASSERT_NEAR(got.latency_s, expected.latency_s, 1e-12 * expected.latency_s) << "phase " << p << " state " << s;
      ASSERT_EQ(got.busiest_arc, expected.busiest_arc) << "phase " << p << " state " << s;
      ++solved;
    }
  }
  EXPECT_GT(solved, 100);  // neither outcome is rare, so that both are tested
  EXPECT_GT(cut, 10);
}

// What both rest on: a flow whose healthy route is alive takes it in any state.
TEST_P(Incremental, LiveRoutesAreKept) {
  const Cluster cluster = build_cluster(spec_of(GetParam().kind, GetParam().routing, GetParam().failover));
  const Router router(cluster);
  Draw draw(7);
  int kept = 0;
  for (int s = 0; s < 100; ++s) {
    const FabricState state = draw.state(cluster);
    for (int f = 0; f < 50; ++f) {
      const VertexId src = draw.below(cluster.gpu_count()), dst = draw.below(cluster.gpu_count());
      const std::uint64_t label = draw.below(3);
      const auto usual = router.route(src, dst, label, {});
      if (std::any_of(usual.begin(), usual.end(), [&](ArcId arc) { return state.down(arc); })) continue;
      ASSERT_EQ(router.route(src, dst, label, state), usual) << cluster.name(src) << " to " << cluster.name(dst);
      ++kept;
    }
  }
  EXPECT_GT(kept, 1000);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const Case& c = info.param;
  const std::string kind = c.kind == FabricKind::rail_fat_tree ? "rail_fat_tree"
                           : c.kind == FabricKind::fat_tree    ? "fat_tree"
                                                               : "leaf_spine";
  return kind + (c.routing == RoutingMode::ecmp ? "_ecmp" : "_adaptive") + (c.failover ? "_failover" : "");
}

INSTANTIATE_TEST_SUITE_P(Fabrics, Incremental,
                         testing::Values(Case{FabricKind::rail_fat_tree, RoutingMode::adaptive, true},
                                         Case{FabricKind::rail_fat_tree, RoutingMode::ecmp, false},
                                         Case{FabricKind::fat_tree, RoutingMode::ecmp, true},
                                         Case{FabricKind::fat_tree, RoutingMode::adaptive, false},
                                         Case{FabricKind::leaf_spine, RoutingMode::ecmp, true},
                                         Case{FabricKind::leaf_spine, RoutingMode::adaptive, false}),
                         case_name);

MembershipDelta removing(std::vector<std::uint32_t> flows) {
  MembershipDelta delta;
  delta.removed = std::move(flows);
  return delta;
}

TEST(IncrementalSolve, NobodyLeft) {
  const Cluster cluster = build_cluster(spec_of(FabricKind::leaf_spine, RoutingMode::ecmp, false));
  const Router router(cluster);
  const PreparedPhase prepared(router, {.name = "pair", .flows = {{0, 4, 1e9, 0}, {4, 0, 1e9, 0}}, .arc_flows = {}});
  EXPECT_GT(solve_incremental(prepared, {}).total_s(), 0);
  EXPECT_EQ(solve_incremental(prepared, {}, removing({0, 1})).total_s(), 0);
}

// One flow crosses spines (2 x 1 us access, 2 x 0.3 us uplinks), the other stays on its leaf (2 us). Without the first,
// the slowest route left is 2 us; with a third in its place it is 2.6 us again. Rounds as the delta says.
TEST(IncrementalSolve, SlowestRouteOfThoseLeft) {
  const Cluster cluster = build_cluster(spec_of(FabricKind::leaf_spine, RoutingMode::ecmp, false));
  const Router router(cluster);
  const PreparedPhase prepared(router, {.name = "two", .flows = {{0, 16, 1e9, 0}, {0, 4, 1e9, 0}}, .arc_flows = {}});
  EXPECT_NEAR(solve_incremental(prepared, {}).latency_s, 2.6e-6, 1e-15);
  MembershipDelta delta = removing({0});
  EXPECT_NEAR(solve_incremental(prepared, {}, delta).latency_s, 2e-6, 1e-15);
  delta.added.push_back({4, 20, 1, 0});
  delta.rounds = 3;
  EXPECT_NEAR(solve_incremental(prepared, {}, delta).latency_s, 7.8e-6, 1e-15);
}

TEST(IncrementalSolve, RefusesWhatIsNotThere) {
  const Cluster cluster = build_cluster(spec_of(FabricKind::leaf_spine, RoutingMode::ecmp, false));
  const Router router(cluster);
  const PreparedPhase prepared(router, {.name = "pair", .flows = {{0, 4, 1e9, 0}, {4, 0, 1e9, 0}}, .arc_flows = {}});
  EXPECT_THROW(solve_incremental(prepared, {}, removing({2})), std::invalid_argument);
  EXPECT_THROW(solve_incremental(prepared, {}, removing({1, 1})), std::invalid_argument);
  EXPECT_THROW(apply(prepared.phase(), removing({2})), std::invalid_argument);
  EXPECT_THROW(apply(prepared.phase(), removing({1, 1})), std::invalid_argument);
}

}  // namespace
