// Automatic choice, protocols, and requests that cannot be.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "clusters.hpp"
#include "topology/error.hpp"

namespace {

using namespace toposim::sim;
using toposim::test::Fabric;
using toposim::test::hand_spec;
using namespace toposim::topology;

// Whatever automatic takes, no algorithm and no protocol is faster.
TEST(Automatic, IsTheFastest) {
  ClusterSpec spec = hand_spec(4, 4);
  spec.nvlink_sharp = spec.fabric_sharp = true;
  Fabric fabric(spec);
  const LatencySpec latency;
  const std::vector<std::vector<std::vector<VertexId>>> shapes{
      {fabric.everyone()}, {{0, 1, 2, 3}}, {{0, 4, 8, 12}, {1, 5, 9, 13}}, {{0, 1, 2, 4}}, {{0, 1}}, {{3}}};
  for (const auto kind : {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter, CollectiveKind::all_gather,
                          CollectiveKind::broadcast, CollectiveKind::all_to_all}) {
    for (const auto& groups : shapes) {
      for (const double bytes : {0.0, 8.0, 1e5, 1e7, 1e10}) {
        const CollectiveRequest request{kind, groups, bytes};
        const auto best = fabric.time(request, Algorithm::automatic, latency);
        for (const auto algorithm : applicable(request, fabric.cluster)) {
          EXPECT_LE(best.total_s, fabric.time(request, algorithm, latency).total_s) << to_string(algorithm);
          for (const auto protocol : {Protocol::ll, Protocol::ll128}) {
            if (algorithm == Algorithm::nvls || algorithm == Algorithm::nvls_tree || algorithm == Algorithm::sharp)
              continue;
            if (protocol == Protocol::ll128 && groups[0].size() != 2 && groups[0].back() > 3) continue;
            const auto made = plan(request, algorithm, fabric.cluster, latency, protocol);
            EXPECT_LE(best.total_s, price(made, request, *fabric.model, {}).total_s * (1 + 1e-12))
                << to_string(kind) << " " << to_string(algorithm) << " " << to_string(protocol) << " " << bytes;
          }
        }
      }
    }
  }
}

// Small messages go by the low-latency protocol, large ones by the simple one.
TEST(Automatic, ProtocolFollowsSize) {
  Fabric fabric(hand_spec(1));
  const auto protocol = [&](double bytes) {
    return fabric.time({CollectiveKind::all_reduce, {fabric.everyone()}, bytes}, Algorithm::ring, LatencySpec{})
        .protocol;
  };
  EXPECT_EQ(protocol(8), Protocol::ll);
  EXPECT_EQ(protocol(1e9), Protocol::simple);
}

// SHARP's trees cannot be laid with all spines dead, nor can rings across leaves be routed: the error of the first is
// reported. With a dead NVSwitch link only NVLS fails, and is passed over.
TEST(Automatic, PassesOverWhatCannotRun) {
  ClusterSpec spec = hand_spec(8, 1);
  spec.nodes_per_leaf = 4;
  spec.fabric_sharp = true;
  Fabric fabric(spec);
  const CollectiveRequest request{CollectiveKind::all_reduce, {fabric.everyone()}, 1e6};
  FabricState state;
  for (std::uint32_t spine = 0; spine < fabric.cluster.spine_count(); ++spine)
    state.take_down(fabric.cluster, fabric.cluster.spine(spine));
  EXPECT_THROW(run_collective(request, Algorithm::automatic, fabric.cluster, by_hand(), *fabric.model, state),
               TopologyError);

  ClusterSpec node = hand_spec(1, 4);
  node.nvlink_sharp = true;
  Fabric inside(node);
  const CollectiveRequest four{CollectiveKind::all_reduce, {inside.everyone()}, 1e9};
  EXPECT_EQ(inside.time(four, Algorithm::automatic).algorithm, Algorithm::nvls);
  FabricState broken;  // GPU 2's NVLink: its traffic goes by its NIC
  broken.set_cable(inside.cluster, inside.cluster.arcs_between(2, inside.cluster.nvswitch(0)).first, 0);
  const auto time = run_collective(four, Algorithm::automatic, inside.cluster, by_hand(), *inside.model, broken);
  EXPECT_NE(time.algorithm, Algorithm::nvls);
}

std::string refusal(const CollectiveRequest& request, Algorithm algorithm, const Cluster& cluster,
                    Protocol protocol = Protocol::simple) {
  try {
    plan(request, algorithm, cluster, by_hand(), protocol);
  } catch (const TopologyError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Request, Refusals) {
  ClusterSpec spec = hand_spec(2, 4);
  spec.nvlink_sharp = true;
  Fabric fabric(spec);
  using enum CollectiveKind;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto ring = [&](CollectiveRequest request) { return refusal(request, Algorithm::ring, fabric.cluster); };
  EXPECT_NE(ring({all_reduce, {{0, 1}}, -1}).find("not negative"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {{0, 1}}, nan}).find("finite"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {{0, 1}}, infinity}).find("finite"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {}, 1}).find("no groups"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {{0}, {}}, 1}).find("group 1 has no members"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {{0, 8}}, 1}).find("GPU 8, the cluster has 8"), std::string::npos);
  EXPECT_NE(ring({all_reduce, {{0, 1}, {1, 2}}, 1}).find("node0000/gpu1 is in two groups"), std::string::npos);
  EXPECT_NE(ring({all_to_all, {{0, 1}}, 1}).find("ring cannot run all_to_all"), std::string::npos);
  EXPECT_NE(refusal({point_to_point, {{0, 1, 2}}, 1}, Algorithm::direct, fabric.cluster).find("3 members"),
            std::string::npos);
  EXPECT_NE(refusal({all_reduce, {{0, 1}}, 1}, Algorithm::automatic, fabric.cluster).find("definite"),
            std::string::npos);
  EXPECT_NE(refusal({all_reduce, {{0, 4}}, 1}, Algorithm::nvls, fabric.cluster).find("inside one node"),
            std::string::npos);
  EXPECT_NE(refusal({all_reduce, {{0, 4}}, 1}, Algorithm::sharp, fabric.cluster).find("fabric_sharp"),
            std::string::npos);
  EXPECT_NE(refusal({all_gather, {{0, 4}}, 1}, Algorithm::double_binary_tree, fabric.cluster).find("all_gather"),
            std::string::npos);
  EXPECT_NE(refusal({all_reduce, {{0, 1}}, 1}, Algorithm::nvls, fabric.cluster, Protocol::ll).find("protocol"),
            std::string::npos);
}

}  // namespace
