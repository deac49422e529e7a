// Hierarchies over groups of every shape, times by hand: NVLink 450e9 B/s and 0.5 us, network 50e9 B/s and 2 us.
#include <gtest/gtest.h>

#include "clusters.hpp"
#include "sim/collectives/group_shape.hpp"
#include "topology/error.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;
using toposim::topology::TopologyError;

double time_s(Fabric& fabric, CollectiveKind kind, std::vector<std::vector<toposim::topology::VertexId>> groups,
              Algorithm algorithm = Algorithm::hierarchical) {
  return fabric.time({kind, std::move(groups), 1e9}, algorithm).total_s;
}

// Two nodes, members 0 and 1 of each. NVLink: 1/2 S / 450e9 + 0.5 us, twice. Rings of two, S/2: S/2 / 50e9 + 2 x 2 us.
TEST(Hierarchy, TwoPerNode) {
  Fabric fabric(hand_spec(2, 4));
  const double nvlink_s = 0.5e9 / 450e9 + 0.5e-6, network_s = 0.5e9 / 50e9;
  EXPECT_NEAR(time_s(fabric, CollectiveKind::all_reduce, {{0, 1, 4, 5}}), 2 * nvlink_s + network_s + 4e-6, 1e-12);
  EXPECT_NEAR(time_s(fabric, CollectiveKind::reduce_scatter, {{0, 1, 4, 5}}), nvlink_s + network_s / 2 + 2e-6, 1e-12);
  EXPECT_NEAR(time_s(fabric, CollectiveKind::all_gather, {{0, 1, 4, 5}}), nvlink_s + network_s / 2 + 2e-6, 1e-12);
}

// Inside one node only the NVLink phases are left; one GPU per node, only the ring between nodes.
TEST(Hierarchy, OneNodeOrOnePerNode) {
  Fabric fabric(hand_spec(2, 4));
  EXPECT_NEAR(time_s(fabric, CollectiveKind::all_reduce, {{0, 1, 2, 3}}), 2 * (0.75e9 / 450e9 + 1.5e-6), 1e-12);
  EXPECT_NEAR(time_s(fabric, CollectiveKind::all_reduce, {{2, 6}}), 1e9 / 50e9 + 4e-6, 1e-12);
}

// Three members on node 0, two on node 1: two shards. On node 0 leaders 0 and 1 get S/2 from each of the other two
// members: S each, the busiest links; at most two rounds. On node 1 a ring of two, 1/2 S. So the phase takes S / 450e9
// + 1 us, and the same back; rings of two with S/2 between nodes: S/2 / 50e9 + 4 us.
TEST(Hierarchy, UnequalNodes) {
  Fabric fabric(hand_spec(2, 4));
  const double expected_s = 2 * (1e9 / 450e9 + 1e-6) + 0.5e9 / 50e9 + 4e-6;
  EXPECT_NEAR(time_s(fabric, CollectiveKind::all_reduce, {{0, 1, 2, 4, 5}}), expected_s, 1e-12);
  EXPECT_THROW(time_s(fabric, CollectiveKind::all_reduce, {{0, 1, 2, 4, 5}}, Algorithm::rail_rings), TopologyError);
}

// Node 0 has members 0, 1, 2, node 1 has 2, 3: member 2 is on both, so it leads one channel on one rail; the other
// channel must change rails.
TEST(Hierarchy, LeadersShareRailsWhereTheyCan) {
  Fabric fabric(hand_spec(2, 4));
  const GroupShape group(fabric.cluster, std::vector<toposim::topology::VertexId>{0, 1, 2, 6, 7});
  EXPECT_EQ(group.leaders(0), (std::vector<toposim::topology::VertexId>{2, 0}));
  EXPECT_EQ(group.leaders(1), (std::vector<toposim::topology::VertexId>{6, 7}));
}

// All rails of 4 nodes: reduce-scatter 3/4 S / 450e9 + 3 x 0.5 us, and back: 3.3363 ms. Rings of 4 with S/4: 2 x 3/4
// S/4 / 50e9 = 7.5 ms, 12 us. Overlapped: the longer, 7.5 ms, and of the 3.3333 ms of NVLink transfer one chunk, 4 MiB
// of 1e9 B, and all latencies: 3 + 12 us.
TEST(Hierarchy, Pipelined) {
  Fabric fabric(hand_spec(4, 4));
  const auto time =
      fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::hierarchical_pipelined);
  EXPECT_NEAR(time.total_s, 7.5e-3 + 2 * 0.75e9 / 450e9 * 4194304.0 / 1e9 + 15e-6, 1e-12);
  // One chunk only: nothing overlaps.
  const auto small =
      fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e6}, Algorithm::hierarchical_pipelined);
  EXPECT_NEAR(small.total_s, 7.5e-6 + 2 * 0.75e6 / 450e9 + 15e-6, 1e-12);
}

// All-to-all over two nodes of four: each GPU sends S/8 to each of four GPUs of the other node over its NIC or a
// peer's, and each NIC of a rail takes what goes to its own GPU: 4 x S/8 / 50e9 = 10 ms; one round, at most 2.5 us
// (NVLink to the destination's rail first).
TEST(Direct, AllToAllAcrossNodes) {
  Fabric fabric(hand_spec(2, 4));
  const auto time = fabric.time({CollectiveKind::all_to_all, {fabric.everyone()}, 1e9}, Algorithm::direct);
  EXPECT_NEAR(time.total_s, 10e-3 + 2.5e-6, 1e-12);
}

// S over one NIC; over NVLink.
TEST(Direct, PointToPoint) {
  Fabric fabric(hand_spec(2, 4));
  EXPECT_NEAR(time_s(fabric, CollectiveKind::point_to_point, {{0, 4}}, Algorithm::direct), 20e-3 + 2e-6, 1e-12);
  EXPECT_NEAR(time_s(fabric, CollectiveKind::point_to_point, {{1, 0}}, Algorithm::direct), 1e9 / 450e9 + 0.5e-6, 1e-12);
}

}  // namespace
