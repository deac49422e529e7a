// Routes hop by hop.
#include "topology/router.hpp"

#include <gtest/gtest.h>

#include <string>

#include "specs.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// "gpu nic leaf3 spine1 ...": the vertices of a route, checked to be connected.
std::string hops(const Cluster& c, const std::vector<ArcId>& route) {
  if (route.empty()) return "";
  std::string text = c.name(c.source(route.front()));
  VertexId at = c.source(route.front());
  for (const ArcId arc : route) {
    EXPECT_EQ(c.source(arc), at);
    at = c.target(arc);
    text += " " + c.name(at);
  }
  return text;
}

class Routes {
 public:
  explicit Routes(const ClusterSpec& spec) : cluster(build_cluster(spec)), router(cluster) {}
  std::string operator()(VertexId src, VertexId dst, std::uint64_t label = 0) const {
    return hops(cluster, router.route(src, dst, label, state));
  }
  VertexId gpu(std::uint32_t node, std::uint32_t local) const { return cluster.gpu(node, local); }

  Cluster cluster;
  Router router;
  FabricState state;
};

TEST(Router, NothingToItself) {
  const Routes r(rail(4, 2));
  EXPECT_EQ(r(5, 5), "");
}

TEST(Router, InsideANodeOverNvlink) {
  EXPECT_EQ(Routes(rail(4, 2))(8, 11), "node0001/gpu0 node0001/nvswitch node0001/gpu3");
  EXPECT_EQ(Routes(one_node(4))(3, 0), "node0000/gpu3 node0000/nvswitch node0000/gpu0");
}

// Nodes 0 and 1 share the leaf of each rail.
TEST(Router, SameRailSameLeaf) {
  const Routes r(rail(4, 2));
  EXPECT_EQ(r(r.gpu(0, 3), r.gpu(1, 3)), "node0000/gpu3 node0000/nic3 leaf3 node0001/nic3 node0001/gpu3");
}

// Node 1 is port 1 on its leaf, which has 2 uplinks: spine 1. Label 1: (1 + 1) mod 2 = spine 0.
TEST(Router, SameRailOverASpine) {
  const Routes r(rail(4, 2));
  EXPECT_EQ(r(r.gpu(1, 3), r.gpu(2, 3)), "node0001/gpu3 node0001/nic3 leaf3 spine1 leaf11 node0002/nic3 node0002/gpu3");
  EXPECT_EQ(r(r.gpu(1, 3), r.gpu(2, 3), 1),
            "node0001/gpu3 node0001/nic3 leaf3 spine0 leaf11 node0002/nic3 node0002/gpu3");
}

// Cross-rail: over NVLink to the GPU of the destination's rail, then on that rail.
TEST(Router, CrossRailRelaysInTheSourceNode) {
  const Routes r(rail(4, 2));
  EXPECT_EQ(r(r.gpu(0, 3), r.gpu(1, 6)),
            "node0000/gpu3 node0000/nvswitch node0000/gpu6 node0000/nic6 leaf6 node0001/nic6 node0001/gpu6");
}

// Two GPUs share a NIC: GPU 1 is on NIC 0, GPU 6 on NIC 3 beside GPU 7; the relay is the one at GPU 1's place, GPU 7.
TEST(Router, CrossRailRelayOnASharedNic) {
  ClusterSpec spec = rail(4, 2);
  spec.nics_per_node = 4;
  const Routes r(spec);
  EXPECT_EQ(r(r.gpu(0, 1), r.gpu(1, 6)),
            "node0000/gpu1 node0000/nvswitch node0000/gpu7 node0000/nic3 leaf3 node0001/nic3 node0001/gpu6");
  EXPECT_EQ(r(r.gpu(0, 7), r.gpu(1, 6)), "node0000/gpu7 node0000/nic3 leaf3 node0001/nic3 node0001/gpu6");
}

// Not rail-optimised: out by the own NIC, in by the destination's. Leaf 0 holds nodes 0 and 1: 16 ports, 16 uplinks;
// node 1's NIC 3 is port 8 + 3 = 11.
TEST(Router, LeafSpine) {
  const Routes r(clos(FabricKind::leaf_spine, 4, 2));
  EXPECT_EQ(r(r.gpu(0, 3), r.gpu(1, 6)), "node0000/gpu3 node0000/nic3 leaf0 node0001/nic6 node0001/gpu6");
  EXPECT_EQ(r(r.gpu(1, 3), r.gpu(2, 6)), "node0001/gpu3 node0001/nic3 leaf0 spine11 leaf1 node0002/nic6 node0002/gpu6");
}

// Pods of 4 nodes, groups of 2. GPU 3 of node 1: leaf 3 of pod 0, port 1, so spine 1; it came in by spine port 3 (leaf
// 3 of its pod), so core 3 of plane 1: 16 + 3 = 19. Down: spine 1 of pod 1, to leaf 3 of the pod for node 5.
TEST(Router, AcrossPodsOverACore) {
  const Routes r(rail(8, 2, 4));
  EXPECT_EQ(r(r.gpu(1, 3), r.gpu(5, 3)),
            "node0001/gpu3 node0001/nic3 pod0/leaf3 pod0/spine1 core19 pod1/spine1 pod1/leaf3 node0005/nic3 "
            "node0005/gpu3");
  EXPECT_EQ(r(r.gpu(1, 3), r.gpu(2, 3)),
            "node0001/gpu3 node0001/nic3 pod0/leaf3 pod0/spine1 pod0/leaf11 node0002/nic3 node0002/gpu3");
}

TEST(Router, FatTreeAcrossPods) {
  const Routes r(clos(FabricKind::fat_tree, 12, 2, 4));
  // Node 2 is the first of pod 0's leaf 1: NIC 5 is port 5, spine 5; plane 5 has 2 cores, and leaf 1 takes the second.
  EXPECT_EQ(r(r.gpu(2, 5), r.gpu(11, 0)),
            "node0002/gpu5 node0002/nic5 pod0/leaf1 pod0/spine5 core11 pod2/spine5 pod2/leaf1 node0011/nic0 "
            "node0011/gpu0");
}

// 32 GPUs, 4 NVSwitches, 32 NICs: leaf 1 is vertex 69.
TEST(Router, EndsMustBeGpus) {
  const Routes r(rail(4, 2));
  try {
    r(0, r.cluster.leaf(1));
    FAIL();
  } catch (const TopologyError& error) {
    EXPECT_STREQ(error.what(), "a route runs between GPUs, which are vertices 0 to 31; 69 is leaf1");
  }
  EXPECT_THROW(r(4000000000u, 0), TopologyError);
}

// Every pair of a partly filled three-tier fabric with parallel cables, both routing modes: the arcs follow one another
// from source to destination (hops() checks) and climb no higher than needed.
TEST(Router, EveryPairIsConnected) {
  for (const RoutingMode mode : {RoutingMode::adaptive, RoutingMode::ecmp}) {
    for (const FabricKind kind : {FabricKind::rail_fat_tree, FabricKind::fat_tree}) {
      ClusterSpec spec = clos(kind, 11, 2, 4);
      spec.gpus_per_node = 4;
      spec.nics_per_node = 2;
      spec.spines = 1;
      spec.cores_per_spine = 2;
      spec.routing = mode;
      const Routes r(spec);
      for (VertexId src = 0; src < r.cluster.gpu_count(); ++src) {
        for (VertexId dst = 0; dst < r.cluster.gpu_count(); ++dst) {
          if (src == dst) continue;
          const std::vector<ArcId> route = r.router.route(src, dst, 3, {});
          ASSERT_EQ(r.cluster.source(route.front()), src);
          ASSERT_EQ(r.cluster.target(route.back()), dst);
          const std::string text = hops(r.cluster, route);
          const bool cores = r.cluster.pod_of(src) != r.cluster.pod_of(dst);
          EXPECT_EQ(text.find("core") != std::string::npos, cores) << text;
        }
      }
    }
  }
}

}  // namespace
}  // namespace toposim::topology
