// The plug-in point with a scheme from outside: just-in-time checkpointing. After a loss the survivors save the state
// of the last step; spares take over and everybody loads it: the step in flight is all that is lost.
#include <gtest/gtest.h>

#include "sim/lifecycle/lifecycle.hpp"

namespace toposim::sim {
namespace {

class JustInTime final : public Scheme {
 public:
  JustInTime(const RecoveryCosts& costs, const CheckpointPlan& plan) : Scheme("just_in_time", costs, plan) {}
  Response respond(const Losses& losses) const override {
    Response response{losses.job_wide ? ResumeFrom::checkpoint : ResumeFrom::last_step, {}};
    response.stages.add(Bucket::detect, 30)
        .add(Bucket::checkpoint, 8)  // saved by the survivors
        .add(Bucket::spare_wait, Stage::by_state)
        .add(Bucket::reallocate, costs().reallocate_ns)
        .add(Bucket::load, costs().load_ns);
    return response;
  }
  bool can_run(std::span<const std::uint32_t> missing) const override { return missing.empty(); }
  StepTerms step_terms(std::span<const std::uint32_t>) const override { return {}; }
  std::vector<std::pair<std::string, double>> settings() const override { return {}; }
  std::vector<std::string> assumptions() const override { return {}; }
};

class TenPerStep final : public StepCostModel {
 public:
  std::int64_t step_time_ns(const StepState&) override { return 10; }
};

// Steps of 10, checkpoints of 5 every 100 steps. Fault at 755: 75 steps and 5 of step 76, which is lost. Detect -785,
// save -793, reallocate -853, load -863; 76-88 in 863-993, 7 of step 89.
TEST(PlugIn, JustInTimeCheckpointLosesTheStepInFlightOnly) {
  RecoveryCosts costs;
  costs.reallocate_ns = 60;
  costs.load_ns = 10;
  const JustInTime scheme(costs, {100, 5, 0, false});
  Outages outages(1000);
  const std::vector<std::uint32_t> nodes{1};
  outages.add(755, 10'000, {0, false, false, nodes, {}, {}});
  outages.sort();
  TenPerStep steps;
  const LifecycleResult r = simulate(JobMap(1, {{0}, {1}}), scheme, outages, steps);
  EXPECT_EQ(r.kept_steps, 88);
  EXPECT_EQ(r.lost_steps, 0);
  EXPECT_EQ(r.bucket(Bucket::productive), 887);
  EXPECT_EQ(r.bucket(Bucket::lost_work), 5);
  EXPECT_EQ(r.bucket(Bucket::detect), 30);
  EXPECT_EQ(r.bucket(Bucket::checkpoint), 8);
  EXPECT_EQ(r.bucket(Bucket::reallocate), 60);
  EXPECT_EQ(r.bucket(Bucket::load), 10);
  EXPECT_EQ(r.full_recoveries, 1);
}

}  // namespace
}  // namespace toposim::sim
