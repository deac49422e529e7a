#include <gtest/gtest.h>

#include <limits>

#include "kernels/estimators/estimator.hpp"
#include "kernels/estimators/shrink.hpp"

namespace toposim::estimators::test {
namespace {

/// Four workers in two domains {0, 1} and {2, 3}, gradients in the plane, three steps. Worker 1 is dead now.
struct Small {
  std::vector<float> now{1, 0, 9, 9, 0, 1, 0, 3}, last{2, 0, 4, 2, 0, 2, 2, 2}, before{1, 1, 1, 3, 5, 0, 0, 5};
  std::vector<std::uint8_t> alive{1, 0, 1, 1}, all{1, 1, 1, 1};
  std::vector<std::uint32_t> domain{0, 0, 1, 1};
  std::vector<float> centroids{1, 0, 1, 0, 0, 1, 0, 1};
  Observations seen() const { return {4, 2, domain, {{now, alive}, {last, all}, {before, all}}, 2, centroids}; }
};

std::vector<Term> of(std::string_view name, const Observations& seen) {
  const Products products(seen);
  return estimator(name).make()->estimate(products).dead.at(0).terms;
}

TEST(Estimators, SmallCaseByHand) {
  const Small small;
  const Observations seen = small.seen();
  const std::vector<Term> all_thirds{{0, 0, 1.0 / 3}, {0, 2, 1.0 / 3}, {0, 3, 1.0 / 3}}, neighbour{{0, 0, 1.0}};
  EXPECT_EQ(of("drop", seen), all_thirds);
  EXPECT_TRUE(of("zero", seen).empty());
  EXPECT_EQ(of("uniform", seen), neighbour);
  EXPECT_EQ(of("literal", seen), neighbour);  // one neighbour: any weight is all of it
  EXPECT_EQ(of("normscale", seen), neighbour);
  EXPECT_EQ(of("stale", seen), (std::vector<Term>{{1, 1, 1.0}}));
  // 1 / 1.7 and .7 / 1.7
  EXPECT_NEAR(of("ema", seen).at(0).coefficient, 1 / 1.7, 1e-15);
  EXPECT_NEAR(of("ema", seen).at(1).coefficient, 0.7 / 1.7, 1e-15);
  // Only workers 2 and 3 have a surviving neighbour: <G2, G3> twice over |G3|^2 + |G2|^2 = 6 / 10.
  EXPECT_NEAR(of("lsscale", seen).at(0).coefficient, 0.6, 1e-15);
  // Regression on worker 0 over two steps: sum <G0, G1> = 8 + 4, sum |G0|^2 = 4 + 2, penalty .1 x 6: 12 / 6.6.
  EXPECT_NEAR(of("ridge", seen).at(0).coefficient, 12 / 6.6, 1e-12);
  // cv: N now + ema of (G1 - N): ages 1 and 2, weights as above, worker 0 against worker 1.
  const std::vector<Term> cv = of("cv", seen);
  ASSERT_EQ(cv.size(), 5U);
  EXPECT_EQ(cv[0], (Term{0, 0, 1.0}));
  EXPECT_NEAR(cv[1].coefficient, -1 / 1.7, 1e-15);
  EXPECT_NEAR(cv[2].coefficient, 1 / 1.7, 1e-15);
}

TEST(Estimators, ShrinkLeavesOneOut) {
  // Survivors with a surviving neighbour: 2 and 3. m_-2 = (G0 + G3) / 2 = (.5, 1.5), N_2 = G3 = (0, 3), so
  // <G2 - m, N - m> = <(-.5, -.5), (-.5, 1.5)> = -.5, |N - m|^2 = 2.5; m_-3 = (.5, .5), N_3 = (0, 1):
  // <(-.5, 2.5), (-.5, .5)> = 1.5, |.|^2 = .5. lambda = 1 / 3.
  const Small small;
  const Observations seen = small.seen();
  EXPECT_NEAR(lambda_of(lambda_sums(Products(seen))), 1.0 / 3, 1e-12);
  const std::vector<Term> terms = of("shrink", seen);
  EXPECT_NEAR(terms.at(0).coefficient, 1.0 / 3 + 2.0 / 9, 1e-12);
  EXPECT_NEAR(terms.at(1).coefficient, 2.0 / 9, 1e-12);
}

TEST(Estimators, WithoutNeighboursTheSurvivorsStandIn) {
  Small small;
  small.alive = {0, 0, 1, 1};
  const std::vector<Term> halves{{0, 2, 0.5}, {0, 3, 0.5}};
  for (const char* name : {"drop", "uniform", "literal", "cosdist", "softmax", "normscale", "lsscale", "shrink",
                           "ridge", "ridge+g", "cv"}) {
    const std::vector<Term> terms = of(name, small.seen());
    ASSERT_EQ(terms.size(), 2U) << name;
    EXPECT_EQ(terms, halves) << name;
  }
}

TEST(Estimators, WithoutHistoryTheNeighboursDo) {
  const Small small;
  Observations seen = small.seen();
  seen.steps.resize(1);
  for (const char* name : {"stale", "ema", "cv", "ridge", "ridge+g"})
    EXPECT_EQ(of(name, seen), (std::vector<Term>{{0, 0, 1.0}})) << name;
}

TEST(Estimators, DeadRowsAreNeverRead) {
  Small small;
  const Observations clean = small.seen();
  std::vector<std::vector<Term>> expected;
  for (const EstimatorKind& kind : estimators()) expected.push_back(of(kind.name, clean));
  small.now[2] = small.now[3] = std::numeric_limits<float>::quiet_NaN();
  const Observations dirty = small.seen();
  std::size_t k = 0;
  for (const EstimatorKind& kind : estimators()) EXPECT_EQ(of(kind.name, dirty), expected[k++]) << kind.name;
}

TEST(Estimators, StepCoefficientsOfDropAreEqualAndSumToOne) {
  // (3 survivors + their mean) / 4: each (1 + 1/3) / 4 = 1/3. Effective sample size of three equal weights: 3.
  const Small small;
  const Observations seen = small.seen();
  const Products products(seen);
  const auto step = step_coefficients(products, estimator("drop").make()->estimate(products));
  ASSERT_EQ(step.size(), 3U);
  for (const Term& term : step) EXPECT_NEAR(term.coefficient, 1.0 / 3, 1e-15);
  EXPECT_NEAR(coefficient_sum(step), 1, 1e-15);
  EXPECT_NEAR(effective_sample_size(step), 3, 1e-12);
  const auto zero = step_coefficients(products, estimator("zero").make()->estimate(products));
  EXPECT_NEAR(coefficient_sum(zero), 0.75, 1e-15);
}

TEST(Estimators, SizesThatDisagreeAreNamed) {
  const Small small;
  Observations seen = small.seen();
  const std::vector<std::uint8_t> nobody{0, 0, 0, 0};
  seen.steps[0].present = nobody;
  EXPECT_THROW(Products{seen}, std::invalid_argument);
  seen = small.seen();
  seen.width = 3;
  EXPECT_THROW(Products{seen}, std::invalid_argument);
  EXPECT_THROW(estimator("mean"), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::estimators::test
