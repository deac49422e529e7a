// Windows of training flow by flow, against hand-worked times and against the fast path.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "exact_world.hpp"
#include "sim/fabric/flow_problem.hpp"

namespace toposim::sim {
namespace {

double s(std::int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}
double bucket_s(const ExactResult& result, Bucket bucket) {
  return s(result.bucket_ns[static_cast<std::size_t>(bucket)]);
}

TEST(ExactRun, WithoutFaultsEveryStepTakesWhatTheStepModelSays) {
  ExactWorld world(eight_replicas());
  const ExactResult result = world.exact(Outages(far_ns), 45);
  EXPECT_EQ(result.kept_steps, 45);
  ASSERT_EQ(result.step_ns.size(), 45U);
  for (const std::int64_t step_ns : result.step_ns)
    EXPECT_NEAR(s(step_ns), s(world.step_ns()), 1e-7 * s(world.step_ns()));
  // Checkpoints after steps 20 and 40.
  EXPECT_EQ(result.checkpoints, 2);
  EXPECT_NEAR(bucket_s(result, Bucket::checkpoint), 6, 1e-8);
  EXPECT_EQ(std::accumulate(result.bucket_ns.begin(), result.bucket_ns.end(), std::int64_t{0}), result.wall_ns);
}

TEST(ExactRun, ThreeFaultsIn200StepsAgreeWithTheFastPath) {
  // A node dies in step 50 and is replaced for good; rail 0's uplinks from one leaf are at half speed for the
  // time of twenty steps; the job crashes as a whole between two checkpoints.
  ExactWorld world(eight_replicas());
  const double step = s(world.step_ns());
  FaultList faults(world.cluster);
  faults.node(49.3 * step + 6, 1e5, 3);
  // Leaf 8 is rail 0 of nodes 4 to 7.
  for (std::uint32_t spine = 0; spine < 4; ++spine)
    faults.cable(110 * step + 150, 20.5 * step, world.uplink(8, spine), 0.5);
  faults.job(175.6 * step + 170);
  const ExactResult exact = world.exact(faults.until(far_ns), 200);
  EXPECT_EQ(exact.kept_steps, 200);
  EXPECT_EQ(exact.full_recoveries, 2);
  const auto slower = [&](std::int64_t step_ns) { return step_ns > world.step_ns() + 1'000'000; };
  // 20.5 steps' time less a checkpoint of 3 s, at 1.17 times the step time: 15 to 17 of them.
  EXPECT_GE(std::ranges::count_if(exact.step_ns, slower), 15);
  const LifecycleResult fast = world.fast(faults.until(exact.wall_ns + world.step_ns() / 2));
  EXPECT_EQ(fast.kept_steps, exact.kept_steps);
  EXPECT_EQ(fast.lost_steps, exact.lost_steps);
  EXPECT_EQ(fast.checkpoints, exact.checkpoints);
  const double fast_s = s(fast_time_to(world, faults, 200, exact.wall_ns));
  EXPECT_NEAR(s(exact.wall_ns), fast_s, 1e-3 * fast_s);
  RecordProperty("deviation_ppb", std::to_string(1e9 * (s(exact.wall_ns) / fast_s - 1)));
  EXPECT_NEAR(s(exact.wall_ns), fast_s, 1e-5 * fast_s);  // it is closer than asked for
}

TEST(ExactRun, ALossTakesTheJobThroughItsRecovery) {
  // Step 26 of about a second is under way at 24 + 3 s... of the checkpoint of step 20. Lost: steps 21 to 25 and a
  // part.
  ExactWorld world(eight_replicas());
  const double step = s(world.step_ns());
  FaultList faults(world.cluster);
  faults.node(25.5 * step + 3, 1e5, 0);
  const ExactResult result = world.exact(faults.until(far_ns), 40);
  EXPECT_EQ(result.lost_steps, 5);
  EXPECT_NEAR(bucket_s(result, Bucket::lost_work), 5.5 * step, 1e-6);
  EXPECT_NEAR(bucket_s(result, Bucket::detect), 30, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::reallocate), 60, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::comm_init), 10, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::load), 40, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::catch_up), 7, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::checkpoint), 3, 1e-8);
  EXPECT_NEAR(s(result.wall_ns), 45.5 * step + 3 + 147, 1e-5);
}

TEST(ExactRun, ASecondLossBeginsTheRecoveryAgain) {
  // 10 s into the detection; and a third, of the node that would have been the spare, 40 s later, which costs no more.
  ExactWorld world(eight_replicas());
  const double step = s(world.step_ns());
  FaultList faults(world.cluster);
  faults.node(5 * step, 1e5, 0).node(5 * step + 10, 1e5, 1);
  const ExactResult result = world.exact(faults.until(far_ns), 10);
  EXPECT_EQ(result.full_recoveries, 1);
  EXPECT_NEAR(bucket_s(result, Bucket::detect), 40, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::reallocate), 60, 1e-8);
  const LifecycleResult fast = world.fast(faults.until(result.wall_ns + 1000));
  for (const Bucket b : {Bucket::detect, Bucket::reallocate, Bucket::load, Bucket::catch_up, Bucket::spare_wait})
    EXPECT_NEAR(bucket_s(result, b), s(fast.bucket(b)), 1e-8);
}

TEST(ExactRun, OutOfSparesTheJobWaitsForARepair) {
  // Nodes 0, 1, 2 die together: two spares, so the job waits for the first repair, 500 s after the fault.
  ExactWorld world(eight_replicas());
  FaultList faults(world.cluster);
  for (const std::uint32_t node : {0U, 1U, 2U}) faults.node(10.25, 500 + 100 * node, node);
  const ExactResult result = world.exact(faults.until(far_ns), 12);
  EXPECT_NEAR(bucket_s(result, Bucket::detect), 30, 1e-8);
  EXPECT_NEAR(bucket_s(result, Bucket::spare_wait), 470, 1e-8);
  EXPECT_EQ(result.kept_steps, 12);
}

TEST(ExactRun, ACutUplinkSlowsTheRingThatUsedIt) {
  // Rail 0's leaf has four uplinks, one ring flow each way over one of them. With that one down the flow takes another
  // and nothing changes; with three down there is one left, still enough for one flow; with that at half speed the
  // rings' transfer doubles.
  ExactWorld world(eight_replicas());
  const StepBreakdown healthy = world.step_model.step_incremental(StepState{});
  FaultList rerouted(world.cluster), slowed(world.cluster);
  for (const std::uint32_t spine : {0U, 1U, 2U}) {
    rerouted.cable(0.5, 1e5, world.uplink(0, spine), 0);
    slowed.cable(0.5, 1e5, world.uplink(0, spine), 0);
  }
  slowed.cable(0.5, 1e5, world.uplink(0, 3), 0.5);
  EXPECT_NEAR(s(world.exact(rerouted.until(far_ns), 5).wall_ns), 5 * healthy.step_time_s, 1e-6);
  const ExactResult result = world.exact(slowed.until(far_ns), 5);
  const double latency_s = 14 * (2e-6 + 2e-6);  // 2(n - 1) rounds over NIC, leaf, spine, leaf, NIC
  EXPECT_NEAR(s(result.step_ns[1]), healthy.step_time_s + healthy.data_parallel_s - latency_s, 1e-6);
}

TEST(ExactRun, WhatIsInFlightGoesOnAtTheNewSpeed) {
  // The cable of a ring is at half speed for the second half of one reduction: three halves of its transfer.
  ExactWorld world(eight_replicas());
  const StepBreakdown healthy = world.step_model.step_incremental(StepState{});
  const double latency_s = 14 * 4e-6, transfer_s = healthy.data_parallel_s - latency_s;
  const double half_s = healthy.step_time_s - healthy.data_parallel_s + transfer_s / 2;
  FaultList faults(world.cluster);
  const topology::VertexId nic = world.cluster.nic(0, 0);
  const topology::ArcId access = world.cluster.arcs_between(nic, world.cluster.leaf_of_nic(nic)).first;
  faults.cable(half_s, 10, access, 0.5);
  const ExactResult result = world.exact(faults.until(far_ns), 1);
  EXPECT_NEAR(s(result.step_ns[0]), healthy.step_time_s + transfer_s / 2, 1e-7);
}

TEST(ExactRun, HiddenTransfersAreHiddenAndSlowNodesAreWaitedFor) {
  // ZeRO 1 with overlap: reduce-scatter and all-gather, partly under compute.
  JobSpec job = eight_replicas();
  job.zero_stage = 1;
  job.data_overlap = 0.02;
  job.compute_time_s = 0.2;
  ExactWorld world(job);
  const StepBreakdown healthy = world.step_model.step_incremental(StepState{});
  ASSERT_GT(healthy.hidden_data_parallel_s, 0);
  ASSERT_GT(healthy.data_parallel_s, 0);
  EXPECT_NEAR(s(world.exact(Outages(far_ns), 3).wall_ns), 3 * healthy.step_time_s, 1e-6);
  FaultList faults(world.cluster);
  faults.slow(0, 1e5, 4, 0.5);
  StepState slow;
  slow.compute_speed = 0.5;
  const ExactResult result = world.exact(faults.until(far_ns), 3);
  EXPECT_NEAR(s(result.step_ns[1]), world.step_model.step_incremental(slow).step_time_s, 1e-6);
}

TEST(ExactRun, AsynchronousCheckpointsWaitForEachOtherAndAreLostWhileWritten) {
  SchemeSpec spec = restart_spec();
  spec.checkpoint.write = CheckpointSpec::Write::asynchronous;
  spec.checkpoint.snapshot_s = 1;
  spec.checkpoint.write_s = 15;
  ExactWorld world(eight_replicas(), spec);
  const double step = s(world.step_ns());
  FaultList faults(world.cluster);
  faults.job(40 * step + 2 + 10);  // ten seconds into the writing of step 40's: back to step 20
  const ExactResult exact = world.exact(faults.until(far_ns), 60);
  EXPECT_GE(exact.lost_steps, 20);
  const LifecycleResult fast = world.fast(faults.until(exact.wall_ns + world.step_ns() / 2));
  EXPECT_EQ(fast.kept_steps, 60);
  EXPECT_EQ(fast.lost_steps, exact.lost_steps);
}

TEST(ExactRun, EndsAtTheHorizon) {
  ExactWorld world(eight_replicas());
  const double step = s(world.step_ns());
  const ExactResult result = world.exact(Outages(seconds(7.5 * step)), 1000);
  EXPECT_EQ(result.kept_steps, 7);
  EXPECT_EQ(result.wall_ns, seconds(7.5 * step));
  EXPECT_NEAR(bucket_s(result, Bucket::productive), 7.5 * step, 1e-8);
  // Every node of the job dies and nothing is repaired before the end.
  FaultList faults(world.cluster);
  for (std::uint32_t node = 0; node < 8; ++node) faults.node(1.5, 1e9, node);
  EXPECT_EQ(world.exact(faults.until(seconds(1000)), 100).wall_ns, seconds(1000));
}

TEST(ExactRun, SharesTheEngineWithFlowSolves) {
  ExactWorld world(eight_replicas());
  const double step = s(world.step_ns());
  FaultList faults(world.cluster);
  faults.node(2.5 * step, 1e5, 1).cable(1, 1e5, world.uplink(0, 0), 0);
  const Outages outages = faults.until(far_ns);
  MaxMinProblem problem;
  problem.capacity_Bps = {3};
  problem.add_flow(10, std::vector<MaxMinProblem::Crossing>{{0, 1}});
  const std::vector<double> alone_s = completion_s(problem);
  const ExactResult first = world.exact(outages, 4);
  EXPECT_EQ(completion_s(problem), alone_s);  // links and hosts that were off are on again
  ExactResult second;
  {
    std::jthread exact([&] { second = world.exact(outages, 4); });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(completion_s(problem), alone_s);
  }
  EXPECT_EQ(second.step_ns, first.step_ns);
  EXPECT_EQ(second.bucket_ns, first.bucket_ns);
}

TEST(ExactRun, RefusesWhatItIsNotMeantFor) {
  ExactWorld world(eight_replicas());
  EXPECT_THROW(world.exact(Outages(far_ns), exact_steps_max + 1), std::invalid_argument);
  SchemeSpec drop = restart_spec();
  drop.kind = SchemeKind::drop_replica;
  EXPECT_THROW(ExactWorld(eight_replicas(), drop).exact(Outages(far_ns), 10), std::invalid_argument);
  topology::ClusterSpec large = ten_nodes();
  large.nodes = 136;
  JobSpec job = eight_replicas();
  job.layout.data = 136;
  job.global_batch = 136 * 8;
  EXPECT_THROW(ExactWorld(job, restart_spec(), large).exact(Outages(far_ns), 10), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::sim
