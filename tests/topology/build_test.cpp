// Counts of each builder, derived by hand.
#include <gtest/gtest.h>

#include <set>

#include "specs.hpp"
#include "topology/cluster.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

struct Counts {
  std::uint32_t gpus, nodes, nics, leaves, spines, cores, uplinks, core_links;
  bool operator==(const Counts&) const = default;
};
void PrintTo(const Counts& c, std::ostream* out) {
  *out << "gpus " << c.gpus << " nodes " << c.nodes << " nics " << c.nics << " leaves " << c.leaves << " spines "
       << c.spines << " cores " << c.cores << " uplinks " << c.uplinks << " core links " << c.core_links;
}

Counts counts(const Cluster& c) {
  return {c.gpu_count(),
          c.node_count(),
          c.nic_count(),
          c.leaf_count(),
          c.spine_count(),
          c.core_count(),
          c.cable_count(LinkKind::uplink),
          c.cable_count(LinkKind::core_link)};
}

// 64 nodes in leaf groups of 32: 2 groups x 8 rails = 16 leaves of 32 ports down, so 32 uplinks; as many spines, one
// cable each: 16 x 32 = 512 uplink cables.
TEST(Build, RailFatTreeTwoTiers) {
  const Cluster c = build_cluster(rail(64, 32));
  EXPECT_EQ(counts(c), (Counts{512, 64, 512, 16, 32, 0, 512, 0}));
  EXPECT_EQ(c.vertex_count(), 512u + 64 + 512 + 16 + 32);
  EXPECT_EQ(c.arc_count(), 2u * (512 + 512 + 512 + 512));  // nvlink, pcie, access, uplink, both directions
  EXPECT_EQ(c.arcs_between(c.leaf(5), c.spine(31)).size(), 1u);
  // Rail 3 of node 40 (second group) is leaf 8 + 3.
  EXPECT_EQ(c.leaf_of_nic(c.nic(40, 3)), c.leaf(11));
  EXPECT_EQ(c.graph()[c.leaf(11)].local, 3);
}

// 8 nodes, groups of 2, pods of 4: 4 groups x 8 rails = 32 leaves with 2 down, 2 up; 2 pods, each 16 leaves and 2
// spines with 16 cables down, so 16 up; plane j has 16 cores, one cable to spine j of each pod: 32 cores, 4 x 16 = 64
// core cables.
TEST(Build, RailFatTreeWithCores) {
  const Cluster c = build_cluster(rail(8, 2, 4));
  EXPECT_EQ(counts(c), (Counts{64, 8, 64, 32, 4, 32, 64, 64}));
  // Plane 1 (cores 16 .. 31) joins spine 1 of pod 0 and spine 1 of pod 1, which is spine 3.
  EXPECT_EQ(c.arcs_between(c.spine(3), c.core(16)).size(), 1u);
  EXPECT_EQ(c.arcs_between(c.spine(1), c.core(31)).size(), 1u);
  EXPECT_EQ(c.arcs_between(c.spine(2), c.core(16)).size(), 0u);
  EXPECT_EQ(c.arcs_between(c.leaf(0), c.spine(2)).size(), 0u);  // other pod
}

// 16 nodes, 4 a leaf: 4 leaves of 32 ports down. 2:1 oversubscribed: 16 uplinks; 8 spines: 2 cables to each.
TEST(Build, LeafSpineOversubscribedWithParallelCables) {
  ClusterSpec spec = clos(FabricKind::leaf_spine, 16, 4);
  spec.leaf_oversubscription = 2;
  spec.spines = 8;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(counts(c), (Counts{128, 16, 128, 4, 8, 0, 64, 0}));
  EXPECT_EQ(c.arcs_between(c.leaf(3), c.spine(7)).size(), 2u);
  EXPECT_EQ(c.leaf_of_nic(c.nic(15, 0)), c.leaf(3));
  EXPECT_EQ(c.leaf_of_nic(c.nic(12, 7)), c.leaf(3));
}

// Uplinks of 100e9 over access of 50e9 at 1.5:1: 32 x 50 / (100 x 1.5) = 10.67, so 11.
TEST(Build, UplinksRoundUp) {
  ClusterSpec spec = clos(FabricKind::leaf_spine, 8, 4);
  spec.uplink.bandwidth_Bps = 100e9;
  spec.leaf_oversubscription = 1.5;
  EXPECT_EQ(shape_of(spec).leaf_uplinks, 11);
  spec.leaf_oversubscription = 1.6;  // 32 x 50 / 160 = 10 exactly, though 1.6 is not
  EXPECT_EQ(shape_of(spec).leaf_uplinks, 10);
  spec.leaf_oversubscription = 1000;  // a leaf keeps one
  EXPECT_EQ(shape_of(spec).leaf_uplinks, 1);
}

// 12 nodes, 2 a leaf (16 ports down, 16 up), pods of 4: 6 leaves, 3 pods, 2 leaves a pod. 16 spines a pod with 2 cables
// down each; 2:1 at the spine: 1 up. Plane j: 1 core. So 48 spines, 16 cores, 96 uplinks, 48 core links.
TEST(Build, FatTree) {
  ClusterSpec spec = clos(FabricKind::fat_tree, 12, 2, 4);
  spec.spine_oversubscription = 2;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(counts(c), (Counts{96, 12, 96, 6, 48, 16, 96, 48}));
  EXPECT_EQ(c.out_arcs(c.core(0)).size(), 3u);  // one cable per pod
  EXPECT_EQ(c.pod_of(c.gpu(11, 0)), 2u);
  EXPECT_EQ(c.pod_of(c.leaf(3)), 1u);
}

// A spine of 32 leaves has 32 uplinks; 4 cores per spine make 8 parallel cables to each.
TEST(Build, CoresPerSpine) {
  ClusterSpec spec = rail(16, 2, 8);
  spec.cores_per_spine = 4;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(counts(c), (Counts{128, 16, 128, 64, 4, 8, 128, 128}));
  EXPECT_EQ(c.arcs_between(c.spine(0), c.core(3)).size(), 8u);
  EXPECT_EQ(c.arcs_between(c.spine(0), c.core(4)).size(), 0u);
}

TEST(Build, SingleNode) {
  const Cluster c = build_cluster(one_node(8));
  EXPECT_EQ(counts(c), (Counts{8, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(c.arc_count(), 16u);
  EXPECT_EQ(c.rail_of_gpu(5), 0u);
  EXPECT_NO_THROW(build_cluster(one_node(1)));
}

// 70 nodes and 5 spares in groups of 32, pods of 64: 3 groups (32, 32, 11), 2 pods (2 groups, 1 group). Leaves 16 to 23
// have 11 ports down but all 32 up; the spines of pod 1 have 8 leaves below and all 16 cables up.
TEST(Build, PartlyFilledGroupAndPod) {
  ClusterSpec spec = rail(70, 32, 64);
  spec.spares = 5;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(counts(c), (Counts{600, 75, 600, 24, 64, 512, 24 * 32, 64 * 16}));
  EXPECT_EQ(c.out_arcs(c.leaf(23)).size(), 11u + 32);
  EXPECT_EQ(c.out_arcs(c.leaf(15)).size(), 64u);
  EXPECT_EQ(c.out_arcs(c.spine(63)).size(), 8u + 16);
  EXPECT_EQ(c.out_arcs(c.spine(31)).size(), 16u + 16);
}

// A cluster smaller than its leaf is sized for what is there: 4 nodes, 4 ports down a leaf, 4 up.
TEST(Build, SmallerThanALeaf) {
  EXPECT_EQ(counts(build_cluster(rail(4, 32))), (Counts{32, 4, 32, 8, 4, 0, 32, 0}));
}

// 8 GPUs on 4 NICs: GPUs 0, 1 share NIC 0.
TEST(Build, GpusShareNics) {
  ClusterSpec spec = rail(4, 2);
  spec.nics_per_node = 4;
  const Cluster c = build_cluster(spec);
  EXPECT_EQ(counts(c), (Counts{32, 4, 16, 8, 2, 0, 16, 0}));
  EXPECT_EQ(c.nic_of_gpu(c.gpu(3, 5)), c.nic(3, 2));
  EXPECT_EQ(c.out_arcs(c.nic(3, 2)).size(), 3u);
}

TEST(Build, LinksKeepTheirRates) {
  ClusterSpec spec = rail(8, 2, 4);
  spec.uplink = {40e9, 3e-6};
  const Cluster c = build_cluster(spec);
  const ArcId up = c.arcs_between(c.leaf(0), c.spine(0)).first;
  EXPECT_EQ(c.arc(up).kind, LinkKind::uplink);
  EXPECT_EQ(c.bandwidth_Bps(up), 40e9);
  EXPECT_EQ(c.latency_s(c.arc(up).reverse), 3e-6);
  EXPECT_EQ(c.source(up), c.leaf(0));
  EXPECT_EQ(c.target(up), c.spine(0));
  EXPECT_EQ(c.source(c.arc(up).reverse), c.spine(0));
}

TEST(Build, Names) {
  const Cluster c = build_cluster(rail(8, 2, 4));
  EXPECT_EQ(c.name(c.gpu(5, 3)), "node0005/gpu3");
  EXPECT_EQ(c.name(c.nvswitch(5)), "node0005/nvswitch");
  EXPECT_EQ(c.name(c.nic(5, 3)), "node0005/nic3");
  EXPECT_EQ(c.name(c.leaf(19)), "pod1/leaf3");
  EXPECT_EQ(c.name(c.spine(3)), "pod1/spine1");
  EXPECT_EQ(c.name(c.core(7)), "core7");
  EXPECT_EQ(c.arc_name(c.arcs_between(c.nic(0, 3), c.leaf(3)).first), "node0000/nic3 -> pod0/leaf3");

  ClusterSpec parallel = rail(4, 2);
  parallel.spines = 1;
  const Cluster p = build_cluster(parallel);
  EXPECT_EQ(p.arc_name(p.arcs_between(p.leaf(9), p.spine(0)).first + 1), "leaf9 -> spine0 #1");
}

// Every cable once, by its upward arc, ascending, of the right kind.
TEST(Build, CablesOfAKind) {
  ClusterSpec spec = rail(7, 2, 4);
  spec.spines = 1;
  spec.cores_per_spine = 4;
  const Cluster c = build_cluster(spec);
  std::set<ArcId> all;
  for (const LinkKind kind :
       {LinkKind::nvlink, LinkKind::pcie, LinkKind::access, LinkKind::uplink, LinkKind::core_link}) {
    const std::vector<ArcId> cables = c.cables(kind);
    EXPECT_EQ(cables.size(), c.cable_count(kind));
    EXPECT_TRUE(std::is_sorted(cables.begin(), cables.end()));
    for (const ArcId arc : cables) {
      EXPECT_EQ(c.arc(arc).kind, kind) << c.arc_name(arc);
      EXPECT_LT(c.source(arc), c.target(arc));
      EXPECT_TRUE(all.insert(arc).second && all.insert(c.arc(arc).reverse).second);
    }
  }
  EXPECT_EQ(all.size(), c.arc_count());
}

}  // namespace
}  // namespace toposim::topology
