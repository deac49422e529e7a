// Whole runs of the smallest workload. Images are put into domains by their label: what a good clustering would find.
#include "sim/emulator/training_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "gradient_errors.hpp"

namespace toposim::emulator::test {
namespace {

const workloads::Workload* mlp() {
  static const auto workload = []() -> std::unique_ptr<workloads::Workload> {
    if (!std::filesystem::exists(workloads::DataPaths{}.fashion_mnist)) return nullptr;
    return workloads::make_workload("fashion-mlp");
  }();
  return workload.get();
}
#define NEEDS_DATA() \
  if (mlp() == nullptr) GTEST_SKIP() << "no Fashion-MNIST at " << workloads::DataPaths{}.fashion_mnist

/// Workers in domains of 8; domain d of 10 holds label d.
RunSpec spec_of(std::size_t domains, std::uint64_t steps) {
  RunSpec spec;
  spec.steps = steps;
  for (std::uint32_t w = 0; w < 8 * domains; ++w) spec.worker_domain.push_back(w / 8);
  for (std::size_t s = 0; s < mlp()->sample_count(); ++s)
    spec.sample_domain.push_back(mlp()->sample_label(s) % static_cast<std::uint32_t>(domains));
  spec.deal.global_mix = 0;
  spec.domain_threshold = 1;
  spec.evaluation_limit = 500;
  spec.threads = 2;
  return spec;
}

/// Of every compensated step.
std::vector<GradientErrors> errors_of(const RunSpec& spec) {
  std::vector<GradientErrors> errors;
  RunObserver observer;
  observer.compensated = [&](std::uint64_t step, std::span<const float> gradients, const trainer::StepReport& report,
                             std::span<const float> applied) {
    errors.push_back(gradient_errors(gradients, applied.size(), spec.worker_domain, report, applied));
    errors.back().step = step;
  };
  run_training(*mlp(), spec, observer);
  return errors;
}

double mean_of(const std::vector<GradientErrors>& errors, double GradientErrors::*field) {
  double sum = 0;
  for (const GradientErrors& e : errors) sum += e.*field;
  return sum / static_cast<double>(errors.size());
}

TEST(TrainingRun, DropsErrorIsThatOfASmallerSample) {
  // i.i.d. gradients of variance s^2: drop - full = mean over W - k less mean over W, variance s^2 (1 / (W - k) - 1 /
  // W) = (s^2 / W) k / (W - k), and s^2 / W is the full gradient's own. 16 of 64 dead: sqrt(16 / 48) = 0.577.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 30);
  spec.deal.sharing = Sharing::iid;
  spec.faults = {FaultPattern::permanent, 0.25, 6, 0, 5};
  spec.estimator = "drop";
  const std::vector<GradientErrors> errors = errors_of(spec);
  ASSERT_EQ(errors.size(), 30U);
  EXPECT_NEAR(mean_of(errors, &GradientErrors::over_noise), std::sqrt(16.0 / 48), 0.1 * std::sqrt(16.0 / 48));
  EXPECT_DOUBLE_EQ(mean_of(errors, &GradientErrors::over_drop), 1);
  EXPECT_NEAR(mean_of(errors, &GradientErrors::effective_sample_size), 48, 1e-9);
}

TEST(TrainingRun, NeighboursHelpWhereDomainsDifferAndNotWhereTheyDoNot) {
  // Six of eight workers of one domain in ten lost: a tenth of the classes is nearly gone for drop.
  NEEDS_DATA();
  RunSpec spec = spec_of(10, 20);
  spec.faults = {FaultPattern::skewed, 6.0 / 80, 6, 0, 5};
  spec.estimator = "shrink";
  const std::vector<GradientErrors> clustered = errors_of(spec);
  spec.deal.sharing = Sharing::iid;
  const std::vector<GradientErrors> iid = errors_of(spec);
  EXPECT_LT(mean_of(clustered, &GradientErrors::over_drop), 0.7);
  EXPECT_GT(mean_of(clustered, &GradientErrors::lambda), 0.7);
  EXPECT_NEAR(mean_of(iid, &GradientErrors::over_drop), 1, 0.05);
  EXPECT_LT(mean_of(iid, &GradientErrors::lambda), 0.2);
}

TEST(TrainingRun, ZeroFillShortensTheStep) {
  // 12 of 64 dead: coefficients add up to 52 / 64.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 1);
  spec.faults = {FaultPattern::permanent, 12.0 / 64, 6, 0, 5};
  spec.estimator = "zero";
  const std::vector<GradientErrors> errors = errors_of(spec);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_NEAR(errors[0].coefficient_sum, 52.0 / 64, 1e-12);
}

TEST(TrainingRun, PastTheThresholdWorkersAreReplaced) {
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 4);
  spec.domain_threshold = 0.25;
  spec.faults = {FaultPattern::domain, 0, 6, 2, 5};
  const RunResult result = run_training(*mlp(), spec);
  EXPECT_EQ(result.full_recoveries, 1U);
  EXPECT_EQ(result.compensated_steps, 0U);
  EXPECT_EQ(result.dead_worker_steps, 8U);
  // After it the run is the fault-free one.
  RunSpec clean = spec_of(8, 4);
  EXPECT_EQ(run_training(*mlp(), clean).parameters, result.parameters);
}

TEST(TrainingRun, TheSameBitsForAnyNumberOfThreads) {
  NEEDS_DATA();
  RunSpec spec = spec_of(5, 4);
  spec.faults = {FaultPattern::transient, 0.1, 6, 0, 5};
  spec.threads = 1;
  const RunResult one = run_training(*mlp(), spec);
  spec.threads = 3;
  const RunResult three = run_training(*mlp(), spec);
  EXPECT_EQ(one.parameters, three.parameters);
  EXPECT_EQ(one.losses, three.losses);
  EXPECT_GT(one.compensated_steps, 0U);
}

TEST(TrainingRun, ItLearns) {
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 60);
  spec.schedule.peak_rate = 2e-3;
  const RunResult result = run_training(*mlp(), spec);
  EXPECT_LT(result.losses.back(), 0.5 * result.losses.front());
  EXPECT_GT(result.evaluation.metric, 0.6);  // accuracy; guessing reaches 0.1
}

TEST(TrainingRun, WithOneCopyTheCorrectionIsNone) {
  // The mean over equal domains of beta g_d + (1 - beta) g is g: up to rounding, whatever beta is.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 20);
  const RunResult plain = run_training(*mlp(), spec);
  spec.correction = {0.7, Copies::shared, 0};
  const RunResult corrected = run_training(*mlp(), spec);
  EXPECT_NEAR(corrected.evaluation.loss, plain.evaluation.loss, 1e-3 * plain.evaluation.loss);
  EXPECT_TRUE(corrected.copy_distances.empty());
}

TEST(TrainingRun, CopiesThatAllFollowTheGradientOfAllStayTogether) {
  NEEDS_DATA();
  RunSpec spec = spec_of(4, 5);
  const RunResult plain = run_training(*mlp(), spec);
  spec.correction = {0, Copies::per_domain, 0};
  const RunResult copies = run_training(*mlp(), spec);
  EXPECT_EQ(copies.parameters, plain.parameters);
  EXPECT_EQ(copies.copy_distances, std::vector<double>(5, 0.0));
}

TEST(TrainingRun, CopiesDriftApartUntilTheyAreAveraged) {
  NEEDS_DATA();
  RunSpec spec = spec_of(4, 6);
  spec.correction = {0.5, Copies::per_domain, 3};
  const RunResult run = run_training(*mlp(), spec);
  ASSERT_EQ(run.copy_distances.size(), 6U);
  EXPECT_GT(run.copy_distances[0], 0);
  EXPECT_GT(run.copy_distances[1], run.copy_distances[0]);
  EXPECT_EQ(run.copy_distances[2], 0) << "after the third step";
  EXPECT_GT(run.copy_distances[3], 0);
  EXPECT_EQ(run.copy_distances[5], 0);
}

TEST(Correction, BytesOfARing) {
  // 1000 parameters are 4000 bytes. One copy on 4 domains of 8: 2 x 31/32 x 4000 = 7750. A copy per domain: 2 x 7/8 x
  // 4000 = 7000 inside, 2 x 3/4 x 500 = 750 across, and 750 / 10 for an average every ten steps.
  EXPECT_DOUBLE_EQ(correction_bytes({0.5, Copies::shared, 0}, 1000, 8, 4), 7750);
  EXPECT_DOUBLE_EQ(correction_bytes({0.5, Copies::per_domain, 0}, 1000, 8, 4), 7750);
  EXPECT_DOUBLE_EQ(correction_bytes({0.5, Copies::per_domain, 10}, 1000, 8, 4), 7825);
  EXPECT_DOUBLE_EQ(correction_bytes({1, Copies::per_domain, 10}, 1000, 8, 4), 7075);
}

TEST(TrainingRun, Int8MovesTheModelALittle) {
  // A block of 128 is rounded to 1/127 of its largest: half of that at most, 0.4 % of the largest per number.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 20);
  const RunResult plain = run_training(*mlp(), spec);
  spec.int8 = true;
  const RunResult rounded = run_training(*mlp(), spec);
  EXPECT_NE(rounded.parameters, plain.parameters);
  EXPECT_NEAR(rounded.evaluation.loss, plain.evaluation.loss, 0.02 * plain.evaluation.loss);
}

TEST(TrainingRun, SlowWorkersAreUsedStaleOrEstimated) {
  // A quarter answers a step late for good: nobody is missed (no waiting, no recovery), a quarter is estimated each
  // step.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 6);
  spec.domain_threshold = 0;  // would recover at once if they counted as dead
  spec.faults = {FaultPattern::slow, 0.25, 6, 0, 5};
  spec.estimator = "stale";
  const RunResult stale = run_training(*mlp(), spec);
  EXPECT_EQ(stale.full_recoveries, 0U);
  EXPECT_EQ(stale.detect_s, 0);
  EXPECT_EQ(stale.dead_worker_steps, 6U * 16);
  spec.estimator = "drop";
  const RunResult dropped = run_training(*mlp(), spec);
  EXPECT_NE(stale.parameters, dropped.parameters) << "the late gradients do get used";
}

TEST(TrainingRun, ClippedGradientsHaveTheLengthAskedFor) {
  // Plain SGD at a constant rate r over normalised gradients: each step moves the parameters by r x length.
  NEEDS_DATA();
  RunSpec spec = spec_of(4, 1);
  spec.optimizer = {workloads::OptimizerKind::momentum_sgd, {}, 0};
  spec.schedule = {0.5, 0.5, 0, 1};
  spec.clip_norm = 0.25;
  spec.normalise = true;
  const RunResult run = run_training(*mlp(), spec);
  const std::vector<float> start = mlp()->initial_parameters(spec.seed);
  double square = 0;
  for (std::size_t k = 0; k < start.size(); ++k)
    square += std::pow(static_cast<double>(run.parameters[k]) - static_cast<double>(start[k]), 2);
  EXPECT_NEAR(std::sqrt(square), 0.125, 1e-5);
}

TEST(TrainingRun, RedealtDataAreTrainedOn) {
  // Label 3 is domain 3 of 10, and dies whole: without its data the class is forgotten, dealt to the others it is not.
  NEEDS_DATA();
  RunSpec spec = spec_of(10, 60);
  spec.schedule.peak_rate = 2e-3;
  spec.evaluation_limit = 2000;
  spec.faults = {FaultPattern::domain, 0, 6, 0, 5};
  spec.estimator = "drop";
  const RunResult lost = run_training(*mlp(), spec);
  spec.redeal = Redeal::domain;
  const RunResult redealt = run_training(*mlp(), spec);
  const double worst_lost = *std::min_element(lost.evaluation.per_class.begin(), lost.evaluation.per_class.end());
  EXPECT_LT(worst_lost, 0.01);
  const auto at = std::min_element(lost.evaluation.per_class.begin(), lost.evaluation.per_class.end()) -
                  lost.evaluation.per_class.begin();
  EXPECT_GT(redealt.evaluation.per_class[static_cast<std::size_t>(at)], 0.3);
}

TEST(TrainingRun, DomainsForOtherSamplesAreRefused) {
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 1);
  spec.sample_domain.pop_back();
  EXPECT_THROW(run_training(*mlp(), spec), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::emulator::test
