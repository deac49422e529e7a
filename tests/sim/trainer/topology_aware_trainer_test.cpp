#include "sim/trainer/topology_aware_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace toposim::trainer::test {
namespace {

constexpr float unread = std::numeric_limits<float>::quiet_NaN();

/// Eight workers in two domains of four, two parameters. Worker w has the gradient (w, 10 w).
struct Job {
  TrainerSpec spec;
  std::vector<float> gradients;
  std::vector<std::uint8_t> answered = std::vector<std::uint8_t>(8, 1);
  std::vector<float> out = {-1, -1};
  explicit Job(const char* estimator) {
    spec.neighborhood.domain = {0, 0, 0, 0, 1, 1, 1, 1};
    spec.neighborhood.parameters = 2;
    spec.neighborhood.sketch_width = 64;
    spec.estimator = estimator;
    for (int w = 0; w < 8; ++w)
      gradients.insert(gradients.end(), {static_cast<float>(w), 10.0F * static_cast<float>(w)});
  }
  void kill(std::size_t worker) {
    answered[worker] = 0;
    gradients[2 * worker] = gradients[2 * worker + 1] = unread;
  }
};

TEST(Trainer, WithoutFaultsTheMeanIsApplied) {
  // Mean of 0 .. 7 = 3.5.
  Job job("shrink");
  TopologyAwareTrainer trainer(job.spec);
  const StepReport report = trainer.step(job.gradients, 2, job.answered, 5, job.out);
  EXPECT_EQ(report.action, Action::plain);
  EXPECT_EQ(report.detect_s, 0);
  EXPECT_EQ(job.out, (std::vector<float>{3.5F, 35}));
}

TEST(Trainer, OneDeadIsEstimatedFromItsDomain) {
  // Worker 0 dead; its neighbours 1, 2, 3 have mean 2: (2 + 1 + .. + 7) / 8 = 30 / 8.
  Job job("uniform");
  TopologyAwareTrainer trainer(job.spec);
  trainer.step(job.gradients, 2, job.answered, 5, job.out);  // everyone beat at 5
  job.kill(0);
  const StepReport report = trainer.step(job.gradients, 2, job.answered, 6, job.out);
  EXPECT_EQ(report.action, Action::compensated);
  EXPECT_EQ(report.missing, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(report.detect_s, 2);  // last beat at 5, suspected from 8
  EXPECT_NEAR(job.out[0], 3.75, 1e-6);
  EXPECT_NEAR(job.out[1], 37.5, 1e-5);
  EXPECT_NEAR(estimators::coefficient_sum(report.coefficients), 1, 1e-12);
}

TEST(Trainer, DropIsTheMeanOfTheSurvivors) {
  Job job("drop");
  TopologyAwareTrainer trainer(job.spec);
  job.kill(0);
  trainer.step(job.gradients, 2, job.answered, 5, job.out);
  EXPECT_NEAR(job.out[0], 4, 1e-6);  // (1 + .. + 7) / 7
}

TEST(Trainer, PastTheThresholdOnlyAFullRecoveryHelps) {
  // 2 of 4 in domain 1 are above 25 %.
  Job job("shrink");
  TopologyAwareTrainer trainer(job.spec);
  job.kill(4);
  job.kill(5);
  StepReport report = trainer.step(job.gradients, 2, job.answered, 5, job.out);
  EXPECT_EQ(report.action, Action::full_recovery);
  EXPECT_EQ(report.reason, "domain 1 lost 2 of 4, above 25 %");
  EXPECT_EQ(job.out, (std::vector<float>{-1, -1})) << "nothing is applied";

  Job large("shrink");
  large.spec.neighborhood.domain = std::vector<std::uint32_t>(8, 0);
  TopologyAwareTrainer one_domain(large.spec);
  for (const std::size_t w : {0, 1, 2}) large.kill(w);
  report = one_domain.step(large.gradients, 2, large.answered, 5, large.out);
  EXPECT_EQ(report.action, Action::full_recovery);
  EXPECT_EQ(report.reason, "domain 0 lost 3 of 8, above 25 %");
  large.answered[0] = 1;  // 2 of 8 are the threshold itself
  large.gradients[0] = large.gradients[1] = 0;
  EXPECT_EQ(one_domain.step(large.gradients, 2, large.answered, 6, large.out).action, Action::compensated);
}

TEST(Trainer, WithoutQuorumOnlyAFullRecoveryHelps) {
  // 4 of 8 gone: nobody has a majority, whatever the threshold.
  Job job("shrink");
  job.spec.domain_threshold = 1;
  TopologyAwareTrainer trainer(job.spec);
  for (const std::size_t w : {0, 1, 4, 5}) job.kill(w);
  const StepReport report = trainer.step(job.gradients, 2, job.answered, 5, job.out);
  EXPECT_EQ(report.action, Action::full_recovery);
  EXPECT_EQ(report.reason, "no quorum on worker 0 in domain 0");
}

TEST(Trainer, HistoryIsKeptForThoseWhoAskForIt) {
  // stale: worker 7's gradient of the last step, (7, 70), although its rows have changed since.
  Job job("stale");
  TopologyAwareTrainer trainer(job.spec);
  trainer.step(job.gradients, 2, job.answered, 5, job.out);
  for (float& x : job.gradients) x = 1;
  job.kill(7);
  const StepReport report = trainer.step(job.gradients, 2, job.answered, 6, job.out);
  EXPECT_NEAR(job.out[0], 14.0 / 8, 1e-6);  // (7 x 1 + 7) / 8
  EXPECT_NEAR(job.out[1], 77.0 / 8, 1e-5);
  ASSERT_EQ(report.estimates.dead.size(), 1U);
  EXPECT_EQ(report.estimates.dead[0].terms, (std::vector<estimators::Term>{{1, 7, 1.0}}));
}

TEST(Trainer, MoreWorkersThanOneCallTakesArePooledInPasses) {
  // 4,100 workers with gradient 1 each, the library pools 4,096 at a time: mean 1.
  TrainerSpec spec;
  spec.neighborhood.domain.assign(4100, 0);
  spec.neighborhood.parameters = 1;
  spec.estimator = "drop";
  TopologyAwareTrainer trainer(spec);
  const std::vector<float> gradients(4100, 1.0F);
  const std::vector<std::uint8_t> answered(4100, 1);
  std::vector<float> out(1);
  trainer.step(gradients, 1, answered, 5, out);
  EXPECT_NEAR(out[0], 1, 1e-5);
}

TEST(Trainer, TheSameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 3}) {
    Job job("shrink");
    job.spec.neighborhood.threads = threads;
    TopologyAwareTrainer trainer(job.spec);
    job.kill(2);
    trainer.step(job.gradients, 2, job.answered, 5, job.out);
    results.push_back(job.out);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Trainer, BadCallsAreNamed) {
  Job job("shrinkage");
  EXPECT_THROW(TopologyAwareTrainer{job.spec}, std::invalid_argument);
  Job no_sketch("shrink");
  no_sketch.spec.neighborhood.sketch_width = 0;
  EXPECT_THROW(TopologyAwareTrainer{no_sketch.spec}, std::invalid_argument);
  Job good("drop");
  TopologyAwareTrainer trainer(good.spec);
  EXPECT_THROW(trainer.step(good.gradients, 2, std::vector<std::uint8_t>(7, 1), 5, good.out), std::invalid_argument);
  EXPECT_THROW(trainer.step(good.gradients, 1, good.answered, 5, good.out), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::trainer::test
