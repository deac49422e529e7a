// The bottleneck model against times derived by hand.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "sim/fabric/fabric_model.hpp"
#include "topology/error.hpp"

namespace {

using namespace toposim::sim;
using namespace toposim::topology;

/// Nodes of one GPU and one NIC, leaves of `nodes_per_leaf`; every fabric link at 1e9 B/s.
ClusterSpec small_fabric(std::int64_t nodes, std::int64_t nodes_per_leaf, double oversubscription = 1) {
  ClusterSpec spec;
  spec.fabric = FabricKind::leaf_spine;
  spec.nodes = nodes;
  spec.gpus_per_node = spec.nics_per_node = 1;
  spec.nodes_per_leaf = nodes_per_leaf;
  spec.leaf_oversubscription = oversubscription;
  spec.access = {1e9, 1e-6};
  spec.uplink = {1e9, 0.25e-6};
  return spec;
}

struct Fabric {
  explicit Fabric(const ClusterSpec& spec) : cluster(build_cluster(spec)), router(cluster) {}
  PhaseTime solve(const Phase& phase, const FabricState& state = {}) {
    return make_bottleneck_model(router)->solve(phase, state);
  }
  Cluster cluster;
  Router router;
};

Phase phase_of(std::vector<Flow> flows, double rounds = 0) {
  return {.name = "test", .flows = std::move(flows), .arc_flows = {}, .rounds = rounds, .round_overhead_s = 0};
}

/// Node i of the first leaf sends to node i of the second.
Phase leaf_to_leaf(std::uint32_t nodes_per_leaf, double bytes) {
  std::vector<Flow> flows;
  for (std::uint32_t i = 0; i < nodes_per_leaf; ++i) flows.push_back({i, nodes_per_leaf + i, bytes, 0});
  return phase_of(flows);
}

// Two flows of 1e9 B into one GPU share its access link of 1e9 B/s: 2 s.
TEST(Bottleneck, TwoFlowsOnOneLink) {
  Fabric fabric(small_fabric(4, 4));
  const PhaseTime time = fabric.solve(phase_of({{0, 2, 1e9, 0}, {1, 2, 1e9, 0}}));
  EXPECT_DOUBLE_EQ(time.transfer_s, 2.0);
  EXPECT_EQ(fabric.cluster.target(time.busiest_arc), fabric.cluster.nic(2, 0));
}

// Four nodes per leaf and 2:1 oversubscription leave two uplinks of 1e9 B/s: four flows of 1e9 B take 2 s, 1 s without.
TEST(Bottleneck, Oversubscription) {
  Fabric two_to_one(small_fabric(8, 4, 2)), non_blocking(small_fabric(8, 4));
  EXPECT_DOUBLE_EQ(two_to_one.solve(leaf_to_leaf(4, 1e9)).transfer_s, 2.0);
  EXPECT_DOUBLE_EQ(non_blocking.solve(leaf_to_leaf(4, 1e9)).transfer_s, 1.0);
}

// Four spines, a flow over each; without one of them two flows share an uplink: 2 s instead of 1 s.
TEST(Bottleneck, DeadSpine) {
  Fabric fabric(small_fabric(8, 4));
  FabricState state;
  state.take_down(fabric.cluster, fabric.cluster.spine(1));
  EXPECT_DOUBLE_EQ(fabric.solve(leaf_to_leaf(4, 1e9)).transfer_s, 1.0);
  EXPECT_DOUBLE_EQ(fabric.solve(leaf_to_leaf(4, 1e9), state).transfer_s, 2.0);
}

// One access link at half speed: its flow of 1e9 B takes 2 s.
TEST(Bottleneck, HalfSpeedLink) {
  Fabric fabric(small_fabric(8, 4));
  const ArcId access = fabric.cluster.arcs_between(fabric.cluster.nic(3, 0), fabric.cluster.leaf(0)).first;
  FabricState state;
  state.set_cable(fabric.cluster, access, 0.5);
  const PhaseTime time = fabric.solve(leaf_to_leaf(4, 1e9), state);
  EXPECT_DOUBLE_EQ(time.transfer_s, 2.0);
  EXPECT_EQ(time.busiest_arc, access);
}

// Two 10 MB flows share a link of 1 MB/s, and each also shares a link of its own of 1 MB/s with
// nine flows of 0.9 MB. The shared link carries 20 MB, the others 18.1 MB: 20 s. Fair sharing takes 27.2 s: while the
// small ones last, each large one gets a tenth of its own link (0.1 MB/s) and the shared link idles; after 9 s they
// have 9.1 MB each to go at 0.5 MB/s: 18.2 s more. The model is a lower bound here.
TEST(Bottleneck, UnequalSizesAreALowerBound) {
  ClusterSpec spec = small_fabric(21, 32);
  spec.access = {1e6, 0};
  Fabric fabric(spec);
  Phase phase = phase_of({{0, 2, 10e6, 0}, {1, 2, 10e6, 0}});
  for (std::uint32_t i = 0; i < 9; ++i) {
    phase.flows.push_back({0, 3 + i, 0.9e6, 0});
    phase.flows.push_back({1, 12 + i, 0.9e6, 0});
  }
  EXPECT_DOUBLE_EQ(fabric.solve(phase).transfer_s, 20.0);
  EXPECT_NEAR(make_flow_model(fabric.router)->solve(phase, {}).transfer_s, 27.2, 1e-6);
}

// Leaf to leaf: two access links and two uplinks, 2 x 1 us + 2 x 0.25 us; ten rounds with 0.5 us each on top: 30 us.
// Within a leaf alone: 2 us, 25 us in ten rounds.
TEST(Bottleneck, LatencyOfTheSlowestRoute) {
  Fabric fabric(small_fabric(8, 4));
  Phase phase = phase_of({{0, 1, 1, 0}, {0, 4, 1, 0}}, 10);
  phase.round_overhead_s = 0.5e-6;
  EXPECT_NEAR(fabric.solve(phase).latency_s, 30e-6, 1e-15);
  phase.flows.pop_back();
  EXPECT_NEAR(fabric.solve(phase).latency_s, 25e-6, 1e-15);
}

// A stream over one arc occupies just that arc, and cannot run over a dead one.
TEST(Bottleneck, StreamsOverArcs) {
  Fabric fabric(small_fabric(4, 4));
  const ArcId access = fabric.cluster.arcs_between(fabric.cluster.nic(2, 0), fabric.cluster.leaf(0)).first;
  Phase phase{.name = "reduce", .flows = {{2, 3, 1e9, 0}}, .arc_flows = {{access, 2e9}}, .rounds = 1};
  const PhaseTime time = fabric.solve(phase);
  EXPECT_DOUBLE_EQ(time.transfer_s, 3.0);
  EXPECT_EQ(time.busiest_arc, access);
  FabricState state;
  state.set_arc(access, 0);
  phase.flows.clear();
  try {
    fabric.solve(phase, state);
    FAIL() << "a stream over a dead arc was priced";
  } catch (const TopologyError& error) {
    EXPECT_NE(std::string(error.what()).find(fabric.cluster.arc_name(access)), std::string::npos) << error.what();
  }
}

// Several arcs carry the same: the lowest is named, whatever the order of flows.
TEST(Bottleneck, TiesNameTheLowestArc) {
  Fabric fabric(small_fabric(8, 4));
  Phase phase = leaf_to_leaf(4, 1e9);
  const ArcId first = fabric.solve(phase).busiest_arc;
  std::reverse(phase.flows.begin(), phase.flows.end());
  EXPECT_EQ(fabric.solve(phase).busiest_arc, first);
  for (ArcId arc = 0; arc < first; ++arc) EXPECT_NE(fabric.cluster.bandwidth_Bps(arc), 1e9);
}

TEST(Bottleneck, NothingTakesNoTime) {
  Fabric fabric(small_fabric(4, 4));
  EXPECT_EQ(fabric.solve(phase_of({}, 10)).total_s(), 0);
  EXPECT_EQ(fabric.solve(phase_of({{1, 1, 1e9, 0}})).total_s(), 0);
}

// One model, four threads, different phases: each gets what it gets alone.
TEST(Bottleneck, SharedByThreads) {
  Fabric fabric(small_fabric(8, 4));
  const auto model = make_bottleneck_model(fabric.router);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 1; i <= 200; ++i)
        if (model->solve(leaf_to_leaf(4, 1e9 * (t + i)), {}).transfer_s != t + i) ++wrong[t];
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

}  // namespace
