#include "sim/workloads/draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace toposim::workloads {
namespace {

// Mean 0, variance 1, fourth moment 3, each within four standard errors at n = 100,000: 4 / sqrt(n) = 0.0126,
// 4 sqrt(2 / n) = 0.0179, 4 sqrt(96 / n) = 0.124. Kolmogorov's sqrt(n) D exceeds 1.949 with probability 0.001.
TEST(Draws, NormalsAreNormal) {
  constexpr std::size_t n = 100'000;
  std::vector<double> z(n);
  Draws(42, DrawPurpose::training_noise).normals(3, 9, 0, z.data(), n);
  double mean = 0, square = 0, fourth = 0;
  for (const double x : z) {
    mean += x / n;
    square += x * x / n;
    fourth += x * x * x * x / n;
  }
  EXPECT_NEAR(mean, 0, 0.0126);
  EXPECT_NEAR(square, 1, 0.0179);
  EXPECT_NEAR(fourth, 3, 0.124);
  std::sort(z.begin(), z.end());
  double distance = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double f = std::erfc(-z[i] / std::sqrt(2.0)) / 2;
    distance = std::max({distance, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  EXPECT_LT(distance * std::sqrt(static_cast<double>(n)), 1.949);
}

// A number is a function of its counter: how many are drawn along with it changes nothing.
TEST(Draws, ANumberDoesNotDependOnHowManyAreDrawn) {
  const Draws draws(42, DrawPurpose::training_noise);
  double few[5], many[100];
  draws.normals(7, 8, 1, few, 5);
  draws.normals(7, 8, 1, many, 100);
  EXPECT_TRUE(std::equal(few, few + 5, many));
  double later[4];
  draws.normals(7, 8, 2, later, 4);
  EXPECT_TRUE(std::equal(later, later + 4, many + 4));
}

TEST(Draws, SeedPurposeAndCountersAllCount) {
  const auto base = Draws(1, DrawPurpose::training_noise).words(2, 3, 4);
  EXPECT_EQ(base, Draws(1, DrawPurpose::training_noise).words(2, 3, 4));
  EXPECT_NE(base, Draws(1ull << 32 | 1, DrawPurpose::training_noise).words(2, 3, 4));
  EXPECT_NE(base, Draws(1, DrawPurpose::evaluation_noise).words(2, 3, 4));
  EXPECT_NE(base, Draws(1, DrawPurpose::training_noise).words(1ull << 32 | 2, 3, 4));
  EXPECT_NE(base, Draws(1, DrawPurpose::training_noise).words(2, 4, 4));
  EXPECT_NE(base, Draws(1, DrawPurpose::training_noise).words(2, 3, 5));
}

}  // namespace
}  // namespace toposim::workloads
