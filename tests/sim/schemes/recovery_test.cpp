// Failures that meet a recovery or a checkpoint, and nodes that are not there: checkpoint/restart by hand.
// Undisturbed: a cycle is 100 s of steps and a checkpoint of 20 s. A recovery is detect 30, reallocate 60, comm-init
// 10, load 40, catch-up 7.
#include <gtest/gtest.h>

#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

const SchemeSpec restart = plain_spec(SchemeKind::checkpoint_restart);

// As OneFault.CheckpointRestart until 300: 15 s of reallocation (285-300) are spent when node 3 fails. Again: detect
// -330, reallocate -390, comm-init -400, load -440, catch-up -447; 21-30 -547, -567, 31-40 -667, -687, 41-50 -787,
// -807, 51-60 -907, -927, 61-67 -997, 3 s.
TEST(Recovery, FailureDuringRecoveryBeginsItAgain) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, restart, Faults(1000).nodes(255, 1e5, {0}).nodes(300, 1e5, {3}));
  EXPECT_EQ(buckets(r), (Seconds{673, 15, 0, 120, 60, 0, 75, 0, 10, 40, 7}));
  EXPECT_EQ(r.full_recoveries, 1);
  EXPECT_EQ(r.faults_in_recovery, 1);
  EXPECT_EQ(r.faults_felt, 2);
  EXPECT_EQ(r.spares_in_use_max, 2);
}

// The fault meets a node that has failed already (its second fault, repaired later): nothing new is lost.
TEST(Recovery, OverlappingFaultsOnANode) {
  const LifecycleResult r = run(SmallJob{}, restart, Faults(1000).nodes(255, 100, {0}).nodes(300, 1e5, {0}));
  EXPECT_EQ(buckets(r), buckets(run(SmallJob{}, restart, Faults(1000).nodes(255, 1e5, {0}))));
  EXPECT_EQ(r.faults_in_recovery, 0);
  EXPECT_EQ(r.faults_felt, 1);
}

// At 110 the checkpoint of step 10 is half written: nothing is durable, the job starts from scratch. Up at 257: 1-10
// -357, -377, 11-20 -477, -497, 21-30 -597, -617, 31-40 -717, -737, 41-50 -837, -857, 51-60 -957, -977, 23 s.
// Checkpoints: 10 + 6 x 20.
TEST(Recovery, FailureDuringBlockingWriteLosesTheCheckpoint) {
  const LifecycleResult r = run(SmallJob{}, restart, Faults(1000).nodes(110, 1e5, {0}));
  EXPECT_EQ(buckets(r), (Seconds{623, 100, 0, 130, 30, 0, 60, 0, 10, 40, 7}));
  EXPECT_EQ(r.lost_steps, 10);
  EXPECT_EQ(r.checkpoints, 6);
  EXPECT_EQ(r.recompute_ns, seconds(100));
}

SchemeSpec asynchronous() {
  SchemeSpec spec = restart;
  spec.checkpoint.write = CheckpointSpec::Write::asynchronous;
  spec.checkpoint.snapshot_s = 2;
  spec.checkpoint.write_s = 40;
  return spec;
}

// Steps 1-10 -100, snapshot -102, 11-20 -202, snapshot -204, durable at 244. At 240 it is not: back to step 10. Lost:
// 11-20 and 36 s (21-23, 6 s of 24). Up at 387: 11-20 -487, -489 and so on every 102 s: 20 at 489, 30 at 591, 40 at
// 693, 50 at 795, 60 at 897, 70 at 999, 1 s. Snapshots: 2 + 6 of 2 s.
TEST(Recovery, FailureBeforeAnAsynchronousCheckpointIsDurable) {
  const LifecycleResult r = run(SmallJob{}, asynchronous(), Faults(1000).nodes(240, 1e5, {0}));
  EXPECT_EQ(buckets(r), (Seconds{701, 136, 0, 16, 30, 0, 60, 0, 10, 40, 7}));
  EXPECT_EQ(r.kept_steps, 70);
  EXPECT_EQ(r.lost_steps, 13);
  EXPECT_EQ(r.checkpoints, 6);  // 10, 20, 30, 40, 50, 60 durable; 70 not by 1000
}

// At 245 it is durable: back to step 20 only; 4 steps and 1 s are lost.
TEST(Recovery, FailureAfterAnAsynchronousCheckpointIsDurable) {
  const LifecycleResult r = run(SmallJob{}, asynchronous(), Faults(1000).nodes(245, 1e5, {0}));
  EXPECT_EQ(r.bucket(Bucket::lost_work), seconds(41));
  EXPECT_EQ(r.lost_steps, 4);
}

// No spare. Down at 255, detected at 285, node 0 repaired at 655: 370 s of waiting, then reallocate -715, comm-init
// -725, load -765, catch-up -772; 21-30 -872, -892, 31-40 -992, 8 s of writing.
TEST(Recovery, OutOfSparesWaitsForTheFirstRepair) {
  SmallJob job;
  job.spares = 0;
  const LifecycleResult r = run(job, restart, Faults(1000).nodes(255, 400, {0}));
  EXPECT_EQ(buckets(r), (Seconds{400, 15, 0, 68, 30, 0, 60, 370, 10, 40, 7}));
}

// Two slots vacant, one spare: it waits for one repair (node 1 at 555), not for both.
TEST(Recovery, WaitsUntilEverySlotIsFilled) {
  const LifecycleResult r = run(SmallJob{}, restart, Faults(1000).nodes(255, 500, {0}).nodes(255, 300, {1}));
  EXPECT_EQ(r.bucket(Bucket::spare_wait), seconds(555 - 285));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(30));
  EXPECT_EQ(r.faults_in_recovery, 1);  // the second at the same instant
}

// A fault while the job waits for a spare begins the recovery again too: 255 detect -285, wait -400, detect -430, wait
// until both are back at 755.
TEST(Recovery, FailureWhileWaitingForASpare) {
  SmallJob job;
  job.spares = 0;
  const LifecycleResult r = run(job, restart, Faults(1000).nodes(255, 500, {0}).nodes(400, 100, {1}));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(60));
  EXPECT_EQ(r.bucket(Bucket::spare_wait), seconds(115 + 325));
  EXPECT_EQ(r.bucket(Bucket::reallocate), seconds(60));
}

// The spare (node 8) is under repair from 200 to 800 when node 0 fails at 255: wait from 285 to 800.
TEST(Recovery, ASpareThatFailedCannotBeUsed) {
  const LifecycleResult r = run(SmallJob{}, restart, Faults(1000).nodes(200, 600, {8}).nodes(255, 1e5, {0}));
  EXPECT_EQ(r.bucket(Bucket::spare_wait), seconds(515));
  EXPECT_EQ(r.faults_felt, 1);  // the job does not feel a fault of an idle spare
}

// The spare stands in for node 0 and fails itself at 600: by then it is a node of the job.
TEST(Recovery, ASpareThatStandsInFailsLikeAnyNode) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, restart, Faults(1000).nodes(255, 1e5, {0}).nodes(600, 1e5, {8}));
  EXPECT_EQ(r.full_recoveries, 2);
  EXPECT_EQ(r.faults_felt, 2);
  // And the failed node, back as a spare, may fail without being felt.
  const LifecycleResult back = run(job, restart, Faults(1000).nodes(255, 100, {0}).nodes(600, 1e5, {0}));
  EXPECT_EQ(back.full_recoveries, 1);
  EXPECT_EQ(back.faults_felt, 1);
}

// A leaf takes six of eight nodes at once: one recovery, six spares.
TEST(Recovery, LeafFaultTakesManyNodesAtOnce) {
  SmallJob job;
  job.spares = 6;
  const Faults leaf = Faults(1000).nodes(255, 1e5, {0, 1, 2, 3, 4, 5});
  const LifecycleResult r = run(job, restart, leaf);
  EXPECT_EQ(buckets(r), buckets(run(SmallJob{}, restart, Faults(1000).nodes(255, 1e5, {0}))));
  EXPECT_EQ(r.spares_in_use_max, 6);
  EXPECT_EQ(r.full_recoveries, 1);
}

// Announced and not: the unannounced one still has to be noticed.
TEST(Recovery, PlannedFaultDuringRecoveryDoesNotCutDetectionShort) {
  SmallJob job;
  job.spares = 2;
  const LifecycleResult r = run(job, restart, Faults(1000).nodes(255, 1e5, {0}).nodes(260, 1e5, {3}, true));
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(35));
  const LifecycleResult both = run(job, restart, Faults(1000).nodes(255, 1e5, {0}, true).nodes(260, 1e5, {3}, true));
  EXPECT_EQ(both.bucket(Bucket::detect), 0);
  EXPECT_EQ(both.bucket(Bucket::reallocate), seconds(65));
}

TEST(Recovery, FaultAtTimeZeroAndAtTheHorizon) {
  const LifecycleResult r = run(SmallJob{}, restart, Faults(1000).job(0).job(1000));
  EXPECT_EQ(r.faults, 1);
  EXPECT_EQ(r.lost_steps, 0);
  EXPECT_EQ(r.bucket(Bucket::lost_work), 0);
  EXPECT_EQ(r.bucket(Bucket::detect), seconds(30));
}

// The log tells the story in order of time.
TEST(Recovery, Log) {
  faults::FaultSpec spec;
  spec.classes.resize(1);
  spec.classes[0].name = "gpu";
  LifecycleLog log(spec);
  run(SmallJob{}, restart, Faults(1000).nodes(255, 200, {0}), &log);
  std::vector<std::string> story;
  for (const LifecycleEvent& e : log.events)
    story.push_back(std::to_string(e.time_ns / 1'000'000'000) + " " + e.event + (e.cause.empty() ? "" : " " + e.cause) +
                    " step " + std::to_string(e.step));
  EXPECT_EQ(story, (std::vector<std::string>{"0 start step 0", "240 checkpoint step 20", "255 fault gpu step 21",
                                             "255 rollback step 20", "255 detect step 20", "285 reallocate step 20",
                                             "345 comm_init step 20", "355 load step 20", "395 catch_up step 20",
                                             "402 resume step 20", "455 repair gpu step 25", "882 checkpoint step 60",
                                             "1000 end step 70"}));
  const LifecycleEvent& fault = log.events[2];
  EXPECT_EQ(fault.node, 0);
  EXPECT_EQ(fault.replica, 0);
  EXPECT_EQ(fault.replicas_active, 3);
  EXPECT_EQ(fault.spares_free, 1);
}

}  // namespace
}  // namespace toposim::sim::test
