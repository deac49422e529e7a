// The incremental price of a state against planning and solving everything afresh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "sim/step/communication.hpp"
#include "sim/step/membership.hpp"
#include "small_world.hpp"

namespace toposim::sim {
namespace {

void expect_same(const StepBreakdown& a, const StepBreakdown& b, const std::string& what) {
  const auto near = [&](double x, double y, const char* field) {
    EXPECT_NEAR(x, y, 1e-9 * std::max(x, y)) << what << ": " << field;
  };
  near(a.tensor_parallel_s, b.tensor_parallel_s, "tensor_parallel_s");
  near(a.pipeline_transfer_s, b.pipeline_transfer_s, "pipeline_transfer_s");
  near(a.context_parallel_s, b.context_parallel_s, "context_parallel_s");
  near(a.hidden_context_parallel_s, b.hidden_context_parallel_s, "hidden_context_parallel_s");
  near(a.expert_parallel_s, b.expert_parallel_s, "expert_parallel_s");
  near(a.data_parallel_s, b.data_parallel_s, "data_parallel_s");
  near(a.step_time_s, b.step_time_s, "step_time_s");
}

/// 0 to 3 missing replicas and 0 to 4 broken things: a dead spine, slow and dead cables above the leaves, slow ports.
StepState random_state(const topology::Cluster& cluster, std::uint32_t replicas, std::mt19937& draw) {
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
  StepState state;
  for (std::uint32_t i = below(4); i > 0; --i) state.missing_replicas.push_back(below(replicas));
  std::sort(state.missing_replicas.begin(), state.missing_replicas.end());
  state.missing_replicas.erase(std::unique(state.missing_replicas.begin(), state.missing_replicas.end()),
                               state.missing_replicas.end());
  const auto uplinks = cluster.cables(topology::LinkKind::uplink), ports = cluster.cables(topology::LinkKind::access);
  for (std::uint32_t i = below(5); i > 0; --i) {
    switch (below(4)) {
      case 0:
        if (cluster.spine_count() > 1) state.fabric.take_down(cluster, cluster.spine(0));
        break;
      case 1:
        state.fabric.set_cable(cluster, uplinks[below(static_cast<std::uint32_t>(uplinks.size()))], 0);
        break;
      case 2:
        state.fabric.set_cable(cluster, uplinks[below(static_cast<std::uint32_t>(uplinks.size()))], 0.5);
        break;
      default:
        state.fabric.set_cable(cluster, ports[below(static_cast<std::uint32_t>(ports.size()))], 0.25);
    }
  }
  return state;
}

void check_many(const JobSpec& job, std::int64_t nodes, const std::string& what) {
  const SmallWorld world(job, nodes);
  expect_same(world.healthy(), world.full(StepState{}), what + " healthy");
  std::mt19937 draw(7);
  for (int i = 0; i < 40; ++i) {
    const StepState state = random_state(world.cluster, static_cast<std::uint32_t>(job.layout.data), draw);
    expect_same(world.fast(state), world.full(state), what + " state " + std::to_string(i));
  }
}

TEST(Incremental, TensorPipelineData) {
  check_many(small_job(8, 2, 8), 16, "TP8 PP2 DP8");
}
TEST(Incremental, InterleavedPipeline) {
  JobSpec job = small_job(4, 2, 16);
  job.virtual_pipeline = 2;
  check_many(job, 16, "TP4 PP2 VP2 DP16");
}
TEST(Incremental, SeveralDataRanksPerNode) {
  check_many(small_job(2, 1, 32), 8, "TP2 DP32");
}
TEST(Incremental, AllReduceTrees) {
  JobSpec job = small_job(8, 1, 16);
  job.zero_stage = 0;
  check_many(job, 16, "TP8 DP16 ZeRO 0");
}
TEST(Incremental, ContextAcrossNodes) {
  JobSpec job = small_job(8, 1, 8);
  job.layout.context = 2;
  check_many(job, 16, "TP8 CP2 DP8");
}
TEST(Incremental, TensorAcrossNodes) {
  JobSpec job = small_job(16, 1, 4);
  check_many(job, 8, "TP16 DP4");
}
TEST(Incremental, Experts) {
  JobSpec job = small_job(8, 1, 8);
  job.model.experts = 4, job.layout.expert = 4;
  check_many(job, 8, "TP8 DP8 EP4");
}

TEST(Incremental, ClosedRingsAreThePlannedOnes) {
  // The flows left after members leave are those of the plan for the remaining members, in any order.
  const SmallWorld world(small_job(8, 1, 8), 8);
  CollectiveRequest request{CollectiveKind::all_reduce, {}, 8e6};
  for (std::uint32_t local = 0; local < 8; ++local) request.groups.push_back(world.placement.peers(local));
  const Phase ring = plan(request, Algorithm::ring, world.cluster, by_hand()).phases.front();
  const auto rings = Rings::find(ring, world.placement);
  ASSERT_TRUE(rings);
  const auto hops = [](const Phase& phase) {
    std::vector<std::tuple<topology::VertexId, topology::VertexId, std::uint32_t, std::int64_t>> list;
    for (const Flow& f : phase.flows) list.emplace_back(f.src, f.dst, f.label, std::llround(f.bytes));
    std::sort(list.begin(), list.end());
    return list;
  };
  for (const std::vector<std::uint32_t>& missing :
       {std::vector<std::uint32_t>{3}, {0, 7}, {2, 3, 4}, {0, 1, 2, 3, 4, 5}}) {
    const CollectiveRequest left = surviving(request, world.placement, missing);
    const Phase expected = plan(left, Algorithm::ring, world.cluster, by_hand()).phases.front();
    const MembershipDelta delta =
        rings->closed_around(ring, world.placement, missing, expected.flows.front().bytes, expected.rounds);
    EXPECT_EQ(hops(apply(ring, delta)), hops(expected));
    EXPECT_EQ(*delta.rounds, expected.rounds);
  }
}

TEST(Incremental, FlowModelAgreesWhereSizesAreEqual) {
  JobSpec job = small_job(8, 2, 4);
  const SmallWorld world(job, 8);
  const auto flow = make_flow_model(world.router);
  StepState state;
  state.missing_replicas = {1};
  EXPECT_NEAR(world.fast(state).step_time_s / world.model.step(state, *flow).step_time_s, 1, 1e-6);
  EXPECT_NEAR(world.healthy().step_time_s / world.model.step(StepState{}, *flow).step_time_s, 1, 1e-6);
}

}  // namespace
}  // namespace toposim::sim
