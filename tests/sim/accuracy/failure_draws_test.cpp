#include "sim/accuracy/failure_draws.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <stdexcept>

#include "fashion_steps.hpp"
#include "kernels/estimators/estimator.hpp"
#include "sim/emulator/step_faults.hpp"

namespace toposim::accuracy::test {
namespace {

using emulator::FaultPattern;

/// 24 workers in domains of 8, one step, with the population gradient and rounded gradients.
struct OneStep {
  AccuracySpec spec = labelled_spec(24);
  Steps steps{spec};
  std::vector<float> population = steps.population();
  StepSimilarities similarities = steps.similarities(population, true);
  std::vector<std::vector<double>> rows;  ///< the same step's gradients
  OneStep() {
    Steps again(spec);
    const std::span<const float> gradients = again.next();
    const std::size_t n = fashion()->parameter_count();
    for (std::size_t w = 0; w < 24; ++w)
      rows.emplace_back(gradients.begin() + static_cast<std::ptrdiff_t>(w * n),
                        gradients.begin() + static_cast<std::ptrdiff_t>((w + 1) * n));
  }
  static const OneStep& shared() {
    static const OneStep made;
    return made;
  }
};

double length(const std::vector<double>& x) {
  double square = 0;
  for (const double value : x) square += value * value;
  return std::sqrt(square);
}

/// sum of coefficient x gradient, less `other`.
std::vector<double> combined(const std::vector<std::vector<double>>& rows, std::span<const estimators::Term> terms,
                             std::vector<double> other = {}) {
  if (other.empty()) other.assign(rows[0].size(), 0.0);
  std::vector<double> sum(other.size());
  for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = -other[k];
  for (const estimators::Term& term : terms)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += term.coefficient * rows[term.worker][k];
  return sum;
}

TEST(FailureDraws, QuadraticFormsAreTheErrorsOfGradientsThatAreFormed) {
  // Applied gradients by plain loops in fp64, from the same faults and sketches. Lengths agree to fp32 sums: 1e-5.
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  const FaultCaseSpec faults = fault_case(FaultPattern::permanent, 5.0 / 24);
  const std::vector<SchemeSpec> schemes{scheme("drop"), scheme("uniform"), scheme("shrink"), scheme("zero")};
  const DrawSpec draws = step.steps.draw_spec(3);
  const auto found = draw_failures(step.similarities, faults, schemes, draws);
  std::vector<estimators::Term> everyone;
  for (std::uint32_t w = 0; w < 24; ++w) everyone.push_back({0, w, 1.0 / 24});
  const std::vector<double> full = combined(step.rows, everyone);
  const std::vector<double> population(step.population.begin(), step.population.end());
  for (std::size_t i = 0; i < 3; ++i) {
    emulator::StepFaultSpec drawn = faults.faults;
    drawn.seed = draws.seed + i * 0x9E37'79B9'7F4A'7C15;
    const auto answered = emulator::StepFaults(drawn, draws.domain).answered(0);
    const estimators::Observations seen{
        24, step.similarities.sketch_width, draws.domain, {{step.similarities.sketches[0], answered}}, 0, {}};
    const estimators::Products products(seen);
    const auto terms_of = [&](const std::string& name) {
      return estimators::step_coefficients(products, estimators::estimator(name).make()->estimate(products));
    };
    const double drop = length(combined(step.rows, terms_of("drop"), full));
    const double drop_population = length(combined(step.rows, terms_of("drop"), population));
    for (std::size_t s = 0; s < schemes.size(); ++s) {
      const DrawErrors& errors = found[s][i];
      SCOPED_TRACE(schemes[s].name);
      EXPECT_EQ(errors.dead, 5);
      const auto terms = terms_of(schemes[s].estimator);
      const std::vector<double> applied = combined(step.rows, terms);
      EXPECT_NEAR(errors.global_error_ratio, length(combined(step.rows, terms, full)) / drop, 1e-5);
      EXPECT_NEAR(errors.population_error_ratio, length(combined(step.rows, terms, population)) / drop_population,
                  1e-5);
      double along = 0;
      for (std::size_t k = 0; k < full.size(); ++k) along += applied[k] * full[k];
      EXPECT_NEAR(errors.global_cosine, along / (length(applied) * length(full)), 1e-5);
      const auto estimates = estimators::estimator(schemes[s].estimator).make()->estimate(products);
      double local = 0, local_cosine = 0;
      for (std::size_t d = 0; d < local_errors_max; ++d) {
        const std::vector<double>& truth = step.rows[estimates.dead[d].worker];
        const std::vector<double> estimate = combined(step.rows, estimates.dead[d].terms);
        double product = 0;
        for (std::size_t k = 0; k < truth.size(); ++k) product += estimate[k] * truth[k];
        local += length(combined(step.rows, estimates.dead[d].terms, truth)) / length(truth) / local_errors_max;
        local_cosine += product / (length(estimate) * length(truth)) / local_errors_max;
      }
      EXPECT_NEAR(errors.local_l2, local, 1e-5);
      if (schemes[s].name == "zero")
        EXPECT_TRUE(std::isnan(errors.local_cosine)) << "of nothing there is no angle";
      else
        EXPECT_NEAR(errors.local_cosine, local_cosine, 1e-5);
      // Layer groups: the same on a part of the coordinates.
      const auto& groups = fashion()->groups();
      ASSERT_EQ(errors.group_error_ratio.size(), groups.size());
      const auto part = [&](const std::vector<double>& x) {
        return length({x.begin() + static_cast<std::ptrdiff_t>(groups[0].begin),
                       x.begin() + static_cast<std::ptrdiff_t>(groups[0].end)});
      };
      EXPECT_NEAR(errors.group_error_ratio[0],
                  part(combined(step.rows, terms, full)) / part(combined(step.rows, terms_of("drop"), full)), 1e-5);
    }
  }
}

TEST(FailureDraws, DropIsItsOwnMeasureAndZeroFillShortensTheStep) {
  // 6 of 24 dead: drop's coefficients are 18 of 1/18, zero's 18 of 1/24.
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  const auto found = draw_failures(step.similarities, fault_case(FaultPattern::permanent, 0.25),
                                   std::vector<SchemeSpec>{scheme("drop"), scheme("zero")}, step.steps.draw_spec(20));
  for (const DrawErrors& drop : found[0]) {
    EXPECT_EQ(drop.global_error_ratio, 1);
    EXPECT_EQ(drop.population_error_ratio, 1);
    for (const double group : drop.group_error_ratio) EXPECT_EQ(group, 1);
    EXPECT_NEAR(drop.coefficient_sum, 1, 1e-12);
    EXPECT_NEAR(drop.effective_samples, 18, 1e-9);
    EXPECT_TRUE(std::isnan(drop.lambda));
  }
  for (const DrawErrors& zero : found[1]) EXPECT_NEAR(zero.coefficient_sum, 0.75, 1e-12);
}

TEST(FailureDraws, EverySchemeMeetsTheSameDrawsAndSomebodyIsDeadInEach) {
  // At 2 % of 24 workers, six draws in ten would kill nobody.
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  const auto found = draw_failures(step.similarities, fault_case(FaultPattern::transient, 0.02),
                                   std::vector<SchemeSpec>{scheme("uniform"), scheme("drop"), scheme("uniform")},
                                   step.steps.draw_spec(100));
  double dead = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    ASSERT_GE(found[0][i].dead, 1);
    EXPECT_EQ(found[1][i].dead, found[0][i].dead);
    EXPECT_EQ(found[2][i].global_error_ratio, found[0][i].global_error_ratio);
    dead += static_cast<double>(found[0][i].dead) / 100;
  }
  // Of 24 at 0.02 where at least one is: 0.48 / (1 - 0.98^24) = 1.25, a draw's deviation is about 0.5.
  EXPECT_NEAR(dead, 1.25, 0.2);
}

TEST(FailureDraws, WholeDomainsAreAboveAnyThresholdButOne) {
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  std::vector<SchemeSpec> schemes{scheme("drop"), scheme("drop")};
  schemes[1].domain_threshold = 0.25;
  const auto found =
      draw_failures(step.similarities, fault_case(FaultPattern::domain, 0), schemes, step.steps.draw_spec(5));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(found[0][i].dead, 8);
    EXPECT_FALSE(found[0][i].above_threshold);
    EXPECT_TRUE(found[1][i].above_threshold);
  }
}

TEST(FailureDraws, RoundingCostsLittleAndIsSeen) {
  // A block of 128 is rounded to 1/127 of its largest, so by less than 1/254 of that a number: against a drop's error
  // of the order of the gradients themselves a few in a thousand.
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  const auto found =
      draw_failures(step.similarities, fault_case(FaultPattern::permanent, 0.25),
                    std::vector<SchemeSpec>{scheme("drop"), scheme("drop", true)}, step.steps.draw_spec(10));
  for (const DrawErrors& rounded : found[1]) {
    EXPECT_NE(rounded.global_error_ratio, 1);
    EXPECT_NEAR(rounded.global_error_ratio, 1, 0.01);
  }
}

TEST(FailureDraws, TheSameBitsForAnyNumberOfThreads) {
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  DrawSpec draws = step.steps.draw_spec(30);
  const std::vector<SchemeSpec> schemes{scheme("shrink"), scheme("ebayes")};
  draws.threads = 1;
  const auto one = draw_failures(step.similarities, fault_case(FaultPattern::transient, 0.1), schemes, draws);
  draws.threads = 3;
  const auto three = draw_failures(step.similarities, fault_case(FaultPattern::transient, 0.1), schemes, draws);
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < 30; ++i)
      for (const auto field : {&DrawErrors::global_error_ratio, &DrawErrors::lambda, &DrawErrors::local_l2})
        ASSERT_EQ(std::bit_cast<std::uint64_t>(one[s][i].*field), std::bit_cast<std::uint64_t>(three[s][i].*field));
}

TEST(FailureDraws, FaultsThatHardlyEverKillAreRefused) {
  TOPOSIM_NEEDS_FASHION();
  const OneStep& step = OneStep::shared();
  FaultCaseSpec faults = fault_case(FaultPattern::transient, 1e-9);
  faults.name = "never";
  try {
    draw_failures(step.similarities, faults, std::vector<SchemeSpec>{scheme("drop")}, step.steps.draw_spec(3));
    ADD_FAILURE() << "nobody dies";
  } catch (const std::invalid_argument& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("fault case never: 0 of 13000 draws"), std::string::npos) << what;
    EXPECT_NE(what.find("it needs more faults"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
