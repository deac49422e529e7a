// A study as a whole, small: what it hands over, and that threads leave no trace in it.
#include "sim/accuracy/accuracy_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/accuracy_cells.hpp"
#include "analysis/accuracy_digest.hpp"
#include "fashion_steps.hpp"

namespace toposim::accuracy::test {
namespace {

using emulator::FaultPattern;

AccuracySpec small_study() {
  AccuracySpec spec = labelled_spec(12);
  spec.training.batch = 4;
  spec.training.steps = 10;
  spec.training.budgets = {0.5, 1};
  spec.training.evaluation_samples = 200;
  spec.placement.domain_size = 4;
  spec.placement.global_mix = 0.25;
  spec.faults = {fault_case(FaultPattern::transient, 0.2), fault_case(FaultPattern::permanent, 0.25)};
  spec.faults[0].name = "transient";
  spec.faults[1].name = "permanent";
  spec.faults[1].from = 0.5;
  spec.schemes = {scheme("drop"), scheme("ebayes"), scheme("ridge+g"), scheme("shrink", true)};
  spec.schemes[3].name = "shrink_int8";
  spec.sketch_width = 64;
  spec.gradient = {{0, 1}, 7};
  spec.seeds = 2;
  spec.seed = 5;
  return spec;
}

const analysis::Metric& column(const std::vector<analysis::AccuracyCell>& cells, const char* faults, const char* name,
                               std::uint64_t step, const char* metric) {
  const analysis::Metric* found = analysis::find_column(cells, faults, name, step, metric);
  if (found == nullptr) throw std::runtime_error(std::string("no column ") + metric + " of " + name);
  return *found;
}

TEST(AccuracyStudy, HandsOverACellOfEverythingAskedFor) {
  TOPOSIM_NEEDS_FASHION();
  const analysis::AccuracyResults results = run_accuracy(small_study(), 1e9, 2, {});
  EXPECT_EQ(results.seeds, (std::vector<std::uint64_t>{5, 6}));
  EXPECT_EQ(results.draws, 7);
  // 20 % in every step; 3 of 12 workers in the second half of the run: 12.5 % of all in the mean over steps.
  ASSERT_EQ(results.fault_cases.size(), 2u);
  EXPECT_DOUBLE_EQ(results.fault_cases[0].dead_share, 0.2);
  EXPECT_DOUBLE_EQ(results.fault_cases[1].dead_share, 0.125);
  ASSERT_EQ(results.scenes.size(), 2U);
  EXPECT_EQ(results.scenes[1].step, 9U) << "the last of ten";
  EXPECT_EQ(results.gradient.size(), 2U * 2 * 4) << "points, fault cases, schemes";
  EXPECT_EQ(results.training.size(), 2U * (1 + 2 * 4)) << "lengths, fault-free and fault cases x schemes";
  EXPECT_EQ(results.efficiency.size(), 1U + 2 * 4);
  EXPECT_EQ(results.curves.size(), 2 * results.training.size());
  for (const auto& cell : results.gradient)
    for (const analysis::Metric& metric : cell.metrics)
      EXPECT_EQ(std::max(metric.reals.size(), metric.integers.size()), 7U) << metric.name;
  EXPECT_EQ(column(results.gradient, "permanent", "drop", 9, "global_error_ratio").reals, std::vector<double>(7, 1.0));
  EXPECT_EQ(column(results.gradient, "permanent", "ebayes", 0, "dead").integers, std::vector<std::int64_t>(7, 3));
  // No worker of a lasting fault has a history: what looks back falls back on the neighbours, whose coefficients sum to
  // one; those of regression on its own past do not.
  for (const double sum : column(results.gradient, "permanent", "ridge+g", 9, "coefficient_sum").reals)
    EXPECT_NEAR(sum, 1, 1e-12);
  bool other = false;
  for (const double sum : column(results.gradient, "transient", "ridge+g", 9, "coefficient_sum").reals)
    other = other || std::fabs(sum - 1) > 1e-3;
  EXPECT_TRUE(other);

  // Lasting faults from the middle on: 3 of 12 workers for 5 steps of 10, or from step 3 (2.5, rounded) of 5.
  EXPECT_EQ(column(results.training, "permanent", "drop", 10, "dead_worker_steps").integers,
            (std::vector<std::int64_t>{15, 15}));
  EXPECT_EQ(column(results.training, "permanent", "drop", 5, "dead_worker_steps").integers,
            (std::vector<std::int64_t>{6, 6}));
  // Of one seed every scheme meets the same faults, another seed meets others.
  const auto& dead = column(results.training, "transient", "drop", 10, "dead_worker_steps").integers;
  EXPECT_EQ(column(results.training, "transient", "shrink_int8", 10, "dead_worker_steps").integers, dead);
  EXPECT_NE(dead[0], dead[1]);
  const auto& loss = column(results.training, "transient", "ebayes", 10, "final_loss").reals;
  const auto& clean = column(results.training, analysis::no_faults, analysis::fault_free, 10, "final_loss").reals;
  const auto& drop = column(results.training, "transient", "drop", 10, "final_loss").reals;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(column(results.training, "transient", "ebayes", 10, "final_loss_delta").reals[i],
                loss[i] / clean[i] - 1, 1e-12);
    EXPECT_NEAR(column(results.training, "transient", "ebayes", 10, "final_loss_to_drop").reals[i],
                loss[i] / drop[i] - 1, 1e-12);
  }
  EXPECT_NE(clean[0], clean[1]) << "another seed is another run";
  EXPECT_EQ(column(results.training, "transient", "drop", 10, "final_loss_to_drop").reals, (std::vector<double>{0, 0}));
}

TEST(AccuracyStudy, TheSameDigestForAnyNumberOfThreads) {
  // By content, so that clustering is in it too.
  TOPOSIM_NEEDS_FASHION();
  AccuracySpec spec = small_study();
  spec.placement.source = EmbeddingSource::content;
  spec.placement.dims = 8;
  const std::string one = analysis::digest(run_accuracy(spec, 1e9, 1, {}));
  EXPECT_EQ(analysis::digest(run_accuracy(spec, 1e9, 3, {})), one);
  spec.placement.source = EmbeddingSource::labels;
  const std::string labels = analysis::digest(run_accuracy(spec, 1e9, 2, {}));
  EXPECT_NE(labels, one);
  ++spec.seed;
  EXPECT_NE(analysis::digest(run_accuracy(spec, 1e9, 2, {})), labels);
}

TEST(AccuracyStudy, AFullRecoveryIsNotHeldAgainstTheRun) {
  // One domain gone is above 25 %: replaced at once, and the run is the fault-free one.
  TOPOSIM_NEEDS_FASHION();
  AccuracySpec spec = small_study();
  spec.training.budgets = {1};
  spec.gradient.draws = 0;
  spec.faults = {fault_case(FaultPattern::domain, 0)};
  spec.schemes = {scheme("drop")};
  spec.schemes[0].domain_threshold = 0.25;
  const analysis::AccuracyResults results = run_accuracy(spec, 1e9, 2, {});
  EXPECT_TRUE(results.scenes.empty());
  EXPECT_EQ(column(results.training, "deaths", "drop", 10, "full_recoveries").integers,
            (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(column(results.training, "deaths", "drop", 10, "final_loss_delta").reals, (std::vector<double>{0, 0}));
}

TEST(AccuracyStudy, GradientsThatDoNotFitAreRefused) {
  TOPOSIM_NEEDS_FASHION();
  try {
    run_accuracy(small_study(), 1e6, 2, {});
    ADD_FAILURE() << "1 MB for 12 gradients and their history";
  } catch (const AccuracyError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("training.workers = 12"), std::string::npos) << what;
    EXPECT_NE(what.find("take fewer workers, or leave out the estimators that look back"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
