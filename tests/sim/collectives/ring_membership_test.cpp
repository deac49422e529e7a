// A ring without some members, as a change, against the ring planned for the members that are left.
#include "sim/collectives/ring_membership.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "clusters.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;
using toposim::topology::FabricState;
using toposim::topology::VertexId;

/// Eight groups, one per local index, of the given nodes in that order.
CollectiveRequest rails(const std::vector<std::uint32_t>& nodes, CollectiveKind kind) {
  CollectiveRequest request{kind, std::vector<std::vector<VertexId>>(8), 1e9};
  for (VertexId local = 0; local < 8; ++local)
    for (const auto node : nodes) request.groups[local].push_back(node * 8 + local);
  return request;
}

CollectiveRequest without(const CollectiveRequest& request, const std::vector<std::uint32_t>& missing) {
  CollectiveRequest left = request;
  for (auto& group : left.groups)
    for (auto it = missing.rbegin(); it != missing.rend(); ++it) group.erase(group.begin() + *it);
  return left;
}

std::vector<std::tuple<VertexId, VertexId, std::uint32_t>> sorted_ends(const Phase& phase) {
  std::vector<std::tuple<VertexId, VertexId, std::uint32_t>> ends;
  for (const Flow& flow : phase.flows) ends.emplace_back(flow.src, flow.dst, flow.label);
  std::sort(ends.begin(), ends.end());
  return ends;
}

struct Case {
  std::vector<std::uint32_t> missing;
};

class RingWithout : public testing::TestWithParam<Case> {};

TEST_P(RingWithout, IsTheRingOfTheRest) {
  Fabric fabric(hand_spec(8));
  for (const auto kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter}) {
    // In order, and with a replica on a node far away, as after a swap with a spare.
    for (const auto& nodes :
         {std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}, std::vector<std::uint32_t>{0, 7, 2, 3, 4, 1}}) {
      const auto request = rails(nodes, kind);
      const Phase ring = plan(request, Algorithm::ring, fabric.cluster, LatencySpec{}).phases.at(0);
      const auto delta = ring_without(request, ring, fabric.cluster, GetParam().missing);
      const Phase changed = apply(ring, delta);
      const auto expected = plan(without(request, GetParam().missing), Algorithm::ring, fabric.cluster, LatencySpec{});
      if (expected.phases.empty()) {
        EXPECT_TRUE(changed.empty());
        EXPECT_EQ(solve_incremental(PreparedPhase(fabric.router, ring), {}, delta).total_s(), 0);
        continue;
      }
      const Phase& rest = expected.phases.at(0);
      EXPECT_EQ(sorted_ends(changed), sorted_ends(rest));
      EXPECT_DOUBLE_EQ(changed.rounds, rest.rounds);
      for (const Flow& flow : changed.flows) EXPECT_NEAR(flow.bytes, rest.flows[0].bytes, 1e-6);
      const PhaseTime fresh = fabric.model->solve(rest, {});
      const PhaseTime got = solve_incremental(PreparedPhase(fabric.router, ring), {}, delta);
      EXPECT_NEAR(got.total_s(), fresh.total_s(), 1e-12 * fresh.total_s());
      EXPECT_EQ(got.busiest_arc, fresh.busiest_arc);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Missing, RingWithout,
                         testing::Values(Case{{}}, Case{{0}}, Case{{5}}, Case{{2}}, Case{{1, 2}}, Case{{0, 5}},
                                         Case{{0, 2, 4}}, Case{{1, 2, 3, 4}}, Case{{0, 1, 2, 3, 5}},
                                         Case{{0, 1, 2, 3, 4, 5}}));

// 128 rings, one member out: per ring two flows leave and one comes, each hop carries (126/127) / (127/128) of before,
// and two rounds fewer.
TEST(RingWithoutOne, CountsAndScale) {
  Fabric fabric(hand_spec(128));
  std::vector<std::uint32_t> nodes(128);
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto request = rails(nodes, CollectiveKind::all_reduce);
  const Phase ring = plan(request, Algorithm::ring, fabric.cluster, by_hand()).phases.at(0);
  const auto delta = ring_without(request, ring, fabric.cluster, std::vector<std::uint32_t>{64});
  EXPECT_EQ(delta.removed.size(), 16u);
  EXPECT_EQ(delta.added.size(), 8u);
  EXPECT_DOUBLE_EQ(delta.byte_scale, (126.0 / 127) / (127.0 / 128));
  EXPECT_DOUBLE_EQ(delta.rounds.value(), 252);
}

TEST(RingWithoutOne, RefusesOtherShapes) {
  Fabric fabric(hand_spec(4));
  const auto refused = [&](const CollectiveRequest& request, std::vector<std::uint32_t> missing) {
    const Phase ring = plan(request, Algorithm::ring, fabric.cluster, by_hand()).phases.at(0);
    EXPECT_THROW(ring_without(request, ring, fabric.cluster, missing), std::invalid_argument);
  };
  refused({CollectiveKind::all_reduce, {{0, 1, 8, 9}}, 1}, {0});        // two per node
  refused({CollectiveKind::all_reduce, {{0, 8}, {1, 9, 17}}, 1}, {0});  // two sizes
  refused({CollectiveKind::broadcast, {{0, 8, 16}}, 1}, {0});           // a chain
  refused({CollectiveKind::all_reduce, {{0, 8, 16}}, 1}, {3});          // beyond the group
  refused({CollectiveKind::all_reduce, {{0, 8, 16}}, 1}, {1, 1});       // twice
}

}  // namespace
