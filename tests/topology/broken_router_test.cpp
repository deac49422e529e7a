// Routes around dead cables, switches and ports.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "specs.hpp"
#include "topology/error.hpp"
#include "topology/router.hpp"

namespace toposim::topology {
namespace {

bool uses(const Cluster& c, const std::vector<ArcId>& route, VertexId v) {
  return std::any_of(route.begin(), route.end(), [&](ArcId a) { return c.target(a) == v; });
}

bool all_alive(const FabricState& state, const std::vector<ArcId>& route) {
  return std::none_of(route.begin(), route.end(), [&](ArcId a) { return state.down(a); });
}

std::string error_of(const Router& router, VertexId src, VertexId dst, const FabricState& state) {
  try {
    router.route(src, dst, 0, state);
  } catch (const TopologyError& error) {
    return error.what();
  }
  return "no error";
}

class BrokenRouter : public testing::TestWithParam<RoutingMode> {
 protected:
  ClusterSpec with_mode(ClusterSpec spec) const {
    spec.routing = GetParam();
    return spec;
  }
};
INSTANTIATE_TEST_SUITE_P(Modes, BrokenRouter, testing::Values(RoutingMode::adaptive, RoutingMode::ecmp),
                         [](const auto& mode) { return mode.param == RoutingMode::adaptive ? "adaptive" : "ecmp"; });

// A flow keeps its route when something it does not use dies, and leaves it when something it uses does.
TEST_P(BrokenRouter, DeadSpineDisplacesOnlyItsFlows) {
  const Cluster c = build_cluster(with_mode(rail(64, 8)));
  const Router router(c);
  FabricState state;
  state.take_down(c, c.spine(3));
  int displaced = 0;
  for (std::uint32_t node = 0; node < 64; ++node) {
    const VertexId src = c.gpu(node, 2);
    const VertexId dst = c.gpu((node + 8) % 64, 2);
    const std::vector<ArcId> before = router.route(src, dst, 0, {});
    const std::vector<ArcId> after = router.route(src, dst, 0, state);
    ASSERT_TRUE(all_alive(state, after));
    ASSERT_EQ(after.size(), before.size());
    if (uses(c, before, c.spine(3))) {
      ++displaced;
    } else {
      EXPECT_EQ(after, before);
    }
  }
  EXPECT_GT(displaced, 0);
}

TEST_P(BrokenRouter, DeadCoreAndDeadCables) {
  ClusterSpec spec = with_mode(rail(16, 2, 4));
  spec.cores_per_spine = 8;  // 16 cables a spine: 2 to each core
  const Cluster c = build_cluster(spec);
  const Router router(c);
  FabricState state;
  for (const std::uint32_t core : {0u, 3u, 4u, 5u, 6u, 9u}) state.take_down(c, c.core(core));
  const std::vector<ArcId> core_links = c.cables(LinkKind::core_link);
  for (std::size_t i = 0; i < core_links.size(); i += 5) state.set_cable(c, core_links[i], 0);
  // One direction only: down from spine 0 to leaf 7 of pod 0.
  state.set_arc(c.arcs_between(c.spine(0), c.leaf(7)).first, 0);
  for (VertexId src = 0; src < c.gpu_count(); ++src) {
    for (VertexId dst = 0; dst < c.gpu_count(); dst += 3) {
      if (src == dst) continue;
      const std::vector<ArcId> route = router.route(src, dst, src + dst, state);
      ASSERT_TRUE(all_alive(state, route));
      ASSERT_EQ(c.source(route.front()), src);
      ASSERT_EQ(c.target(route.back()), dst);
    }
  }
}

// The last path standing is found: of 4 spines and 4 cores per plane, one chain of cables is left.
TEST_P(BrokenRouter, LastPathIsFound) {
  ClusterSpec spec = with_mode(rail(16, 4, 8));
  spec.gpus_per_node = spec.nics_per_node = 2;
  const Cluster c = build_cluster(spec);
  ASSERT_EQ(c.spine_count(), 8u);  // 4 a pod
  ASSERT_EQ(c.core_count(), 16u);  // 4 leaves a pod, so 4 cores a plane
  const Router router(c);
  const VertexId src = c.gpu(0, 1), dst = c.gpu(15, 1);
  const VertexId leaf_out = c.leaf_of_nic(c.nic(0, 1)), leaf_in = c.leaf_of_nic(c.nic(15, 1));
  for (std::uint32_t plane = 0; plane < 4; ++plane) {
    for (std::uint32_t core = 0; core < 4; ++core) {
      FabricState state;
      for (std::uint32_t other = 0; other < 16; ++other) {
        if (other != plane * 4 + core) state.take_down(c, c.core(other));
      }
      const std::vector<ArcId> route = router.route(src, dst, 0, state);
      EXPECT_TRUE(uses(c, route, c.core(plane * 4 + core)));
      EXPECT_TRUE(all_alive(state, route));
      // Without the last cable down: no route, though everything else is up.
      state.set_arc(c.arcs_between(c.spine(4 + plane), leaf_in).first, 0);
      EXPECT_EQ(error_of(router, src, dst, state),
                "no route from node0000/gpu1 to node0015/gpu1: every up/down path is cut");
    }
  }
  FabricState state;
  for (std::uint32_t plane = 1; plane < 4; ++plane) {
    state.set_arc(c.arcs_between(leaf_out, c.spine(plane)).first, 0);
  }
  EXPECT_TRUE(uses(c, router.route(src, dst, 0, state), c.spine(0)));
}

TEST_P(BrokenRouter, DeadLeafCutsItsRail) {
  const Cluster c = build_cluster(with_mode(rail(8, 2)));
  const Router router(c);
  FabricState state;
  state.take_down(c, c.leaf(3));  // rail 3 of nodes 0 and 1
  EXPECT_EQ(error_of(router, c.gpu(0, 3), c.gpu(5, 3), state),
            "no route from node0000/gpu3 to node0005/gpu3: every up/down path is cut; node0000/nic3 -> leaf3 is down "
            "(cluster.port_failover would use the node's other NICs)");
  EXPECT_TRUE(all_alive(state, router.route(c.gpu(4, 3), c.gpu(7, 3), 0, state)));
  // Another rail's GPU of node 0 cannot relay to GPU 3, but uses its own NIC, and the spine.
  const std::vector<ArcId> own = router.route(c.gpu(0, 1), c.gpu(5, 3), 0, state);
  EXPECT_TRUE(all_alive(state, own));
  EXPECT_TRUE(uses(c, own, c.nic(0, 1)));
}

// With port_failover the node goes on over its other NICs, rail by rail; displaced flows of different nodes take
// different rails.
TEST_P(BrokenRouter, PortFailover) {
  ClusterSpec spec = with_mode(rail(16, 16));
  spec.port_failover = true;
  const Cluster c = build_cluster(spec);
  const Router router(c);
  FabricState state;
  state.take_down(c, c.leaf(3));
  std::set<VertexId> leaves;
  for (std::uint32_t node = 0; node < 7; ++node) {
    const std::vector<ArcId> route = router.route(c.gpu(node, 3), c.gpu(node + 1, 3), 0, state);
    EXPECT_TRUE(all_alive(state, route));
    // GPU, NVSwitch, relay, NIC, leaf, NIC, relay, NVSwitch, GPU: one leaf, no spine.
    ASSERT_EQ(route.size(), 8u);
    leaves.insert(c.target(route[3]));
  }
  EXPECT_EQ(leaves.size(), 7u);
}

TEST_P(BrokenRouter, PortFailoverInLeafSpine) {
  ClusterSpec spec = with_mode(clos(FabricKind::leaf_spine, 4, 2));
  spec.port_failover = true;
  const Cluster c = build_cluster(spec);
  const Router router(c);
  FabricState state;
  state.take_down(c, c.nic(0, 3));
  const std::vector<ArcId> out = router.route(c.gpu(0, 3), c.gpu(2, 6), 0, state);
  EXPECT_TRUE(all_alive(state, out));
  EXPECT_TRUE(uses(c, out, c.nic(2, 6)));  // the end that works stays as it was
  const std::vector<ArcId> in = router.route(c.gpu(2, 6), c.gpu(0, 3), 0, state);
  EXPECT_TRUE(all_alive(state, in));
  EXPECT_TRUE(uses(c, in, c.nic(2, 6)));
  for (std::uint32_t nic = 0; nic < 8; ++nic) state.take_down(c, c.nic(0, nic));
  EXPECT_EQ(error_of(router, c.gpu(0, 3), c.gpu(2, 6), state),
            "no route from node0000/gpu3 to node0002/gpu6: every up/down path is cut; node0000/nic3 -> leaf0 is down");
}

// NVLink is dead for one GPU: inside the node it goes out over its NIC and the fabric.
TEST_P(BrokenRouter, DeadNvlink) {
  const Cluster c = build_cluster(with_mode(rail(8, 2)));
  const Router router(c);
  FabricState state;
  state.set_cable(c, c.arcs_between(c.gpu(0, 3), c.nvswitch(0)).first, 0);
  const std::vector<ArcId> route = router.route(c.gpu(0, 3), c.gpu(0, 5), 0, state);
  EXPECT_TRUE(all_alive(state, route));
  EXPECT_TRUE(uses(c, route, c.nic(0, 5)));
  const Cluster alone = build_cluster(one_node(8));
  FabricState dead;
  dead.take_down(alone, alone.nvswitch(0));
  EXPECT_EQ(error_of(Router(alone), 0, 5, dead),
            "no route from node0000/gpu0 to node0000/gpu5: every up/down path is cut");
}

// Degraded is not dead: the route stays.
TEST_P(BrokenRouter, DegradedLinksAreUsed) {
  const Cluster c = build_cluster(with_mode(rail(4, 2)));
  const Router router(c);
  const std::vector<ArcId> before = router.route(c.gpu(1, 3), c.gpu(2, 3), 0, {});
  FabricState state;
  for (const ArcId arc : before) state.set_arc(arc, 0.01);
  EXPECT_EQ(router.route(c.gpu(1, 3), c.gpu(2, 3), 0, state), before);
}

}  // namespace
}  // namespace toposim::topology
