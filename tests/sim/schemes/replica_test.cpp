// Replicas that come and go while the job runs: drop_replica and compensate by hand.
// Four replicas of two nodes; a loss is detect 30, quorum 5, comm-init 10; a replica is back 60 + 50 s after a spare is
// found, at a step boundary, for a stall of comm-init 10 and 5 + 7.
#include <gtest/gtest.h>

#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

const SchemeSpec drop = plain_spec(SchemeKind::drop_replica);

JobMap on_slots(std::uint32_t spares, const std::vector<std::vector<std::uint32_t>>& slots) {
  return JobMap(spares, slots);
}

LifecycleResult run_on(const JobMap& map, const SchemeSpec& spec, const Faults& faults) {
  SmallJob job;
  PlainCosts costs(4);
  return simulate(map, *make_scheme(spec, job.context()), faults.done(), costs);
}

// Two replicas on a node: the fault at 255 takes both. 22-30 in 300-390 with half the samples, and so on as in
// OneFault.DropReplica; both come back together at 410 and share one stall.
TEST(Replicas, TwoReplicasPerNode) {
  const LifecycleResult r = run_on(on_slots(1, {{0, 1}, {2, 3}}), drop, Faults(1000).nodes(255, 1e5, {0}));
  EXPECT_EQ(buckets(r), (Seconds{788, 5, 0, 140, 30, 5, 0, 0, 20, 0, 12}));
  EXPECT_DOUBLE_EQ(r.kept_samples, 78 - 9 * 0.5);
  EXPECT_EQ(r.replica_losses, 2);
  EXPECT_EQ(r.rejoins, 2);
}

// 1 s a rank: without replica 0 the communicators between replicas have 3 ranks, with it again 4, so 13 s and 14 s. A
// full restart builds all of 4 replicas x 2 ranks: 18 s.
TEST(Replicas, RegroupingCountsReplicasARestartCountsRanks) {
  SchemeSpec slow_init = drop;
  slow_init.recovery.comm_init_per_rank_s = 1;
  EXPECT_EQ(run(SmallJob{}, slow_init, Faults(1000).nodes(255, 1e5, {0})).bucket(Bucket::comm_init), seconds(27));
  EXPECT_EQ(run(SmallJob{}, slow_init, Faults(1000).job(255)).bucket(Bucket::comm_init), seconds(18));
}

// Replicas 0 and 1 meet on the middle node.
TEST(Replicas, ANodeThatTouchesTwoReplicas) {
  const LifecycleResult r = run_on(on_slots(1, {{0}, {0, 1}, {1}, {2}, {3}}), drop, Faults(1000).nodes(255, 1e5, {1}));
  EXPECT_EQ(r.replica_losses, 2);
  EXPECT_EQ(r.rejoins, 2);
  EXPECT_EQ(r.bucket(Bucket::comm_init), seconds(20));
}

// A replica misses two nodes and there is one spare: it comes back when both slots are filled. Node 0 back at 655:
// ready at 765.
TEST(Replicas, AReplicaNeedsAllItsNodes) {
  LifecycleResult r = run(SmallJob{}, drop, Faults(700).nodes(255, 400, {0, 1}));
  EXPECT_EQ(r.replica_losses, 1);
  EXPECT_EQ(r.rejoins, 0);
  r = run(SmallJob{}, drop, Faults(1000).nodes(255, 400, {0, 1}));
  EXPECT_EQ(r.rejoins, 1);
}

// Replica 0 is out since 255; that its other node fails at 320 stops nobody. The second spare takes that place at once:
// 320 + 110 = 430 instead of 410.
TEST(Replicas, AFaultOfAMissingReplicaStopsNobody) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, drop, Faults(1000).nodes(255, 1e5, {0}).nodes(320, 1e5, {1}));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(30));
  EXPECT_EQ(r.replica_losses, 1);
  EXPECT_EQ(r.rejoins, 1);
  EXPECT_EQ(r.faults_felt, 1);
  // 22-30 -390, checkpoint -410, 31, 32 -430: ready, rejoin. 11 steps with 3 of 4.
  EXPECT_DOUBLE_EQ(r.kept_samples, static_cast<double>(r.kept_steps) - 11 * 0.25);
}

// Its spare (node 8) fails while it loads: it waits for the next one.
TEST(Replicas, ASpareThatFailsWhileLoading) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, drop, Faults(1000).nodes(255, 1e5, {0}).nodes(350, 1e5, {8}));
  EXPECT_EQ(r.rejoins, 1);
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(30));
  // Spare 9 from 350: ready at 460. 22-30 -390, -410, 31-35 -460. 14 steps with 3 of 4.
  EXPECT_DOUBLE_EQ(r.kept_samples, static_cast<double>(r.kept_steps) - 14 * 0.25);
}

// Losses at 255 and 262 (during detection): together from 262: detect -292, quorum -297, comm-init -307. Both ready at
// 417: 22-30 -397, checkpoint -417: one stall. Waited: 7 + 30 s of detection.
TEST(Replicas, SeveralRejoinsShareOneStall) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, drop, Faults(1000).nodes(255, 1e5, {0}).nodes(262, 1e5, {2}));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(37));
  EXPECT_EQ(r.bucket(Bucket::quorum), seconds(5));
  EXPECT_EQ(r.bucket(Bucket::comm_init), seconds(20));
  EXPECT_EQ(r.bucket(Bucket::catch_up), seconds(12));
  EXPECT_EQ(r.rejoins, 2);
  EXPECT_EQ(r.replica_losses, 2);
  EXPECT_EQ(r.faults_in_recovery, 1);
  EXPECT_EQ(r.full_recoveries, 0);
}

// The rejoin begins at 410 (OneFault.DropReplica). At 425, 5 s into its catch-up, node 2 of replica 1 fails: detect
// -455, quorum -460, comm-init for two replicas -470. Replica 0 is still ready and rejoins at once: -480, -492. The
// second spare: 470 + 110 = 580: steps 31-39 in 492-582, rejoin -592, -604.
TEST(Replicas, AFaultDuringARejoin) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, drop, Faults(1000).nodes(255, 1e5, {0}).nodes(425, 1e5, {2}));
  EXPECT_EQ(r.rejoins, 2);
  EXPECT_EQ(r.replica_losses, 2);
  EXPECT_EQ(r.faults_in_recovery, 1);
  EXPECT_EQ(r.bucket(Bucket::comm_init), seconds(10 + 10 + 10 + 10 + 10));
  EXPECT_EQ(r.bucket(Bucket::catch_up), seconds(5 + 12 + 12));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(60));
  EXPECT_DOUBLE_EQ(r.kept_samples, static_cast<double>(r.kept_steps) - 18 * 0.25);  // 22-30 and 31-39
}

// Minimum 3/4: the second loss leaves 2 of 4, so everybody restarts from the checkpoint of step 20 (durable at 240);
// one spare fills replica 0, and 3 of 4 are enough to go on at once. 302: detect -332, quorum -337, reallocate -397,
// comm-init -407, load -447, catch-up -454. Replica 1 is still missing; its node is back at 602.
TEST(Replicas, TooFewReplicasRestartFromTheCheckpointShrunk) {
  SchemeSpec spec = drop;
  spec.minimum_replicas = 0.75;
  const LifecycleResult r = run(SmallJob{}, spec, Faults(700).nodes(255, 1e5, {0}).nodes(302, 300, {2}));
  EXPECT_EQ(r.full_recoveries, 1);
  EXPECT_EQ(r.replica_losses, 2);  // replica 0 at 300, replica 1 at 454
  EXPECT_EQ(r.bucket(Bucket::spare_wait), 0);
  EXPECT_EQ(r.bucket(Bucket::reallocate), seconds(60));
  EXPECT_EQ(r.bucket(Bucket::load), seconds(40));
  // Steps 21 and 22 (lost at 302: 10 s, 5 s when replica 0 fell out, 2 s).
  EXPECT_EQ(r.bucket(Bucket::lost_work), seconds(17));
  EXPECT_EQ(r.lost_steps, 1);
  // 454: 21-30 -554, checkpoint -574, 31-40 -674, checkpoint -694, 6 s; all with 3 of 4 (ready at 712).
  EXPECT_DOUBLE_EQ(r.kept_samples, 40 - 20 * 0.25);
}

// The same without a spare: 2 of 4 are not enough, so the job waits for node 2 at 602.
TEST(Replicas, WaitsForASpareWhenTooFewAreLeft) {
  SmallJob job;
  job.spares = 0;
  SchemeSpec spec = drop;
  spec.minimum_replicas = 0.75;
  const LifecycleResult r = run(job, spec, Faults(700).nodes(255, 1e5, {0}).nodes(302, 300, {2}));
  EXPECT_EQ(r.bucket(Bucket::spare_wait), seconds(602 - 337));
  EXPECT_EQ(r.bucket(Bucket::reallocate), seconds(60));
}

TEST(Replicas, AllReplicasLostIsAFullRecovery) {
  SmallJob job;
  job.spares = 8;
  SchemeSpec spec = drop;
  spec.minimum_replicas = 0;
  const LifecycleResult r = run(job, spec, Faults(1000).nodes(255, 1e5, {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(r.full_recoveries, 1);
  EXPECT_EQ(r.replica_losses, 0);
}

// A checkpoint that was being written when a replica falls out is lost, though the job goes on: its share is gone.
TEST(Replicas, ALossDuringACheckpointLosesIt) {
  const LifecycleResult r = run(SmallJob{}, drop, Faults(400).nodes(110, 1e5, {0}).job(300));
  // 1-10 -100, 10 s of checkpoint, stop -155, 11-20 -255, checkpoint -275, ready at 265: rejoin -285, -297, 3 s of 21.
  EXPECT_EQ(r.checkpoints, 1);
  EXPECT_EQ(r.bucket(Bucket::checkpoint), seconds(30));
  EXPECT_EQ(r.bucket(Bucket::lost_work), seconds(3));
  EXPECT_EQ(r.kept_steps, 20);
}

// Twelve replicas of one node in domains of four; domain share 1/4 is allowed, more is not.
struct Thresholds : ::testing::Test {
  SmallJob job{12, 1, 12, 4};
  SchemeSpec spec = plain_spec(SchemeKind::compensate);
  std::int64_t restarts(const std::vector<std::uint32_t>& nodes) {
    return run(job, spec, Faults(1000).nodes(255, 1e5, nodes)).full_recoveries;
  }
};

TEST_F(Thresholds, Domain) {
  spec.threshold = SchemeSpec::Threshold::domain;
  EXPECT_EQ(restarts({0, 4, 8}), 0);  // 1 of 4 in each: not more than 25 %
  EXPECT_EQ(restarts({0, 1}), 1);     // 2 of 4 in the first
  EXPECT_EQ(restarts({3, 4}), 0);     // neighbours in two domains
}

TEST_F(Thresholds, Job) {
  spec.threshold = SchemeSpec::Threshold::job;
  EXPECT_EQ(restarts({0, 1, 2}), 0);  // 3 of 12
  EXPECT_EQ(restarts({0, 1, 2, 3}), 1);
  EXPECT_EQ(restarts({0, 4, 8, 9}), 1);
}

TEST_F(Thresholds, Either) {
  spec.threshold = SchemeSpec::Threshold::either;
  spec.job_threshold = 0.1;
  EXPECT_EQ(restarts({0}), 0);
  EXPECT_EQ(restarts({0, 1}), 1);
  EXPECT_EQ(restarts({0, 4}), 1);
}

// Earlier losses count: one replica is still missing when the second of its domain falls out.
TEST_F(Thresholds, CountEarlierLosses) {
  spec.threshold = SchemeSpec::Threshold::domain;
  job.spares = 0;
  const LifecycleResult r = run(job, spec, Faults(1000).nodes(255, 1e5, {0}).nodes(500, 100, {1}));
  EXPECT_EQ(r.full_recoveries, 1);
  EXPECT_EQ(r.replica_losses, 2);  // 0 at first, 1 after the restart: node 1 came back and took the place of 0
}

}  // namespace
}  // namespace toposim::sim::test
