// Reduction in switches: NVLS inside a node, SHARP in the fabric.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "clusters.hpp"
#include "topology/error.hpp"

namespace {

using namespace toposim::sim;
using namespace toposim::topology;
using toposim::test::Fabric;
using toposim::test::hand_spec;

ClusterSpec sharp_spec(std::int64_t nodes, std::int64_t gpus_per_node = 4) {
  ClusterSpec spec = hand_spec(nodes, gpus_per_node);
  spec.nvlink_sharp = spec.fabric_sharp = true;
  spec.nodes_per_leaf = 4;
  return spec;
}

// Four GPUs of a node, S = 1e9. All-reduce: S (1 + 1/4) each way / 450e9; reduce and spread, two passes of 0.5 us.
// Reduce-scatter: S up; all-gather: S down; broadcast: S up from the root, S down to the others. One pass.
TEST(Nvls, InsideANode) {
  Fabric fabric(sharp_spec(1));
  const auto time_s = [&](CollectiveKind kind) {
    return fabric.time({kind, {fabric.everyone()}, 1e9}, Algorithm::nvls).total_s;
  };
  EXPECT_NEAR(time_s(CollectiveKind::all_reduce), 1.25e9 / 450e9 + 1e-6, 1e-12);
  for (const auto kind : {CollectiveKind::reduce_scatter, CollectiveKind::all_gather, CollectiveKind::broadcast})
    EXPECT_NEAR(time_s(kind), 1e9 / 450e9 + 0.5e-6, 1e-12) << to_string(kind);
}

// The first chunk is reduced before anything is spread: one chunk's bytes on top, at most the whole buffer.
TEST(Nvls, FillOfThePipeline) {
  Fabric fabric(sharp_spec(1));
  LatencySpec latency = by_hand();
  latency.nvls_chunk_bytes = 1e6;
  const CollectiveRequest large{CollectiveKind::all_reduce, {fabric.everyone()}, 1e9};
  EXPECT_NEAR(fabric.time(large, Algorithm::nvls, latency).total_s, 1.25 * 1.001e9 / 450e9 + 1e-6, 1e-12);
  const CollectiveRequest small{CollectiveKind::all_reduce, {fabric.everyone()}, 1e5};
  EXPECT_NEAR(fabric.time(small, Algorithm::nvls, latency).total_s, 1.25 * 2e5 / 450e9 + 1e-6, 1e-12);
}

// Two nodes of four: NVLS 1.25 S / 450e9 = 2.778 ms and 1 us; trees of two leaders with S/4: S/4 / 50e9 = 5 ms, 4 us.
TEST(NvlsTree, TwoNodes) {
  Fabric fabric(sharp_spec(2));
  const auto time = fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::nvls_tree);
  EXPECT_NEAR(time.total_s, 5e-3 + 1.25e9 / 450e9 * 4194304.0 / 1e9 + 5e-6, 1e-12);
}

// Each NIC sends S/4 once: 5 ms; a ring of 8 nodes would send 2 x 7/8 of it, 8.75 ms. Two passes of 1 us up or down
// (access 1 us, uplinks nothing) and NVLS's 1 us; one chunk of NVLS's 1.25 S / 450e9.
TEST(Sharp, HalfOfARing) {
  Fabric fabric(sharp_spec(8));
  const auto time = fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::sharp);
  EXPECT_NEAR(time.total_s, 5e-3 + 1.25e9 / 450e9 * 4194304.0 / 1e9 + 2e-6 + 1e-6, 1e-12);
}

/// Bytes per arc of the phase of that name.
std::map<ArcId, double> streams(const CollectivePlan& plan, const std::string& name) {
  std::map<ArcId, double> bytes;
  for (const Phase& phase : plan.phases)
    if (phase.name == name)
      for (const ArcFlow& stream : phase.arc_flows) bytes[stream.arc] += stream.bytes;
  return bytes;
}

// Three tiers, 16 nodes in pods of 8, leaves of 4, one rail: 16 PCIe and 16 access cables, a spine per pod with two
// leaves each, a core over two spines: 16 + 16 + 4 + 2 cables, each S once per direction.
TEST(Sharp, TreeOverPods) {
  ClusterSpec spec = sharp_spec(16, 1);
  spec.nodes_per_pod = 8;
  Fabric fabric(spec);
  const CollectiveRequest request{CollectiveKind::all_reduce, {fabric.everyone()}, 1e9};
  const auto made = plan(request, Algorithm::sharp, fabric.cluster, by_hand());
  const auto bytes = streams(made, "sharp");
  EXPECT_EQ(bytes.size(), 2u * (16 + 16 + 4 + 2));
  std::map<LinkKind, int> kinds;
  for (const auto& [arc, total] : bytes) {
    EXPECT_EQ(total, 1e9);
    EXPECT_TRUE(bytes.contains(fabric.cluster.arc(arc).reverse));
    ++kinds[fabric.cluster.arc(arc).kind];
  }
  EXPECT_EQ(kinds[LinkKind::uplink], 8);
  EXPECT_EQ(kinds[LinkKind::core_link], 4);
}

// A dead spine on the tree: the same time by a tree around it. All spines dead: no tree.
TEST(Sharp, TreeAroundADeadSpine) {
  Fabric fabric(sharp_spec(8, 1));
  const CollectiveRequest request{CollectiveKind::all_reduce, {fabric.everyone()}, 1e9};
  const auto healthy = plan(request, Algorithm::sharp, fabric.cluster, by_hand());
  FabricState state;
  for (const auto& [arc, bytes] : streams(healthy, "sharp"))
    if (fabric.cluster.arc(arc).kind == LinkKind::uplink) {
      const VertexId end = fabric.cluster.target(arc);
      if (fabric.cluster.graph()[end].kind == VertexKind::spine) state.take_down(fabric.cluster, end);
    }
  ASSERT_FALSE(state.healthy());
  EXPECT_THROW(price(healthy, request, *fabric.model, state), TopologyError);
  const auto around = run_collective(request, Algorithm::sharp, fabric.cluster, by_hand(), *fabric.model, state);
  EXPECT_EQ(around.total_s, price(healthy, request, *fabric.model, {}).total_s);
  for (std::uint32_t spine = 0; spine < fabric.cluster.spine_count(); ++spine)
    state.take_down(fabric.cluster, fabric.cluster.spine(spine));
  EXPECT_THROW(run_collective(request, Algorithm::sharp, fabric.cluster, by_hand(), *fabric.model, state),
               TopologyError);
}

TEST(SwitchReduction, OnlyWhereTheClusterHasIt) {
  Fabric plain(hand_spec(2, 4)), able(sharp_spec(2));
  const CollectiveRequest request{CollectiveKind::all_reduce, {plain.everyone()}, 1e9};
  EXPECT_EQ(applicable(request, plain.cluster),
            (std::vector{Algorithm::ring, Algorithm::rail_rings, Algorithm::hierarchical,
                         Algorithm::hierarchical_pipelined, Algorithm::double_binary_tree}));
  EXPECT_EQ(
      applicable(request, able.cluster),
      (std::vector{Algorithm::ring, Algorithm::rail_rings, Algorithm::hierarchical, Algorithm::hierarchical_pipelined,
                   Algorithm::double_binary_tree, Algorithm::nvls_tree, Algorithm::sharp}));
}

}  // namespace
