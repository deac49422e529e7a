// Blast radius by hand on a rail-optimised fabric: 4 nodes (one of them a spare) of 4 GPUs and 2 NICs, leaves of 2
// nodes. So leaves 0, 1 are rails 0, 1 of nodes 0, 1; leaves 2, 3 those of nodes 2, 3; 2 uplinks a leaf to 2 spines.
#include "faults/impact.hpp"

#include <gtest/gtest.h>

#include "faults/error.hpp"
#include "topology/router.hpp"

namespace toposim::faults {
namespace {

using topology::Cluster;
using topology::ClusterSpec;
using topology::LinkKind;
using Nodes = std::vector<std::uint32_t>;
using Cables = std::vector<std::pair<topology::ArcId, double>>;
using SlowNodes = std::vector<std::pair<std::uint32_t, double>>;

ClusterSpec small_rails() {
  ClusterSpec spec;
  spec.fabric = topology::FabricKind::rail_fat_tree;
  spec.nodes = 3;
  spec.spares = 1;
  spec.gpus_per_node = 4;
  spec.nics_per_node = 2;
  spec.nodes_per_leaf = 2;
  return spec;
}

/// The same nodes, every NIC of two nodes on one leaf.
ClusterSpec small_leaf_spine() {
  ClusterSpec spec = small_rails();
  spec.fabric = topology::FabricKind::leaf_spine;
  return spec;
}

ClusterSpec with_failover(ClusterSpec spec) {
  spec.port_failover = true;
  return spec;
}

FaultClassSpec fault_class(Component component, FaultKind kind = FaultKind::fail_stop, double mtbf_s = 1e6) {
  FaultClassSpec c;
  c.name = to_string(component);
  c.component = component;
  c.kind = kind;
  c.slow_factor = kind == FaultKind::fail_slow ? 0.25 : 1;
  c.mtbf_s = mtbf_s;
  c.repair = {RepairShape::constant, 1, 0};
  return c;
}

Impact impact(const Cluster& cluster, Component component, std::uint32_t index, FaultKind kind = FaultKind::fail_stop) {
  return impact_of({0, 1, 0, index, 0}, {"", {fault_class(component, kind)}}, cluster);
}

topology::ArcId up(const Cluster& cluster, topology::VertexId from, topology::VertexId to) {
  const auto arcs = cluster.arcs_between(from, to);
  EXPECT_EQ(arcs.size(), 1u) << cluster.name(from) << " " << cluster.name(to);
  return arcs.first;
}

TEST(ComponentCount, OfEveryKind) {
  const Cluster two_tiers = build_cluster(small_rails());
  EXPECT_EQ(component_count(Component::gpu, two_tiers), 16u);
  EXPECT_EQ(component_count(Component::node, two_tiers), 4u);
  EXPECT_EQ(component_count(Component::nic, two_tiers), 8u);
  EXPECT_EQ(component_count(Component::access_cable, two_tiers), 8u);
  EXPECT_EQ(component_count(Component::uplink_cable, two_tiers), 8u);
  EXPECT_EQ(component_count(Component::core_cable, two_tiers), 0u);
  EXPECT_EQ(component_count(Component::leaf, two_tiers), 4u);
  EXPECT_EQ(component_count(Component::spine, two_tiers), 2u);
  EXPECT_EQ(component_count(Component::core, two_tiers), 0u);
  EXPECT_EQ(component_count(Component::job, two_tiers), 1u);

  ClusterSpec alone;
  alone.fabric = topology::FabricKind::single_node;
  alone.nodes = 1;
  const Cluster single = build_cluster(alone);
  EXPECT_EQ(component_count(Component::gpu, single), 8u);
  EXPECT_EQ(component_count(Component::nic, single), 0u);
  EXPECT_EQ(component_count(Component::access_cable, single), 0u);
  EXPECT_EQ(component_count(Component::leaf, single), 0u);
}

TEST(Impact, GpuAndNode) {
  const Cluster cluster = build_cluster(small_rails());
  EXPECT_EQ(impact(cluster, Component::gpu, 7).nodes_down, (Nodes{1}));  // GPUs 4..7 are node 1
  EXPECT_EQ(impact(cluster, Component::gpu, 8).nodes_down, (Nodes{2}));
  EXPECT_EQ(impact(cluster, Component::node, 3).nodes_down, (Nodes{3}));
  EXPECT_TRUE(impact(cluster, Component::gpu, 7).cables.empty());
  EXPECT_FALSE(impact(cluster, Component::gpu, 7).stops_job);

  const Impact slow = impact(cluster, Component::gpu, 7, FaultKind::fail_slow);
  EXPECT_EQ(slow.slow_nodes, (SlowNodes{{1, 0.25}}));
  EXPECT_TRUE(slow.nodes_down.empty());
}

// NIC 3 is NIC 1 of node 1, on leaf 1.
TEST(Impact, PortWithoutFailoverStopsTheNode) {
  const Cluster cluster = build_cluster(small_rails());
  for (const Component component : {Component::nic, Component::access_cable}) {
    EXPECT_EQ(impact(cluster, component, 3).nodes_down, (Nodes{1}));
    EXPECT_TRUE(impact(cluster, component, 3).cables.empty());
    const Impact slow = impact(cluster, component, 3, FaultKind::fail_slow);
    EXPECT_EQ(slow.cables, (Cables{{up(cluster, cluster.nic(1, 1), cluster.leaf(1)), 0.25}}));
    EXPECT_TRUE(slow.nodes_down.empty());
  }
}

// The node goes on over its other NIC, and so do its routes: GPU 3 of node 1 (NIC 1) to GPU 3 of node 2.
TEST(Impact, PortWithFailoverLosesTheCableOnly) {
  const Cluster cluster = build_cluster(with_failover(small_rails()));
  const Impact lost = impact(cluster, Component::access_cable, 3);
  EXPECT_TRUE(lost.nodes_down.empty());
  ASSERT_EQ(lost.cables, (Cables{{up(cluster, cluster.nic(1, 1), cluster.leaf(1)), 0.0}}));

  topology::FabricState state;
  state.set_cable(cluster, lost.cables[0].first, 0);
  for (const topology::ArcId arc : topology::Router(cluster).route(cluster.gpu(1, 3), cluster.gpu(2, 3), 0, state))
    EXPECT_FALSE(state.down(arc)) << cluster.arc_name(arc);
}

TEST(Impact, FailoverNeedsAnotherNic) {
  ClusterSpec spec = with_failover(small_rails());
  spec.nics_per_node = 1;
  const Cluster cluster = build_cluster(spec);
  EXPECT_EQ(impact(cluster, Component::nic, 3).nodes_down, (Nodes{3}));
}

TEST(Impact, LeafOfRails) {
  const Cluster cluster = build_cluster(small_rails());
  EXPECT_EQ(impact(cluster, Component::leaf, 1).nodes_down, (Nodes{0, 1}));
  EXPECT_EQ(impact(cluster, Component::leaf, 2).nodes_down, (Nodes{2, 3}));

  const Cables rail_1_of_nodes_0_1 = {{up(cluster, cluster.nic(0, 1), cluster.leaf(1)), 0.25},
                                      {up(cluster, cluster.nic(1, 1), cluster.leaf(1)), 0.25}};
  EXPECT_EQ(impact(cluster, Component::leaf, 1, FaultKind::fail_slow).cables, rail_1_of_nodes_0_1);

  const Cluster failover = build_cluster(with_failover(small_rails()));
  const Impact lost = impact(failover, Component::leaf, 1);
  EXPECT_TRUE(lost.nodes_down.empty());
  EXPECT_EQ(lost.cables, (Cables{{rail_1_of_nodes_0_1[0].first, 0.0}, {rail_1_of_nodes_0_1[1].first, 0.0}}));
}

// Both NICs of nodes 0, 1 are on leaf 0: each node is named once, and no failover helps.
TEST(Impact, LeafOfWholeNodes) {
  for (const ClusterSpec& spec : {small_leaf_spine(), with_failover(small_leaf_spine())}) {
    const Cluster cluster = build_cluster(spec);
    EXPECT_EQ(impact(cluster, Component::leaf, 0).nodes_down, (Nodes{0, 1}));
    EXPECT_TRUE(impact(cluster, Component::leaf, 0).cables.empty());
  }
}

// Uplinks in leaf order, two a leaf: uplink 5 is leaf 2 to spine 1.
TEST(Impact, CablesAndSpinesCostCapacity) {
  const Cluster cluster = build_cluster(small_rails());
  const topology::ArcId uplink = up(cluster, cluster.leaf(2), cluster.spine(1));
  EXPECT_EQ(impact(cluster, Component::uplink_cable, 5).cables, (Cables{{uplink, 0.0}}));
  EXPECT_EQ(impact(cluster, Component::uplink_cable, 5, FaultKind::fail_slow).cables, (Cables{{uplink, 0.25}}));

  Cables of_spine_1;
  for (std::uint32_t leaf = 0; leaf < 4; ++leaf)
    of_spine_1.emplace_back(up(cluster, cluster.leaf(leaf), cluster.spine(1)), 0.0);
  EXPECT_EQ(impact(cluster, Component::spine, 1).cables, of_spine_1);
  EXPECT_TRUE(impact(cluster, Component::spine, 1).nodes_down.empty());
}

// Two pods of 2 nodes: 2 leaves, 2 spines and their cores each. A core's cables go to a spine of each pod; a spine's to
// its pod's leaves and to its cores.
TEST(Impact, CoreTier) {
  ClusterSpec spec = small_rails();
  spec.nodes_per_pod = 2;
  const Cluster cluster = build_cluster(spec);
  ASSERT_GT(cluster.core_count(), 0u);
  const topology::ArcId first = cluster.cable(LinkKind::core_link, 0);
  EXPECT_EQ(cluster.source(first), cluster.spine(0));
  EXPECT_EQ(impact(cluster, Component::core_cable, 0).cables, (Cables{{first, 0.0}}));

  for (const auto& [component, vertex] :
       {std::pair{Component::core, cluster.core(0)}, std::pair{Component::spine, cluster.spine(1)}}) {
    const Cables cables = impact(cluster, component, component == Component::core ? 0 : 1).cables;
    EXPECT_EQ(cables.size(), cluster.out_arcs(vertex).size());
    for (const auto& [arc, factor] : cables) {
      EXPECT_LT(cluster.source(arc), cluster.target(arc));
      EXPECT_TRUE(cluster.source(arc) == vertex || cluster.target(arc) == vertex);
      EXPECT_EQ(factor, 0);
    }
  }
}

// job_fraction 0.75: draws below 3/4 of 2^32 stop the job, the last quarter is dealt evenly to the 4 nodes, a sixteenth
// of 2^32 (0x10000000) each.
TEST(Impact, JobOrOneNode) {
  const Cluster cluster = build_cluster(small_rails());
  FaultSpec spec{"", {fault_class(Component::job)}};
  const auto of = [&](std::uint32_t choice) { return impact_of({0, 1, 0, 0, choice}, spec, cluster); };
  EXPECT_TRUE(of(0).stops_job);
  EXPECT_TRUE(of(0xffffffff).stops_job);  // job_fraction 1
  spec.classes[0].job_fraction = 0.75;
  EXPECT_TRUE(of(0xbfffffff).stops_job);
  for (std::uint32_t node = 0; node < 4; ++node)
    for (const std::uint32_t offset : {0u, 0x0fffffffu}) {
      const Impact i = of(0xc0000000 + node * 0x10000000 + offset);
      EXPECT_FALSE(i.stops_job);
      EXPECT_EQ(i.nodes_down, (Nodes{node}));
    }
  spec.classes[0].job_fraction = 0;
  EXPECT_EQ(of(0).nodes_down, (Nodes{0}));
}

TEST(Impact, EventsThatDoNotFit) {
  const Cluster cluster = build_cluster(small_rails());
  EXPECT_THROW(impact(cluster, Component::gpu, 16), FaultError);
  EXPECT_THROW(impact(cluster, Component::core, 0), FaultError);
  EXPECT_THROW(impact_of({0, 1, 1, 0, 0}, {"", {fault_class(Component::gpu)}}, cluster), FaultError);
}

// Job on nodes 0, 1, 2 of 4. Per second, in units of 1e-6 (mtbf 1e6 s): 12 GPUs, 3 nodes, 6 NICs, 6 cables, 4 leaves
// (leaves 2, 3 serve node 2 too), the job at job_fraction 0.6: 0.6 + 0.4 x 3/4 = 0.9. Uplinks, spines, slow and planned
// faults stop nothing unannounced.
TEST(JobStopRate, CountsWhatStopsANodeOfTheJob) {
  FaultSpec spec;
  for (const Component component : {Component::gpu, Component::node, Component::nic, Component::access_cable,
                                    Component::leaf, Component::job, Component::uplink_cable, Component::spine})
    spec.classes.push_back(fault_class(component));
  spec.classes[5].job_fraction = 0.6;
  spec.classes.push_back(fault_class(Component::gpu, FaultKind::fail_slow));
  spec.classes.back().name = "slow";
  spec.classes.push_back(fault_class(Component::job));
  spec.classes.back().name = "planned";
  spec.classes.back().planned = true;

  const Cluster cluster = build_cluster(small_rails());
  EXPECT_NEAR(job_stop_rate_per_s(FaultModel(spec, cluster), cluster, 3), 31.9e-6, 1e-15);
  // With failover neither NICs, cables nor leaves stop a node.
  const Cluster failover = build_cluster(with_failover(small_rails()));
  EXPECT_NEAR(job_stop_rate_per_s(FaultModel(spec, failover), failover, 3), 15.9e-6, 1e-15);
  EXPECT_THROW(job_stop_rate_per_s(FaultModel(spec, cluster), cluster, 5), FaultError);
}

}  // namespace
}  // namespace toposim::faults
