// Steps and checkpoints without faults: by hand, and the same however the time is cut up.
#include "sim/lifecycle/training.hpp"

#include <gtest/gtest.h>

#include <random>

namespace toposim::sim {
namespace {

constexpr CheckpointPlan blocking{3, 5, 0, false};
constexpr CheckpointPlan asynchronous{3, 5, 20, true};

// Steps of 7 + 2, a checkpoint of 5 after every third: a cycle of 32. In 100: three cycles (96) and 4 of step 10.
TEST(Training, BlockingCheckpoints) {
  Training training(blocking, {7, 2, 0.5, 0.25});
  training.run(100);
  EXPECT_EQ(training.kept().steps, 9);
  EXPECT_EQ(training.kept().productive_ns, 63);
  EXPECT_EQ(training.kept().overhead_ns, 18);
  EXPECT_EQ(training.kept().samples, 4.5);
  EXPECT_EQ(training.kept().progress, 2.25);
  EXPECT_EQ(training.checkpoint_ns(), 15);
  EXPECT_EQ(training.checkpoints(), 3);
  EXPECT_EQ(training.durable().steps, 9);
  EXPECT_EQ(training.durable_since_ns(), 96);
  EXPECT_EQ(training.time_to_boundary_ns(), 5);
  training.finish();
  EXPECT_EQ(training.kept().productive_ns, 67);  // the step in flight: its own time first, overhead last
}

// Steps of 7, a snapshot of 5 after every third, durable 20 later: 21 of computing hide the write. Snapshots end at 26,
// 52, 78, 104; durable at 46, 72, 98.
TEST(Training, AsynchronousCheckpoints) {
  Training training(asynchronous, {7, 0});
  training.run(97);
  EXPECT_EQ(training.checkpoints(), 2);
  EXPECT_EQ(training.durable().steps, 6);
  EXPECT_EQ(training.durable_since_ns(), 72);
  training.run(1);
  EXPECT_EQ(training.checkpoints(), 3);
  EXPECT_EQ(training.durable().steps, 9);
  EXPECT_EQ(training.durable_since_ns(), 98);
  EXPECT_EQ(training.kept().steps, 11);
  EXPECT_EQ(training.checkpoint_ns(), 15);
}

// Steps of 5: computing 15 does not hide a write of 20, so each checkpoint waits 5 for the one before. Snapshots end at
// 20, then every 15 + 5 + 5 = 25: 45, 70, 95; durable at 40, 65, 90. Standing still: 5, then 10 each time.
TEST(Training, CheckpointWaitsForTheOneBefore) {
  Training training(asynchronous, {5, 0});
  training.run(95);
  EXPECT_EQ(training.kept().steps, 12);
  EXPECT_EQ(training.checkpoint_ns(), 35);
  EXPECT_EQ(training.checkpoints(), 3);
  EXPECT_EQ(training.durable().steps, 9);
  EXPECT_EQ(training.durable_since_ns(), 90);
}

// Back to step 6 (the checkpoint of step 9 is being written until 98): steps 7-10 and 6 of step 11, 34 of time, are
// lost, and take 34 again.
TEST(Training, RollsBackToTheLastDurableCheckpoint) {
  Training training(asynchronous, {7, 0});
  training.run(91);
  training.roll_back();
  EXPECT_EQ(training.kept().steps, 6);
  EXPECT_EQ(training.lost_steps(), 4);
  EXPECT_EQ(training.lost_ns(), 34);
  training.run(21 + 5 + 7 + 7);  // steps 7-9, a snapshot, 10, 11
  EXPECT_EQ(training.kept().steps, 11);
  EXPECT_EQ(training.kept().recompute_ns, 34);
  training.roll_back();  // the checkpoint of step 9 was not yet durable
  EXPECT_EQ(training.kept().steps, 6);
  EXPECT_EQ(training.kept().recompute_ns, 0);
}

TEST(Training, AbandonedCheckpointIsTakenAtTheNextGridPoint) {
  Training training(blocking, {7, 0});
  training.run(23);  // 2 into the write of step 3
  training.abandon_checkpoint();
  EXPECT_EQ(training.time_to_boundary_ns(), 0);
  training.run(21);
  EXPECT_EQ(training.kept().steps, 6);
  EXPECT_EQ(training.checkpoints(), 0);
  training.run(5);
  EXPECT_EQ(training.checkpoints(), 1);
  EXPECT_EQ(training.durable().steps, 6);
  EXPECT_EQ(training.checkpoint_ns(), 7);
}

// 3 of 10 done; the other 7/10 take 7/10 of 16, 11.2, rounded up to 12. The step has then taken 15.
TEST(Training, PaceChangeStretchesTheStepInFlight) {
  Training training(blocking, {10, 0});
  training.run(3);
  training.set_pace({16, 0, 0.5, 0.5});
  EXPECT_EQ(training.time_to_boundary_ns(), 12);
  training.run(12);
  EXPECT_EQ(training.kept().steps, 1);
  EXPECT_EQ(training.kept().productive_ns, 15);
  EXPECT_EQ(training.kept().samples, 0.5);
  training.run(16);
  EXPECT_EQ(training.kept().productive_ns, 31);
}

TEST(Training, StepsLongerThanAnyRunAreNotAnOverflow) {
  Training training({1'000'000'000'000, 5, 0, false}, {4'000'000'000'000'000'000, 0});
  training.run(4'500'000'000'000'000'000);
  EXPECT_EQ(training.kept().steps, 1);
  training.set_pace({1, 0});
  EXPECT_EQ(training.time_to_boundary_ns(), 1);
}

void expect_equal(const Training& a, const Training& b) {
  EXPECT_EQ(a.kept().steps, b.kept().steps);
  EXPECT_EQ(a.kept().productive_ns, b.kept().productive_ns);
  EXPECT_EQ(a.kept().overhead_ns, b.kept().overhead_ns);
  EXPECT_EQ(a.kept().recompute_ns, b.kept().recompute_ns);
  EXPECT_EQ(a.kept().samples, b.kept().samples);
  EXPECT_EQ(a.lost_ns(), b.lost_ns());
  EXPECT_EQ(a.lost_steps(), b.lost_steps());
  EXPECT_EQ(a.checkpoint_ns(), b.checkpoint_ns());
  EXPECT_EQ(a.checkpoints(), b.checkpoints());
  EXPECT_EQ(a.durable().steps, b.durable().steps);
  EXPECT_EQ(a.durable_since_ns(), b.durable_since_ns());
  EXPECT_EQ(a.time_to_boundary_ns(), b.time_to_boundary_ns());
}

// Whole cycles at once must be what nanosecond by nanosecond gives, through rollbacks, losses and changes of pace.
TEST(Training, SameInOneGoAndNanosecondByNanosecond) {
  std::mt19937 random(7);
  const auto up_to = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % (n + 1)); };
  for (int round = 0; round < 300; ++round) {
    const bool async = up_to(1) == 1;
    const CheckpointPlan plan{1 + up_to(4), up_to(6), async ? up_to(40) : 0, async};
    const Pace pace{1 + up_to(9), up_to(3)};
    Training whole(plan, pace), ticks(plan, pace);
    std::int64_t spent = 0;
    for (int i = 0; i < 12; ++i) {
      const std::int64_t dt = up_to(i % 3 == 0 ? 400 : 30);
      whole.run(dt);
      for (std::int64_t t = 0; t < dt; ++t) ticks.run(1);
      spent += dt;
      expect_equal(whole, ticks);
      const std::int64_t what = up_to(4);
      const Pace next{1 + up_to(9), up_to(3)};
      for (Training* training : {&whole, &ticks}) {
        if (what == 0) training->roll_back();
        if (what == 1) training->drop_step();
        if (what == 2) training->set_pace(next);
        if (what == 3) training->abandon_checkpoint();
      }
      expect_equal(whole, ticks);
    }
    whole.finish();
    const Work& kept = whole.kept();
    EXPECT_EQ(kept.productive_ns + kept.overhead_ns + whole.lost_ns() + whole.checkpoint_ns(), spent);
    EXPECT_LE(kept.recompute_ns, kept.productive_ns + kept.overhead_ns);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace toposim::sim
