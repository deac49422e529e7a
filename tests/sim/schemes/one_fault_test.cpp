// One fault at a known instant under each scheme, every bucket worked out by hand.
//
// Undisturbed: steps 1-10 in 0-100 s, checkpoint 100-120, steps 11-20 in 120-220, checkpoint 220-240, step 21 in
// 240-250. The fault at 255 s finds step 22 half done and the checkpoint of step 20 durable.
#include <gtest/gtest.h>

#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

const Faults one_fault = Faults(1000).nodes(255, 1e5, {0});

// Lost: step 21 (10 s) and half of 22 (5 s). 255 detect 285 reallocate 345 comm-init 355 load 395 catch-up 402.
// Steps 21-30 in 402-502, checkpoint -522, 31-40 -622, -642, 41-50 -742, -762, 51-60 -862, -882, 61-70 -982, and 18 s
// of the next checkpoint. Checkpoints: 6 x 20 + 18. The work of 15 s is done again from 402 to 417.
TEST(OneFault, CheckpointRestart) {
  const LifecycleResult r = run(SmallJob{}, plain_spec(SchemeKind::checkpoint_restart), one_fault);
  EXPECT_EQ(buckets(r), (Seconds{700, 15, 0, 138, 30, 0, 60, 0, 10, 40, 7}));
  EXPECT_EQ(r.wall_ns, seconds(1000));
  EXPECT_EQ(r.kept_steps, 70);
  EXPECT_EQ(r.lost_steps, 1);
  EXPECT_EQ(r.kept_samples, 70);
  EXPECT_EQ(r.recompute_ns, seconds(15));
  EXPECT_EQ(r.checkpoints, 6);
  EXPECT_EQ(r.full_recoveries, 1);
  EXPECT_EQ(r.faults, 1);
  EXPECT_EQ(r.faults_felt, 1);
  EXPECT_EQ(r.faults_in_recovery, 0);
  EXPECT_EQ(r.replica_losses, 0);
  // The spare is in use from 285, when the reallocation begins: 715 of 1000 s.
  EXPECT_EQ(r.spares_in_use_p50, 1);
  EXPECT_EQ(r.spares_in_use_max, 1);
}

// Lost: 5 s of step 22. 255 detect 285 quorum 290 comm-init 300. Steps 22-30 with 3 of 4 replicas in 300-390,
// checkpoint -410. The spare: reallocated 300-360, loads 360-410, ready at 410, a step boundary: comm-init -420, rejoin
// stall and catch-up 5 + 7 -432. Steps 31-40 -532, -552, 41-50 -652, -672, 51-60 -772, -792, 61-70 -892, -912, 71-78
// -992 and 8 s of step 79. Samples: 9 steps count 3/4. Progress with B_noise far above the batch: 2 - 4/3 = 2/3.
TEST(OneFault, DropReplica) {
  const LifecycleResult r = run(SmallJob{}, plain_spec(SchemeKind::drop_replica), one_fault);
  EXPECT_EQ(buckets(r), (Seconds{788, 5, 0, 140, 30, 5, 0, 0, 20, 0, 12}));
  EXPECT_EQ(r.kept_steps, 78);
  EXPECT_EQ(r.lost_steps, 0);
  EXPECT_DOUBLE_EQ(r.kept_samples, 78 - 9 * 0.25);
  EXPECT_DOUBLE_EQ(r.progress_steps, 69 + 9 * 2.0 / 3);
  EXPECT_EQ(r.recompute_ns, 0);
  EXPECT_EQ(r.full_recoveries, 0);
  EXPECT_EQ(r.replica_losses, 1);
  EXPECT_EQ(r.rejoins, 1);
  // One replica missing for 110 s (300-410) of the 788 + 5 + 140 s of running.
  EXPECT_DOUBLE_EQ(r.replicas_missing_mean, 110.0 / 933);
}

// Every step costs 0.5 s more, 1 s more while a replica is missing, and the lost shards 3 s of load. Steps of 10.5 s:
// 1-10 -105, checkpoint -125, 11-20 -230, -250, step 21 has 5 s when the fault comes at 255: lost. Detect -285, quorum
// -290, comm-init -300, load -303. Steps of 11 s from 303: 21-30 -413, checkpoint -433. The spare is ready at 303 + 60
// + 50 = 413 and waits for the checkpoint. 433 comm-init -443, catch-up -455. Then 31-40 -560, -580, 41-50 -685, -705,
// 51-60 -810, -830, 61-70 -935, -955, 71-74 -997, and 3 s of step 75.
// Kept: 74 steps of 10 s and the 3 s; overhead 64 x 0.5 + 10 x 1. Progress of the ten: 2/3 - 0.4 x 1/4.
TEST(OneFault, Compensate) {
  SchemeSpec spec = plain_spec(SchemeKind::compensate);
  spec.statistics.estimation_penalty = 0.4;
  SmallJob job;
  SchemeContext context = job.context();
  context.bytes.shard_per_gpu = 3 * 50e9;
  context.compensation_always_s = 0.5;
  context.compensation_while_missing_s = 0.5;
  PlainCosts costs(4);
  const LifecycleResult r = simulate(job.map(), *make_scheme(spec, context), one_fault.done(), costs);
  EXPECT_EQ(buckets(r), (Seconds{743, 5, 42, 140, 30, 5, 0, 0, 20, 3, 12}));
  EXPECT_EQ(r.kept_steps, 74);
  EXPECT_DOUBLE_EQ(r.kept_samples, 74 - 10 * 0.25);
  EXPECT_DOUBLE_EQ(r.progress_steps, 64 + 10 * (2.0 / 3 - 0.1));
  EXPECT_EQ(r.replica_losses, 1);
  EXPECT_EQ(r.rejoins, 1);
}

// The half of step 22 that was done stands: 22 ends 5 s after the job goes on at 300, as the survivors do the rest;
// 23-30 -385, checkpoint -405, step 31 begins; the spare is ready at 410 and waits for its end at 415. Comm-init -425,
// catch-up -437; 32-40 -527, -547, 41-50 -647, -667, 51-60 -767, -787, 61-70 -887, -907, 71-79 -997, 3 s of step 80.
TEST(OneFault, KeptStepInFlight) {
  SchemeSpec spec = plain_spec(SchemeKind::drop_replica);
  spec.keep_step_in_flight = true;
  const LifecycleResult r = run(SmallJob{}, spec, one_fault);
  EXPECT_EQ(buckets(r), (Seconds{793, 0, 0, 140, 30, 5, 0, 0, 20, 0, 12}));
  EXPECT_EQ(r.kept_steps, 79);
  EXPECT_DOUBLE_EQ(r.kept_samples, 79 - 10 * 0.25);  // 22-31
}

// Three survivors share the whole batch: steps of 40/3 s from 300. 22-29 end at 406.666..., 30 would at 420; the spare
// is ready at 410, step 30 ends at 420 and is a checkpoint, -440: rejoin, comm-init -450, catch-up -462; 31-40 -562,
// -582, 41-50 -682, -702, 51-60 -802, -822, 61-70 -922, -942, 71-75 -992, 8 s of step 76. No sample is missing.
TEST(OneFault, RedistributedBatch) {
  SchemeSpec spec = plain_spec(SchemeKind::drop_replica);
  spec.redistribute_batch = true;
  const LifecycleResult r = run(SmallJob{}, spec, one_fault);
  EXPECT_EQ(r.kept_steps, 75);
  EXPECT_EQ(r.kept_samples, 75);
  EXPECT_EQ(r.progress_steps, 75);
  // 9 steps of 13.333333333 s lose 3 ns to rounding, which the step in flight at the end gains.
  EXPECT_EQ(buckets(r), (Seconds{788, 5, 0, 140, 30, 5, 0, 0, 20, 0, 12}));
}

// Planned: announced, so nothing hangs; the rest as before, 30 s earlier.
TEST(OneFault, PlannedFaultNeedsNoDetection) {
  const Faults planned = Faults(1000).nodes(255, 1e5, {0}, true);
  const LifecycleResult restart = run(SmallJob{}, plain_spec(SchemeKind::checkpoint_restart), planned);
  // Up at 372: 21-30 -472, -492, 31-40 -592, -612, 41-50 -712, -732, 51-60 -832, -852, 61-70 -952, -972, 71-72, 8 s.
  EXPECT_EQ(buckets(restart), (Seconds{728, 15, 0, 140, 0, 0, 60, 0, 10, 40, 7}));
  const LifecycleResult drop = run(SmallJob{}, plain_spec(SchemeKind::drop_replica), planned);
  EXPECT_EQ(drop.bucket(Bucket::detect), 0);
  EXPECT_EQ(drop.bucket(Bucket::quorum), seconds(5));
}

// Software faults stop everybody: no replica scheme survives them. As checkpoint/restart, and a quorum.
TEST(OneFault, JobWideFaultRestartsReplicaSchemesToo) {
  for (const SchemeKind kind : {SchemeKind::drop_replica, SchemeKind::compensate}) {
    const LifecycleResult r = run(SmallJob{}, plain_spec(kind), Faults(1000).job(255));
    EXPECT_EQ(r.full_recoveries, 1);
    EXPECT_EQ(r.replica_losses, 0);
    // Up at 407: 21-30 -507, -527, 31-40 -627, -647, 41-50 -747, -767, 51-60 -867, -887, 61-70 -987, 13 s of writing.
    EXPECT_EQ(buckets(r), (Seconds{700, 15, 0, 133, 30, 5, 60, 0, 10, 40, 7}));
    EXPECT_EQ(r.spares_in_use_max, 0);
  }
}

}  // namespace
}  // namespace toposim::sim::test
