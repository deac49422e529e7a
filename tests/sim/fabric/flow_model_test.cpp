// The flow fidelity on small fabrics, against times worked out by hand.
#include <gtest/gtest.h>

#include <thread>

#include "flow_phases.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using topology::Cluster;
using topology::FabricState;
using topology::Router;

struct Fabric {
  explicit Fabric(const topology::ClusterSpec& spec) : cluster(build_cluster(spec)) {}
  PhaseTime solve(const Phase& phase, const FabricState& state = {}) { return model->solve(phase, state); }

  Cluster cluster;
  Router router{cluster};
  std::unique_ptr<FabricModel> model = make_flow_model(router);
};

/// One flow of a gigabyte from each of the first `flows` nodes to the node two further, on rail 0.
Phase two_nodes_on(const Cluster& cluster, std::uint32_t flows) {
  Phase phase;
  for (std::uint32_t i = 0; i < flows; ++i) phase.flows.push_back({cluster.gpu(i, 0), cluster.gpu(i + 2, 0), 1e9, 0});
  return phase;
}

TEST(FlowModel, TwoFlowsOnOnePort) {
  // Both leave by the same NIC at 50e9 B/s: 25e9 each, 40 ms. One round of 2 x 1 us.
  Fabric fabric(eight_gpu_nodes(4, 4));
  Phase phase;
  for (const std::uint32_t to : {1U, 2U})
    phase.flows.push_back({fabric.cluster.gpu(0, 0), fabric.cluster.gpu(to, 0), 1e9});
  const PhaseTime time = fabric.solve(phase);
  EXPECT_DOUBLE_EQ(time.transfer_s, 0.04);
  EXPECT_DOUBLE_EQ(time.latency_s, 2e-6);
  // From the GPU to its NIC at 64e9 B/s: 31 ms; from the NIC to the leaf at 50e9 B/s: the busiest.
  EXPECT_EQ(fabric.cluster.source(time.busiest_arc), fabric.cluster.nic(0, 0));
}

TEST(FlowModel, DirectionsAreCapacitiesOfTheirOwn) {
  Fabric fabric(eight_gpu_nodes(2, 2));
  Phase phase;
  phase.flows = {{fabric.cluster.gpu(0, 0), fabric.cluster.gpu(1, 0), 1e9},
                 {fabric.cluster.gpu(1, 0), fabric.cluster.gpu(0, 0), 1e9}};
  EXPECT_DOUBLE_EQ(fabric.solve(phase).transfer_s, 0.02);
}

TEST(FlowModel, TwoToOneOversubscription) {
  // Leaves of two nodes with one uplink in place of two: both flows share 50e9 B/s.
  topology::ClusterSpec spec = eight_gpu_nodes(4, 2);
  Fabric whole(spec);
  EXPECT_DOUBLE_EQ(whole.solve(two_nodes_on(whole.cluster, 2)).transfer_s, 0.02);
  spec.leaf_oversubscription = 2;
  Fabric half(spec);
  EXPECT_DOUBLE_EQ(half.solve(two_nodes_on(half.cluster, 2)).transfer_s, 0.04);
}

TEST(FlowModel, ADeadSpine) {
  // Two spines, one flow over each; with one dead both meet on the other.
  Fabric fabric(eight_gpu_nodes(4, 2));
  FabricState state;
  state.take_down(fabric.cluster, fabric.cluster.spine(1));
  const PhaseTime time = fabric.solve(two_nodes_on(fabric.cluster, 2), state);
  EXPECT_DOUBLE_EQ(time.transfer_s, 0.04);
  EXPECT_EQ(fabric.cluster.arc(time.busiest_arc).kind, topology::LinkKind::uplink);
  state.take_down(fabric.cluster, fabric.cluster.spine(0));
  EXPECT_THROW(fabric.solve(two_nodes_on(fabric.cluster, 2), state), topology::TopologyError);
}

TEST(FlowModel, AHalfSpeedLink) {
  // The flow over it takes 1e9 / 25e9 = 40 ms, in both directions of the cable; the other one its usual 20 ms.
  Fabric fabric(eight_gpu_nodes(4, 2));
  FabricState state;
  state.set_cable(
      fabric.cluster,
      fabric.cluster.arcs_between(fabric.cluster.nic(2, 0), fabric.cluster.leaf_of_nic(fabric.cluster.nic(2, 0))).first,
      0.5);
  EXPECT_DOUBLE_EQ(fabric.solve(two_nodes_on(fabric.cluster, 2), state).transfer_s, 0.04);
  Phase back;
  back.flows = {{fabric.cluster.gpu(2, 0), fabric.cluster.gpu(0, 0), 1e9}};
  EXPECT_DOUBLE_EQ(fabric.solve(back, state).transfer_s, 0.04);
  back.flows = {{fabric.cluster.gpu(3, 0), fabric.cluster.gpu(1, 0), 1e9}};
  EXPECT_DOUBLE_EQ(fabric.solve(back, state).transfer_s, 0.02);
}

TEST(FlowModel, UnequalSizesTakeLongerThanTheBottleneckSays) {
  // The unequal-sizes case on a fabric: two flows of 10e9 B into one port of node 0; the ports they leave by are each
  // shared with nine flows of 0.9e9 B to other nodes. All ports 50e9 B/s. Busiest: 20e9 / 50e9 = 0.4 s. But the nine
  // take nine tenths of their port until each has moved 0.9e9 B at 5e9 B/s: 0.18 s. The 9.1e9 B that are left of each
  // long flow then go at 25e9 B/s: 0.364 s more.
  Fabric fabric(eight_gpu_nodes(32, 32));
  Phase phase;
  for (const std::uint32_t from : {1U, 2U}) {
    phase.flows.push_back({fabric.cluster.gpu(from, 0), fabric.cluster.gpu(0, 0), 10e9});
    for (std::uint32_t i = 0; i < 9; ++i)
      phase.flows.push_back({fabric.cluster.gpu(from, 0), fabric.cluster.gpu(3 + 9 * (from - 1) + i, 0), 0.9e9});
  }
  EXPECT_NEAR(fabric.solve(phase).transfer_s, 0.544, 1e-12);
  EXPECT_NEAR(make_bottleneck_model(fabric.router)->solve(phase, {}).transfer_s, 0.4, 1e-12);
}

TEST(FlowModel, FlowsThatGoNowhereOrCarryNothing) {
  // Nothing to move takes no time, but a round still takes its latency; a flow to itself has neither.
  Fabric fabric(eight_gpu_nodes(2, 2));
  EXPECT_EQ(fabric.solve({}).total_s(), 0);
  Phase phase = named("idle", 3);
  phase.round_overhead_s = 1e-6;
  phase.flows = {{fabric.cluster.gpu(0, 0), fabric.cluster.gpu(1, 0), 0}};
  EXPECT_EQ(fabric.solve(phase).transfer_s, 0);
  EXPECT_DOUBLE_EQ(fabric.solve(phase).latency_s, 9e-6);
  phase.flows = {{fabric.cluster.gpu(0, 0), fabric.cluster.gpu(0, 0), 1e9}};
  EXPECT_DOUBLE_EQ(fabric.solve(phase).total_s(), 3e-6);
}

TEST(FlowModel, StreamsOverSingleArcs) {
  // A reduction in the switch: each GPU sends a gigabyte up its NVLink, 450e9 B/s, while one port also takes a flow.
  Fabric fabric(eight_gpu_nodes(2, 2));
  Phase phase;
  for (std::uint32_t g = 0; g < 8; ++g)
    phase.arc_flows.push_back(
        {fabric.cluster.arcs_between(fabric.cluster.gpu(0, g), fabric.cluster.nvswitch(0)).first, 1e9});
  EXPECT_DOUBLE_EQ(fabric.solve(phase).transfer_s, 1 / 450.0);
  EXPECT_DOUBLE_EQ(fabric.solve(phase).latency_s, 0.25e-6);
  phase.flows = {{fabric.cluster.gpu(0, 0), fabric.cluster.gpu(0, 1), 1e9}};
  EXPECT_DOUBLE_EQ(fabric.solve(phase).transfer_s, 2 / 450.0);
  FabricState state;
  state.set_cable(fabric.cluster, phase.arc_flows[3].arc, 0);
  EXPECT_THROW(fabric.solve(phase, state), topology::TopologyError);
}

TEST(FlowModel, AllReduceOf1024GpusByHand) {
  // By hand, S = 1e9 B. Flat ring: 2 (n - 1) / n S / 50e9 + 2 (n - 1) 2 us = 39.961 + 4.092 = 44.053 ms.
  // Hierarchical: NVLink 2 x (7/8 S / 450e9 + 7 x 0.5 us) = 3.896 ms; rails 2 (127/128) S/8 / 50e9 + 254 x 2 us =
  // 5.469 ms.
  Fabric fabric(eight_gpu_nodes(128));
  EXPECT_NEAR(fabric.solve(flat_ring(fabric.cluster, 1e9)).total_s(), 44.053e-3, 0.5e-6);
  EXPECT_NEAR(2 * fabric.solve(nvlink_phase(fabric.cluster, 1e9)).total_s(), 3.896e-3, 0.5e-6);
  EXPECT_NEAR(fabric.solve(rail_rings(fabric.cluster, 1e9)).total_s(), 5.469e-3, 0.5e-6);
}

TEST(FlowModel, AgreesWithBottleneckOnEqualSizes) {
  // Equal flows that start together: the busiest link has the smallest fair share and is done last, whatever else.
  topology::ClusterSpec spec = eight_gpu_nodes(32, 8);
  spec.routing = topology::RoutingMode::ecmp;  // collisions make loads uneven
  Fabric fabric(spec);
  const auto bottleneck = make_bottleneck_model(fabric.router);
  for (std::uint32_t stride = 1; stride < 32; stride += 3) {
    Phase phase;
    for (std::uint32_t i = 0; i < 256; ++i) phase.flows.push_back({i, (i + 8 * stride + i % 3) % 256, 1e8, stride});
    FabricState state;
    if (stride % 2 == 0) state.take_down(fabric.cluster, fabric.cluster.spine(stride % 8));
    const PhaseTime flow = fabric.solve(phase, state), bound = bottleneck->solve(phase, state);
    EXPECT_NEAR(flow.transfer_s, bound.transfer_s, 1e-9 * bound.transfer_s) << "stride " << stride;
    EXPECT_DOUBLE_EQ(flow.latency_s, bound.latency_s);
    EXPECT_EQ(flow.busiest_arc, bound.busiest_arc);
  }
}

TEST(FlowModel, ThreadsGetTheSameBits) {
  Fabric fabric(eight_gpu_nodes(16, 4));
  const Phase phase = rail_rings(fabric.cluster, 1e9 / 3);
  const double alone_s = fabric.solve(phase).total_s();
  std::vector<double> together_s(16);
  {
    std::vector<std::jthread> threads;
    for (double& time_s : together_s) threads.emplace_back([&] { time_s = fabric.solve(phase).total_s(); });
  }
  for (const double time_s : together_s) EXPECT_EQ(time_s, alone_s);
}

}  // namespace
}  // namespace toposim::sim
