#include "kernels/estimators/ebayes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/estimators/variance_components.hpp"

namespace toposim::estimators::test {
namespace {

/// Steps of workers with vectors of one number.
struct Job {
  std::vector<std::uint32_t> domain;
  std::vector<float> rows;
  std::vector<std::uint8_t> alive = std::vector<std::uint8_t>(domain.size(), 1);

  void kill(std::initializer_list<std::size_t> workers) {
    for (const std::size_t w : workers) alive[w] = 0;
  }
  void scale(float factor) {
    for (float& x : rows) x *= factor;
  }
  Observations seen() const { return {domain.size(), 1, domain, {{rows, alive}}, 0, {}}; }
  Estimates step(Estimator& estimator) const {
    const Observations now = seen();
    return estimator.estimate(Products(now));
  }
  VarianceComponents components() const {
    const Observations now = seen();
    return variance_components(Products(now));
  }
  double survivors() const { return static_cast<double>(std::count(alive.begin(), alive.end(), 1)); }
  /// The weight of the neighbours in an estimate: other survivors' coefficients are (1 - lambda) / survivors.
  double lambda(const Estimate& estimate) const {
    for (const Term& term : estimate.terms)
      if (domain[term.worker] != domain[estimate.worker]) return 1 - term.coefficient * survivors();
    return -1;
  }
};

/// Survivors {1, 3} and {4, 6, 8}, and a dead worker in the first domain: within = 10 / 3, between = 119 / 18 (worked
/// out in variance_components_test.cpp).
Job small_job() {
  Job job{{0, 0, 0, 1, 1, 1}, {1, 3, 99, 4, 6, 8}};
  job.kill({2});
  return job;
}

/// Three domains of 8 whose means are `apart` from one another, workers 1 above and below them.
Job three_domains(float apart) {
  Job job{std::vector<std::uint32_t>(24), std::vector<float>(24)};
  for (std::uint32_t w = 0; w < 24; ++w) {
    job.domain[w] = w / 8;
    job.rows[w] = apart * static_cast<float>(w / 8) + (w % 2 == 0 ? 1.0F : -1.0F);
  }
  return job;
}

/// Square of the error expected of one step, as the header has it.
double expected_square(const VarianceComponents& v, double lambda, double neighbours, double dead) {
  return dead * dead * ((1 - lambda) * (1 - lambda) * v.between + lambda * lambda * v.within / neighbours) +
         dead * v.within;
}

TEST(EmpiricalBayes, FirstStepByHand) {
  // (119 / 18) / (119 / 18 + (10 / 3) / 2) = 119 / 149; neighbours' coefficients lambda / 2 + (1 - lambda) / 5.
  EmpiricalBayes ebayes;
  const Job job = small_job();
  const Estimates found = job.step(ebayes);
  ASSERT_EQ(found.dead.size(), 1U);
  EXPECT_NEAR(found.lambda, 119.0 / 149, 1e-12);
  EXPECT_NEAR(job.lambda(found.dead[0]), 119.0 / 149, 1e-12);
  EXPECT_NEAR(found.dead[0].terms.at(0).coefficient, 119.0 / 149 / 2 + 30.0 / 149 / 5, 1e-12);
}

TEST(EmpiricalBayes, IsDropWhereDomainsDoNotDiffer) {
  // between = -1 for two domains {1, 3}: nothing speaks for the neighbours, now or later.
  Job job{{0, 0, 0, 1, 1}, {1, 3, 99, 1, 3}};
  job.kill({2});
  EmpiricalBayes ebayes;
  for (int i = 0; i < 40; ++i) {
    const Estimates found = job.step(ebayes);
    EXPECT_EQ(found.lambda, 0);
    for (const Term& term : found.dead.at(0).terms) EXPECT_EQ(term.coefficient, 0.25);
  }
}

TEST(EmpiricalBayes, IsDropInASingleDomainAndWithoutAnySurvivorInIt) {
  Job one{{0, 0, 0}, {1, 3, 99}};
  one.kill({2});
  EmpiricalBayes ebayes;
  const Estimates half = one.step(ebayes);
  for (const Term& term : half.dead.at(0).terms) EXPECT_EQ(term.coefficient, 0.5);

  Job lost{{0, 0, 1, 1, 2}, {1, 3, 4, 6, 99}};
  lost.kill({4});
  EmpiricalBayes other;
  const Estimates found = lost.step(other);
  EXPECT_EQ(found.lambda, 0);
  for (const Term& term : found.dead.at(0).terms) EXPECT_EQ(term.coefficient, 0.25);
}

TEST(EmpiricalBayes, FewNeighboursAreTrustedLess) {
  // The same domains differ as much, but two neighbours' mean is noisier than seven's: between / (between + within /
  // n).
  Job job = three_domains(1);
  job.kill({0, 1, 2, 3, 4, 5, 8});
  EmpiricalBayes ebayes;
  const Estimates found = job.step(ebayes);
  const VarianceComponents v = job.components();
  ASSERT_GT(v.between, 0);
  const double two = job.lambda(found.dead.at(0)), seven = job.lambda(found.dead.at(6));
  EXPECT_NEAR(two, v.between / (v.between + v.within / 2), 1e-12);
  EXPECT_NEAR(seven, v.between / (v.between + v.within / 7), 1e-12);
  EXPECT_GT(seven, two + 0.1);
  EXPECT_NEAR(found.lambda, (6 * two + seven) / 7, 1e-12) << "the mean over the dead";
}

TEST(EmpiricalBayes, LastingLossesRaiseLambdaAsFarAsOneStepAllows) {
  // Every step alike, so that nothing scatters. Six of eight gone: k = 6, n = 2. At first lambda is the best of one
  // step; in step T it is between / (between + within / (2 T)), until the error expected of one step is 0.5 % above the
  // least, where it stays.
  Job job = three_domains(1);
  job.kill({0, 1, 2, 3, 4, 5});
  const VarianceComponents v = job.components();
  const double best = v.between / (v.between + v.within / 2);
  const double most = 1.005 * 1.005 * expected_square(v, best, 2, 6);
  EmpiricalBayes ebayes;
  double before = 0;
  bool patient = false, bound = false;
  for (int steps = 1; steps <= 40; ++steps) {
    const double lambda = job.step(ebayes).lambda, square = expected_square(v, lambda, 2, 6);
    const double wanted = v.between / (v.between + v.within / (2 * std::min(steps, 30)));
    if (steps == 1) {
      EXPECT_NEAR(lambda, best, 1e-12);
    }
    EXPECT_GE(lambda, before - 1e-6);
    EXPECT_LE(square, most * (1 + 1e-6));
    if (expected_square(v, wanted, 2, 6) < most) {
      EXPECT_NEAR(lambda, wanted, 1e-6);
      patient = patient || steps > 1;
    } else {
      EXPECT_NEAR(square, most, 1e-6 * most);
      bound = true;
    }
    before = lambda;
  }
  EXPECT_TRUE(bound);
  EXPECT_GT(before, best + 0.02);

  // One dead of eight: its own noise outweighs the choice, and half a percent leaves room for more steps.
  Job single = three_domains(1);
  single.kill({0});
  const VarianceComponents u = single.components();
  const double room = 1.005 * 1.005 * expected_square(u, u.between / (u.between + u.within / 7), 7, 1);
  EmpiricalBayes other;
  int steps_within = 0;
  for (int steps = 1; steps <= 40; ++steps) {
    const double wanted = u.between / (u.between + u.within / (7 * std::min(steps, 30)));
    const double lambda = single.step(other).lambda;
    if (expected_square(u, wanted, 7, 1) < room) {
      EXPECT_NEAR(lambda, wanted, 1e-6);
      ++steps_within;
    } else {
      EXPECT_NEAR(expected_square(u, lambda, 7, 1), room, 1e-6 * room);
    }
  }
  EXPECT_GT(steps_within, 1);
}

TEST(EmpiricalBayes, AWorkerThatWasThereInBetweenStartsAnew) {
  Job job = three_domains(1);
  job.kill({0});
  EmpiricalBayes ebayes;
  const double first = job.step(ebayes).lambda;
  job.step(ebayes);
  const double third = job.step(ebayes).lambda;
  EXPECT_GT(third, first + 0.01);
  Job other = three_domains(1);
  other.kill({1});  // of the same parity: the same vectors are left but for their order
  const double changed = other.step(ebayes).lambda;
  EXPECT_LT(changed, third - 0.01) << "worker 1 is missing for the first time";
}

TEST(EmpiricalBayes, TwoStepsByHand) {
  // Twice the vectors: four times the variances b, w. Weights 0.8 and 1: within 4.8 w / 1.8 = 8 w / 3; between 8 b / 3
  // less its standard error. Variance of {b, 4 b} under these weights (0.8 x 1 / 1.8^2) 9 b^2 = 20 b^2 / 9, of
  // 1.8^2 / 1.64 steps, so divided by 1.8^2 / 1.64 - 1 = 1.6 / 1.64: sqrt(20 / 9 x 1.64 / 1.6) = 1.50923.
  Job job = small_job();
  const VarianceComponents v = job.components();
  Job before{{0, 0, 1, 1, 1}, {1, 3, 4, 6, 8}};
  EmpiricalBayes ebayes;
  before.step(ebayes);
  job.scale(2);
  const double between = (8.0 / 3 - 1.50923) * v.between, within = 8.0 / 3 * v.within;
  EXPECT_NEAR(job.step(ebayes).lambda, between / (between + within / 2), 1e-5);
}

TEST(EmpiricalBayes, WhatWasSeenLongAgoIsForgotten) {
  // 0.8^80 = 2e-8 of what was seen is left, in the scatter its root: 1e-4.
  const Job now = small_job();
  Job past{{0, 0, 1, 1, 1}, {1, 3, 4, 6, 8}};
  EmpiricalBayes fresh, old;
  past.scale(3);
  for (int i = 0; i < 20; ++i) past.step(old);
  past.scale(1.0F / 3);
  for (int i = 0; i < 80; ++i) past.step(old);
  const double lambda = now.step(fresh).lambda;
  EXPECT_NEAR(now.step(old).lambda, lambda, 1e-3);
}

TEST(EmpiricalBayes, TheSameCallsGiveTheSameBits) {
  Job job = three_domains(2);
  job.kill({0, 9, 10});
  EmpiricalBayes one, two;
  for (int i = 0; i < 5; ++i) {
    const Estimates a = job.step(one), b = job.step(two);
    EXPECT_EQ(a.lambda, b.lambda);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(a.dead.at(d).terms, b.dead.at(d).terms);
    job.scale(1.25F);
  }
}

}  // namespace
}  // namespace toposim::estimators::test
