// What slows the job without stopping it: nodes that compute slowly, cables that are cut.
#include <gtest/gtest.h>

#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

SchemeSpec without_checkpoints(SchemeKind kind) {
  SchemeSpec spec = plain_spec(kind);
  spec.checkpoint.write_s = 0;
  return spec;
}
const SchemeSpec plain_restart = without_checkpoints(SchemeKind::checkpoint_restart);

// Half speed from 205 to 315: the second half of step 21 takes 10 s (-215), 22-26 take 20 s each (-315); then 10 s
// again: 27 at 325, ... (1000 - 315) / 10 = 68.5.
TEST(Slow, ASlowNodeSlowsEverybody) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(205, 110, 3, 0.5));
  EXPECT_EQ(r.kept_steps, 26 + 68);
  EXPECT_EQ(r.bucket(Bucket::productive), seconds(1000));
  EXPECT_EQ(r.faults_felt, 1);
}

// The change back meets a step half way as well: at 320 step 27 has had 5 of 20 s; 3/4 of 10 s are left: 327.5.
TEST(Slow, TheStepInFlightIsStretchedBothWays) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(205, 115, 3, 0.5));
  EXPECT_EQ(r.kept_steps, 27 + 67);  // (1000 - 327.5) / 10 = 67.25
}

// Two slow nodes: the slower one counts. 0.8 all along (80 steps), 0.5 from 500 to 700 for 16 of them: 10.
TEST(Slow, TheSlowestNodeCounts) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(0, 1e5, 3, 0.8).slow(500, 200, 6, 0.5));
  EXPECT_EQ(r.kept_steps, 80 - 16 + 10);
  EXPECT_EQ(r.faults_felt, 2);
}

TEST(Slow, AnIdleSpareSlowsNobody) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(100, 1e5, 8, 0.5));
  EXPECT_EQ(r.kept_steps, 100);
  EXPECT_EQ(r.faults_felt, 0);
}

// It does once it stands in for node 0: up at 402 (OneFault), steps of 20 s. No checkpoint time: 25 steps by 255, of
// which 20 kept; (1000 - 402) / 20 = 29.9.
TEST(Slow, ASlowSpareSlowsEverybodyOnceItIsUsed) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(100, 1e5, 8, 0.5).nodes(255, 1e5, {0}));
  EXPECT_EQ(r.kept_steps, 20 + 29);
}

// A slow node that fails takes its slowness along.
TEST(Slow, ASlowNodeThatFailsIsReplacedByAFastOne) {
  const LifecycleResult r = run(SmallJob{}, plain_restart, Faults(1000).slow(200, 1e5, 0, 0.5).nodes(255, 1e5, {0}));
  EXPECT_EQ(r.kept_steps, 20 + 59);
}

// With the slow replica dropped the others run at full speed: node 0 slow from 200, its neighbour 1 fails at 255.
TEST(Slow, ASlowNodeOfAMissingReplicaSlowsNobody) {
  SmallJob job;
  job.spares = 0;
  const LifecycleResult r =
      run(job, without_checkpoints(SchemeKind::drop_replica), Faults(1000).slow(200, 1e5, 0, 0.5).nodes(255, 1e5, {1}));
  EXPECT_EQ(r.kept_steps, 22 + 70);  // 20, 2 slow ones by 240; from 300 on 10 s each
}

// Steps of 15 s while the cable is cut, whichever of its two faults is on: 100-300 and 200-400.
TEST(Slow, CablesAreAtTheWorstOfTheirFaults) {
  const LifecycleResult r =
      run(SmallJob{}, plain_restart, Faults(1000).cable(100, 200, 4, 0.5).cable(200, 200, 4, 0.25));
  EXPECT_EQ(r.kept_steps, 10 + 20 + 60);
  EXPECT_EQ(r.faults_felt, 1);  // the second makes no difference to these costs
}

// No route from 255 to 555: the job stands still with its half step, and goes on where it was.
TEST(Slow, NoRouteStopsTheJobUntilTheRepair) {
  PlainCosts costs(4);
  costs.no_route_when_down = true;
  SmallJob job;
  const Faults faults = Faults(1000).cable(255, 300, 4, 0);
  const LifecycleResult r = simulate(job.map(), *make_scheme(plain_restart, job.context()), faults.done(), costs);
  EXPECT_EQ(r.kept_steps, 70);
  EXPECT_EQ(r.bucket(Bucket::spare_wait), seconds(300));
  EXPECT_EQ(r.bucket(Bucket::productive), seconds(700));
  EXPECT_EQ(r.faults_felt, 1);
}

}  // namespace
}  // namespace toposim::sim::test
