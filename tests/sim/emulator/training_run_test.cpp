// Whole runs of the smallest workload. Images are put into domains by their label: what a good clustering would find.
#include "sim/emulator/training_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

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
  spec.measure_every = 1;
  const RunResult result = run_training(*mlp(), spec);
  ASSERT_EQ(result.errors.size(), 30U);
  EXPECT_NEAR(mean_of(result.errors, &GradientErrors::over_noise), std::sqrt(16.0 / 48), 0.1 * std::sqrt(16.0 / 48));
  EXPECT_DOUBLE_EQ(mean_of(result.errors, &GradientErrors::over_drop), 1);
  EXPECT_NEAR(mean_of(result.errors, &GradientErrors::effective_sample_size), 48, 1e-9);
}

TEST(TrainingRun, NeighboursHelpWhereDomainsDifferAndNotWhereTheyDoNot) {
  // Six of eight workers of one domain in ten lost: a tenth of the classes is nearly gone for drop.
  NEEDS_DATA();
  RunSpec spec = spec_of(10, 20);
  spec.faults = {FaultPattern::skewed, 6.0 / 80, 6, 0, 5};
  spec.estimator = "shrink";
  spec.measure_every = 1;
  const RunResult clustered = run_training(*mlp(), spec);
  spec.deal.sharing = Sharing::iid;
  const RunResult iid = run_training(*mlp(), spec);
  EXPECT_LT(mean_of(clustered.errors, &GradientErrors::over_drop), 0.7);
  EXPECT_GT(mean_of(clustered.errors, &GradientErrors::lambda), 0.7);
  EXPECT_NEAR(mean_of(iid.errors, &GradientErrors::over_drop), 1, 0.05);
  EXPECT_LT(mean_of(iid.errors, &GradientErrors::lambda), 0.2);
}

TEST(TrainingRun, ZeroFillShortensTheStep) {
  // 12 of 64 dead: coefficients add up to 52 / 64.
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 1);
  spec.faults = {FaultPattern::permanent, 12.0 / 64, 6, 0, 5};
  spec.estimator = "zero";
  spec.measure_every = 1;
  const RunResult result = run_training(*mlp(), spec);
  ASSERT_EQ(result.errors.size(), 1U);
  EXPECT_NEAR(result.errors[0].coefficient_sum, 52.0 / 64, 1e-12);
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

TEST(TrainingRun, DomainsForOtherSamplesAreRefused) {
  NEEDS_DATA();
  RunSpec spec = spec_of(8, 1);
  spec.sample_domain.pop_back();
  EXPECT_THROW(run_training(*mlp(), spec), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::emulator::test
