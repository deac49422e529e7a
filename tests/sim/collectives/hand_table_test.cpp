// One all-reduce derived by hand, and the algorithms whose times follow from it.
#include <gtest/gtest.h>

#include <string>

#include "clusters.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;

struct Row {
  std::int64_t gpus;
  double flat_ring_ms, hierarchical_ms;
};

class HandTable : public testing::TestWithParam<Row> {};

// Flat ring: 2 (n-1)/n S / 50e9 + 2 (n-1) x 2 us. At 1,024: 39.961 + 4.092 = 44.053 ms.
// Hierarchy: twice 7/8 S / 450e9 + 7 x 0.5 us = 3.896 ms; rings of N = n/8 with S/8: 2 (N-1)/N S/8 / 50e9 + 2 (N-1) x
// 2 us. At 1,024: 4.961 + 0.508 = 5.469 ms.
TEST_P(HandTable, BottleneckAndFlow) {
  const auto [gpus, flat_ring_ms, hierarchical_ms] = GetParam();
  Fabric fabric(hand_spec(gpus / 8));
  const CollectiveRequest request{CollectiveKind::all_reduce, {fabric.everyone()}, 1e9};
  const auto flow = make_flow_model(fabric.router);
  for (FabricModel* model : {fabric.model.get(), flow.get()}) {
    const auto ring = run_collective(request, Algorithm::ring, fabric.cluster, by_hand(), *model, {});
    const auto hierarchy = run_collective(request, Algorithm::hierarchical, fabric.cluster, by_hand(), *model, {});
    EXPECT_NEAR(ring.total_s * 1e3, flat_ring_ms, 1e-3 * flat_ring_ms);
    EXPECT_NEAR(hierarchy.total_s * 1e3, hierarchical_ms, 1e-3 * hierarchical_ms);
    ASSERT_EQ(hierarchy.phases_s.size(), 3u);
    const double nvlink_ms = (hierarchy.phases_s[0].second + hierarchy.phases_s[2].second) * 1e3;
    EXPECT_NEAR(nvlink_ms, 3.896, 1e-3 * 3.896);
    EXPECT_NEAR(hierarchy.phases_s[1].second * 1e3, hierarchical_ms - 3.896, 1e-3 * (hierarchical_ms - 3.896));
  }
}

INSTANTIATE_TEST_SUITE_P(Facts, HandTable,
                         testing::Values(Row{1024, 44.053, 9.365}, Row{4096, 56.370, 10.930},
                                         Row{10240, 80.952, 14.008}),
                         [](const auto& row) { return std::to_string(row.param.gpus); });

// A ring per rail over 1,024 GPUs: 2 x 1023/1024 x S/8 / 50e9 = 4.995 ms; a chunk passes 255.75 nodes (2 x 1023 hops,
// eight a node), each 7 x 0.5 + 2 us: 1.407 ms. "About 6.4 ms, not 44."
TEST(HandNumbers, RingPerRail) {
  Fabric fabric(hand_spec(128));
  const auto time = fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, 1e9}, Algorithm::rail_rings);
  EXPECT_NEAR(time.total_s * 1e3, 4.99512 + 1.40663, 1e-4);
}

// 1 GiB on 2 x 8: NVLink 2 x (7/8 S / 450e9 + 3.5 us) = 4.183 ms; rings of two, S/8 / 50e9 + 2 x 2 us = 2.688 ms.
// Unpipelined 6.871 ms. Pipelined, the longer phase's transfer 4.1757 ms, a chunk of the other's (4 MiB of 1 GiB, so
// 1/256 of 2.68435 ms), and all latencies, 11 us.
TEST(HandNumbers, TwoNodesOfEight) {
  Fabric fabric(hand_spec(2));
  const CollectiveRequest request{CollectiveKind::all_reduce, {fabric.everyone()}, 1073741824.0};
  const auto in_sequence = fabric.time(request, Algorithm::hierarchical);
  EXPECT_NEAR(in_sequence.total_s * 1e3, 6.871, 1e-3);
  const auto pipelined = fabric.time(request, Algorithm::hierarchical_pipelined);
  ASSERT_EQ(pipelined.phases_s.size(), 2u);
  EXPECT_NEAR(pipelined.phases_s[0].second * 1e3, 4.1827, 1e-4);
  EXPECT_NEAR(pipelined.total_s * 1e3, 4.17566 + 2.68435 / 256 + 0.011, 1e-4);
}

// busbw of a ring is the link's bandwidth, but for latency: 8 GPUs, NVLink only. All-reduce 14 rounds of 0.5 us.
TEST(HandNumbers, BusBandwidth) {
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::reduce_scatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_to_all, 8), 0.875);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::broadcast, 8), 1);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::point_to_point, 2), 1);
  Fabric fabric(hand_spec(1));
  for (const auto kind : {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter, CollectiveKind::all_gather,
                          CollectiveKind::broadcast}) {
    const auto time = fabric.time({kind, {fabric.everyone()}, 1e9}, Algorithm::ring);
    EXPECT_NEAR(time.busbw_Bps * (time.total_s / (time.total_s - time.latency_s)), 450e9, 1) << to_string(kind);
    EXPECT_DOUBLE_EQ(time.algbw_Bps, 1e9 / time.total_s);
  }
  // All-to-all: each GPU sends 7/8 S.
  const auto exchange = fabric.time({CollectiveKind::all_to_all, {fabric.everyone()}, 1e9}, Algorithm::direct);
  EXPECT_NEAR(exchange.total_s, 0.875e9 / 450e9 + 0.5e-6, 1e-12);
}

}  // namespace
