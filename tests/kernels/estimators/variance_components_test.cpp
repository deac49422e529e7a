#include "kernels/estimators/variance_components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace toposim::estimators::test {
namespace {

/// One step of workers with vectors of `width`; a worker whose `alive` is 0 is dead.
struct OneStep {
  std::size_t width = 1;
  std::vector<float> rows;
  std::vector<std::uint32_t> domain;
  std::vector<std::uint8_t> alive = std::vector<std::uint8_t>(domain.size(), 1);
  VarianceComponents found() const {
    const Observations seen{domain.size(), width, domain, {{rows, alive}}, 0, {}};
    return variance_components(Products(seen));
  }
};

TEST(VarianceComponents, UnequalDomainsByHand) {
  // {1, 3} and {4, 6, 8}: means 2 and 6, of all 22 / 5 = 4.4. Inside: (1 + 1) + (4 + 0 + 4) = 10 over 5 - 2 = 3.
  // Between: 2 x 2.4^2 + 3 x 1.6^2 = 19.2 over 2 - 1, and a domain counts as (5 - (4 + 9) / 5) / 1 = 2.4 workers:
  // (19.2 - 10 / 3) / 2.4 = 119 / 18. A coordinate in which all agree adds nothing.
  const OneStep step{2, {1, 7, 3, 7, 4, 7, 6, 7, 8, 7}, {0, 0, 1, 1, 1}};
  const VarianceComponents found = step.found();
  EXPECT_TRUE(found.known);
  EXPECT_NEAR(found.within, 10.0 / 3, 1e-12);
  EXPECT_NEAR(found.between, 119.0 / 18, 1e-12);
}

TEST(VarianceComponents, OfEachDomainByHand) {
  // The same: means 2 and 6 are 16 apart, squared. Inside {1, 3}: 2 over 1; {4, 6, 8}: 8 over 2. The means' own noise
  // is taken off: 2 / 2 of the first and, of the others at the variance of all, (10 / 3) / 3; 4 / 3 and (10 / 3) / 2.
  const VarianceComponents found = OneStep{1, {1, 3, 4, 6, 8}, {0, 0, 1, 1, 1}}.found();
  ASSERT_EQ(found.domains.size(), 2U);
  EXPECT_NEAR(found.domains[0].within, 2, 1e-12);
  EXPECT_NEAR(found.domains[0].between, 125.0 / 9, 1e-12);
  EXPECT_NEAR(found.domains[1].within, 4, 1e-12);
  EXPECT_NEAR(found.domains[1].between, 13, 1e-12);
  // A domain with one survivor says nothing of its own scatter.
  const VarianceComponents lone = OneStep{1, {1, 4, 6, 8}, {0, 1, 1, 1}}.found();
  EXPECT_FALSE(lone.domains.at(0).known);
  EXPECT_TRUE(lone.domains.at(1).known);
}

TEST(VarianceComponents, TheDeadAreNotReadAndAnEmptyDomainIsNone) {
  // The same five, with a dead worker in each domain and a domain of the dead.
  const float unread = std::numeric_limits<float>::quiet_NaN();
  const OneStep step{1, {1, 3, unread, 4, 6, 8, unread, unread}, {0, 0, 0, 1, 1, 1, 1, 2}, {1, 1, 0, 1, 1, 1, 0, 0}};
  EXPECT_NEAR(step.found().within, 10.0 / 3, 1e-12);
  EXPECT_NEAR(step.found().between, 119.0 / 18, 1e-12);
}

TEST(VarianceComponents, MayBeBelowZero) {
  // Two domains {1, 3}: inside 4 / 2 = 2, between (0 - 2) / 2 = -1.
  const OneStep step{1, {1, 3, 1, 3}, {0, 0, 1, 1}};
  EXPECT_NEAR(step.found().within, 2, 1e-12);
  EXPECT_NEAR(step.found().between, -1, 1e-12);
}

TEST(VarianceComponents, UnknownForOneDomainOrWithoutNeighbours) {
  EXPECT_FALSE((OneStep{1, {1, 3, 5}, {0, 0, 0}}.found().known));
  EXPECT_FALSE((OneStep{1, {1, 3, 5}, {0, 1, 2}}.found().known));
}

TEST(VarianceComponents, RightOnAverageWhereDomainsAreUnequal) {
  // Domains of 1, 2, 3 and 6; in each of 8 coordinates between 2 and within 5, so traces of 16 and 40. Taking the mean
  // size 12 / 4 = 3 for (12 - 50 / 12) / 3 = 2.61 would make `between` 13 % too small; four standard errors of the mean
  // over 8000 draws are below 3 %.
  std::mt19937_64 random(7);
  const auto normal = [&] {  // twelve uniform numbers less their mean: variance 1
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) * 0x1p-64;
    return sum;
  };
  OneStep step{8, std::vector<float>(12 * 8), {0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3}};
  constexpr int draws = 8000;
  double within = 0, between = 0, within_squared = 0, between_squared = 0;
  for (int i = 0; i < draws; ++i) {
    double means[4][8];
    for (auto& domain : means)
      for (double& mean : domain) mean = std::sqrt(2.0) * normal();
    for (std::size_t w = 0; w < 12; ++w)
      for (std::size_t k = 0; k < 8; ++k)
        step.rows[w * 8 + k] = static_cast<float>(3 + means[step.domain[w]][k] + std::sqrt(5.0) * normal());
    const VarianceComponents found = step.found();
    within += found.within / draws;
    between += found.between / draws;
    within_squared += found.within * found.within / draws;
    between_squared += found.between * found.between / draws;
  }
  const double within_error = std::sqrt((within_squared - within * within) / draws);
  const double between_error = std::sqrt((between_squared - between * between) / draws);
  EXPECT_LT(4 * between_error, 0.03 * 16);
  EXPECT_NEAR(within, 40, 4 * within_error);
  EXPECT_NEAR(between, 16, 4 * between_error);
}

}  // namespace
}  // namespace toposim::estimators::test
