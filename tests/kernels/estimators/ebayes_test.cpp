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

/// Survivors {1, 3} and {4, 6, 8}, and a dead worker in the first domain: within = 10 / 3, between = 119 / 18, of the
/// first domain alone 2 and 125 / 9 (worked out in variance_components_test.cpp).
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

/// What the header says of a dead worker with n neighbours and m survivors elsewhere, when all steps are alike.
struct Expected {
  double within, between, pooled_within, n, m;

  /// In step T, a domain's own from T - 1 decayed weights: w = (1 - .8^(T-1)) / .2, w2 = (1 - .64^(T-1)) / .36, resting
  /// on w^2 / w2 steps.
  Expected(const VarianceComponents& v, std::size_t domain, int step, double n_, double m_)
      : within(v.within), between(v.between), pooled_within(v.within), n(n_), m(m_) {
    const double w = (1 - std::pow(0.8, step - 1)) / 0.2, w2 = (1 - std::pow(0.64, step - 1)) / 0.36;
    const double share = step > 1 ? w * w / w2 / (w * w / w2 + 4) : 0;
    within += share * (v.domains.at(domain).within - within);
    within = std::max(within, v.domains.at(domain).within);
    between += share * (v.domains.at(domain).between - between);
  }
  double mu(double lasting) const {
    return (between + pooled_within / (m * lasting)) / (between + (pooled_within / m + within / n) / lasting);
  }
  double square(double mu_, double dead) const {
    return dead * dead * ((1 - mu_) * (1 - mu_) * (between + pooled_within / m) + mu_ * mu_ * within / n) +
           dead * within;
  }
  double lambda(double mu_) const { return (mu_ - n / (n + m)) / (1 - n / (n + m)); }
  double mu_of(double lambda_) const { return lambda_ + (1 - lambda_) * n / (n + m); }
};

TEST(EmpiricalBayes, FirstStepByHand) {
  // Nothing is known of the domain's own but that within is 2 in this step, less than 10 / 3. near = 5 / 3, far = 119 /
  // 18 + (10 / 3) / 3 = 139 / 18: mu = 139 / 169, of which the survivors' mean has 2 / 5 anyway: lambda = (139 / 169 -
  // 2 / 5) / (3 / 5) = 119 / 169.
  EmpiricalBayes ebayes;
  const Job job = small_job();
  const Estimates found = job.step(ebayes);
  ASSERT_EQ(found.dead.size(), 1U);
  EXPECT_NEAR(found.lambda, 119.0 / 169, 1e-12);
  EXPECT_NEAR(job.lambda(found.dead[0]), 119.0 / 169, 1e-12);
  EXPECT_NEAR(found.dead[0].terms.at(0).coefficient, 139.0 / 169 / 2, 1e-12);
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
  // Two neighbours' mean is noisier than seven's.
  Job job = three_domains(1);
  job.kill({0, 1, 2, 3, 4, 5, 8});
  EmpiricalBayes ebayes;
  const Estimates found = job.step(ebayes);
  const VarianceComponents v = job.components();
  ASSERT_GT(v.between, 0);
  const double two = job.lambda(found.dead.at(0)), seven = job.lambda(found.dead.at(6));
  const Expected few(v, 0, 1, 2, 15), many(v, 1, 1, 7, 10);
  EXPECT_NEAR(two, few.lambda(few.mu(1)), 1e-12);
  EXPECT_NEAR(seven, std::max(many.lambda(many.mu(1)), 0.0), 1e-12);
  EXPECT_GT(many.mu(1), few.mu(1) + 0.1);
  EXPECT_NEAR(found.lambda, (6 * two + seven) / 7, 1e-12) << "the mean over the dead";
}

TEST(EmpiricalBayes, ADomainThatDiffersMoreIsTrustedMore) {
  // Means 0, 0 and 4: the third is 4 from the others' mean, the first 2. As long as nothing but the average of all
  // domains is known both are judged alike, but for a fifth; after many steps they are not.
  Job job = three_domains(0);
  for (std::uint32_t w = 16; w < 24; ++w) job.rows[w] += 4;
  job.kill({0, 16});
  EmpiricalBayes ebayes;
  Estimates found;
  for (int i = 0; i < 40; ++i) {
    found = job.step(ebayes);
    job.alive[0] = job.alive[16] = i % 2 == 0 ? 1 : 0;  // every other step, so that the loss does not last
  }
  const VarianceComponents v = job.components();
  EXPECT_GT(v.domains.at(2).between, 3 * v.domains.at(0).between);
  job.kill({0, 16});
  found = job.step(ebayes);
  EXPECT_GT(job.lambda(found.dead.at(1)), job.lambda(found.dead.at(0)) + 0.02);
}

TEST(EmpiricalBayes, LastingLossesRaiseLambdaAsFarAsOneStepAllows) {
  // Every step alike, so that nothing scatters. Six of eight gone, then one: in step T mu is mu_T, until the error
  // expected of one step is 0.5 % above the least, where it stays.
  for (const std::size_t dead : {6, 1}) {
    Job job = three_domains(1);
    for (std::size_t w = 0; w < dead; ++w) job.kill({w});
    const VarianceComponents v = job.components();
    EmpiricalBayes ebayes;
    int bound = 0, patient = 0;
    for (int step = 1; step <= 40; ++step) {
      const Expected at(v, 0, step, static_cast<double>(8 - dead), 16);
      const double mu = at.mu_of(job.step(ebayes).lambda), k = static_cast<double>(dead);
      const double wanted = at.mu(std::min(step, 30)), most = 1.005 * 1.005 * at.square(at.mu(1), k);
      if (at.square(wanted, k) < most) {
        EXPECT_NEAR(mu, wanted, 1e-6) << step;
        patient += step > 1;
      } else {
        EXPECT_NEAR(at.square(mu, k), most, 1e-6 * most) << step;
        ++bound;
      }
    }
    EXPECT_EQ(bound > 0, dead == 6) << "one dead of eight: its own noise outweighs the choice, and there is room";
    EXPECT_EQ(patient > 0, dead == 1);
  }
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
  // Twice the vectors: four times the variances. Weights 0.8 and 1: the averages of all domains are 4.8 / 1.8 = 8 / 3
  // of the first. The standard error of {b, 4 b} under these weights: variance (0.8 x 1 / 1.8^2) 9 b^2 = 20 b^2 / 9, of
  // 1.8^2 / 1.64 = 1.97561 steps, so divided by 0.97561: 1.50923 b. A domain's own is that of the first step, 2 and 125
  // / 9, and counts 1 / 5; but its `within` is 8 in this step, which is more than the blend: 80 / 9 - (80 / 9 - 2) / 5
  // = 7.5.
  Job job = small_job();
  Job before{{0, 0, 1, 1, 1}, {1, 3, 4, 6, 8}};
  EmpiricalBayes ebayes;
  before.step(ebayes);
  job.scale(2);
  const double between =
      0.8 * 8 / 3 * 119 / 18 + 0.2 * 125 / 9 - 2 * 0.8 * 1.50923 * 119 / 18;  // own scatter: none of one step
  const double near = 8.0 / 2, far = between + 80.0 / 9 / 3;
  EXPECT_NEAR(job.step(ebayes).lambda, (far / (far + near) - 0.4) / 0.6, 1e-5);
}

TEST(EmpiricalBayes, WhatWasSeenLongAgoIsForgotten) {
  // 0.8^80 = 2e-8 of what was seen is left, in the scatter its root: 1e-4.
  const Job now = small_job();
  Job past{{0, 0, 1, 1, 1}, {1, 3, 4, 6, 8}};
  EmpiricalBayes fresh, old;
  past.scale(3);
  for (int i = 0; i < 20; ++i) past.step(old);
  past.scale(1.0F / 3);
  for (int i = 0; i < 80; ++i) {
    past.step(old);
    past.step(fresh);
  }
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
