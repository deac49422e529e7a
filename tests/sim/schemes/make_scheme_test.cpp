#include "sim/schemes/make_scheme.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sim/schemes/statistics.hpp"
#include "sim/schemes/tolerance.hpp"
#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

double setting(const Scheme& scheme, const std::string& name) {
  for (const auto& [key, value] : scheme.settings())
    if (key == name) return value;
  ADD_FAILURE() << scheme.name() << " has no setting " << name;
  return std::nan("");
}

TEST(MakeScheme, SettingsAreWhatItRunsWith) {
  SmallJob job;
  SchemeContext context = job.context();
  context.bytes.shard_per_gpu = 150e9;
  const auto scheme = make_scheme(plain_spec(SchemeKind::compensate), context);
  EXPECT_EQ(scheme->name(), "compensate");
  EXPECT_EQ(setting(*scheme, "checkpoint_interval_steps"), 10);
  EXPECT_EQ(setting(*scheme, "checkpoint_interval_s"), 100);
  EXPECT_EQ(setting(*scheme, "checkpoint_write_s"), 20);
  EXPECT_EQ(setting(*scheme, "detect_s"), 30);
  EXPECT_EQ(setting(*scheme, "comm_init_s"), 10);
  EXPECT_EQ(setting(*scheme, "load_s"), 40);
  EXPECT_EQ(setting(*scheme, "peer_load_s"), 50);
  EXPECT_EQ(setting(*scheme, "shard_load_s"), 3);
  EXPECT_EQ(setting(*scheme, "domain_threshold"), 0.25);
  EXPECT_FALSE(scheme->assumptions().empty());
  EXPECT_TRUE(make_scheme(plain_spec(SchemeKind::checkpoint_restart), context)->assumptions().empty());
}

// Interval for the failures that force a restart from it: all for checkpoint/restart (sqrt(2 x 20 x 1000) = 200 s), the
// job-wide ones for replica schemes (sqrt(2 x 20 x 9000) = 600 s); where there are none, all.
TEST(MakeScheme, CheckpointIntervalFollowsWhatTheSchemeCannotSurvive) {
  SmallJob job;
  SchemeContext context = job.context();
  context.stop_mtti_s = 1000;
  context.restart_mtti_s = 9000;
  const auto steps = [&](SchemeKind kind, double mtti_s = 0) {
    SchemeSpec spec = plain_spec(kind);
    spec.checkpoint.interval_rule = CheckpointSpec::Interval::young;
    spec.checkpoint.mtti_s = mtti_s;
    return make_scheme(spec, context)->checkpoints().interval_steps;
  };
  EXPECT_EQ(steps(SchemeKind::checkpoint_restart), 20);
  EXPECT_EQ(steps(SchemeKind::drop_replica), 60);
  EXPECT_EQ(steps(SchemeKind::compensate), 60);
  EXPECT_EQ(steps(SchemeKind::compensate, 4000), 40);  // given
  context.restart_mtti_s = INFINITY;
  EXPECT_EQ(steps(SchemeKind::drop_replica), 20);
}

// A replica scheme that no single loss leaves running checkpoints for every loss; one that two of five leave running (a
// domain of two, where one dead is more than 40 %, and one of three, where it is not) for the job-wide faults and two
// fifths of the others: 1/9000 + 2/5 (1/1000 - 1/9000) = 4.2/9000 per second.
TEST(MakeScheme, CheckpointIntervalCountsLossesThatAreTooMuchAlone) {
  SmallJob job;
  SchemeContext context = job.context();
  context.stop_mtti_s = 1000;
  context.restart_mtti_s = 9000;
  SchemeSpec spec = plain_spec(SchemeKind::compensate);
  EXPECT_EQ(full_recovery_mtti_s(Tolerance(spec, context), context), 9000);
  spec.domain_threshold = 0.1;
  EXPECT_DOUBLE_EQ(full_recovery_mtti_s(Tolerance(spec, context), context), 1000);
  spec.checkpoint.interval_rule = CheckpointSpec::Interval::young;
  EXPECT_EQ(make_scheme(spec, context)->checkpoints().interval_steps, 20);
  spec = plain_spec(SchemeKind::drop_replica);
  spec.minimum_replicas = 1;
  EXPECT_DOUBLE_EQ(full_recovery_mtti_s(Tolerance(spec, context), context), 1000);

  context.layout.data = 5;
  context.domains = topology::Domains(5, {2});
  ASSERT_EQ(context.domains.count(), 2u);
  spec = plain_spec(SchemeKind::compensate);
  spec.domain_threshold = 0.4;
  EXPECT_DOUBLE_EQ(full_recovery_mtti_s(Tolerance(spec, context), context), 9000 / 4.2);
  context.restart_mtti_s = context.stop_mtti_s = INFINITY;
  EXPECT_EQ(full_recovery_mtti_s(Tolerance(spec, context), context), INFINITY);
}

// 63 of 419 unplanned faults in 54 days stop the whole job; nodes and planned ones do not count.
TEST(MakeScheme, RestartRate) {
  faults::FaultSpec spec;
  spec.classes.resize(3);
  const double days = 54 * 86400;
  spec.classes[0].name = "software";
  spec.classes[0].component = faults::Component::job;
  spec.classes[0].mtbf_s = days / 60;
  spec.classes[0].job_fraction = 0.5;
  spec.classes[1].name = "gpu";
  spec.classes[1].mtbf_s = days;
  spec.classes[2] = spec.classes[0];
  spec.classes[2].name = "upgrade";
  spec.classes[2].planned = true;
  for (auto& c : spec.classes) c.repair.mean_s = 60;
  EXPECT_DOUBLE_EQ(restart_rate_per_s(faults::FaultModel(spec, std::vector<std::uint32_t>{1, 100, 1})), 30 / days);
}

TEST(MakeScheme, RefusesValuesOutOfRange) {
  SmallJob job;
  SchemeSpec spec = plain_spec(SchemeKind::compensate);
  spec.minimum_replicas = 1.5;
  EXPECT_THROW(make_scheme(spec, job.context()), std::invalid_argument);
  spec = plain_spec(SchemeKind::compensate);
  spec.job_threshold = -0.1;
  EXPECT_THROW(make_scheme(spec, job.context()), std::invalid_argument);
  spec = plain_spec(SchemeKind::checkpoint_restart);
  spec.recovery.detect_s = std::nan("");
  EXPECT_THROW(make_scheme(spec, job.context()), std::invalid_argument);
}

// 2s - s^2 (1 + B_noise/B') / (1 + B_noise/B) at B = 64, B' = 48.
TEST(Statistics, QuadraticModel) {
  using Rate = StatisticsSpec::LearningRate;
  StatisticsSpec spec;
  EXPECT_EQ(step_progress(spec, 64, 1), 1);
  EXPECT_DOUBLE_EQ(step_progress(spec, 64, 0.75), 2 - 4.0 / 3);  // B_noise far above B
  EXPECT_EQ(step_progress(spec, 64, 0.25), 0);                   // 2 - 4: harm, clipped
  spec.learning_rate = Rate::linear;
  EXPECT_DOUBLE_EQ(step_progress(spec, 64, 0.75), 0.75);  // 1.5 - 0.5625 x 4/3
  spec.learning_rate = Rate::sqrt;
  EXPECT_DOUBLE_EQ(step_progress(spec, 64, 0.75), 2 * std::sqrt(0.75) - 1);
  spec.learning_rate = Rate::keep;
  spec.noise_scale_samples = 64;
  EXPECT_DOUBLE_EQ(step_progress(spec, 64, 0.75), 2 - (1 + 64.0 / 48) / 2);
  spec.noise_scale_samples = 0;  // no noise: samples make no difference
  EXPECT_EQ(step_progress(spec, 64, 0.75), 1);
}

}  // namespace
}  // namespace toposim::sim::test
