#include "sim/workloads/fixed_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sim/workloads/cross_entropy.hpp"

namespace toposim::workloads {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distance in units in the last place of the truth, which is known to more digits than Scalar has.
template <class Scalar>
double ulps(Scalar value, long double truth) {
  const Scalar rounded = static_cast<Scalar>(truth);
  const Scalar unit = std::nextafter(std::abs(rounded), std::numeric_limits<Scalar>::infinity()) - std::abs(rounded);
  return static_cast<double>(std::abs(static_cast<long double>(value) - truth) / unit);
}

/// The worst over evenly spaced arguments.
template <class Scalar, class Function, class Truth>
double worst(Scalar from, Scalar to, const Function& function, const Truth& truth) {
  constexpr int points = 200'001;
  double most = 0;
  for (int i = 0; i < points; ++i) {
    const Scalar x = from + (to - from) * static_cast<Scalar>(i) / (points - 1);
    most = std::max(most, ulps<Scalar>(function(x), truth(static_cast<long double>(x))));
  }
  return most;
}

// Against the 64-bit mantissa of long double. 2 units are stated: one of rounding in the series (its last sum and its
// argument's rounding), less than one of the truncated series.
TEST(FixedMath, ExpIsWithinTwoUnits) {
  const auto truth = [](long double x) { return std::exp(x); };
  EXPECT_LE(worst<float>(
                -87.3f, 88.3f, [](float x) { return exp(x); }, truth),
            2);
  EXPECT_LE(worst<float>(
                -1, 1, [](float x) { return exp(x); }, truth),
            2);
  EXPECT_LE(worst<double>(
                -708, 709, [](double x) { return exp(x); }, truth),
            2);
  EXPECT_LE(worst<double>(
                -1, 1, [](double x) { return exp(x); }, truth),
            2);
}

TEST(FixedMath, ExpAtItsEnds) {
  EXPECT_EQ(exp(0.0f), 1.0f);
  EXPECT_EQ(exp(0.0), 1.0);
  EXPECT_EQ(exp(-88.0f), 0.0f);
  EXPECT_EQ(exp(89.0f), std::numeric_limits<float>::infinity());
  EXPECT_EQ(exp(-infinity), 0.0);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(exp(std::numeric_limits<float>::quiet_NaN())));
}

TEST(FixedMath, SigmoidIsWithinThreeUnits) {
  const auto truth = [](long double x) { return 1 / (1 + std::exp(-x)); };
  EXPECT_LE(worst<float>(
                -20, 20, [](float x) { return sigmoid_pack<float>(splat(x))[3]; }, truth),
            3);
  EXPECT_LE(worst<double>(
                -20, 20, [](double x) { return sigmoid_pack<double>(splat(x))[3]; }, truth),
            3);
  EXPECT_EQ(sigmoid_pack<float>(splat(-100.0f))[0], 0.0f);
  EXPECT_EQ(sigmoid_pack<float>(splat(100.0f))[0], 1.0f);
}

TEST(FixedMath, LogIsWithinTwoUnits) {
  const auto truth = [](long double x) { return std::log(x); };
  EXPECT_LE(worst<double>(
                1e-6, 3, [](double x) { return log(x); }, truth),
            2);
  EXPECT_LE(worst<double>(
                0.999, 1.001, [](double x) { return log(x); }, truth),
            2);
  EXPECT_LE(worst<double>(
                1, 1e300, [](double x) { return log(x); }, truth),
            2);
  EXPECT_LE(ulps(log(5e-324), truth(static_cast<long double>(5e-324))), 2);
  EXPECT_EQ(log(1.0), 0.0);
  EXPECT_EQ(log(0.0), -infinity);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_TRUE(std::isnan(log(-1.0)));
  EXPECT_TRUE(std::isnan(log(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FixedMath, SineAndCosineAreWithin2e16) {
  long double most = 0;
  for (int i = -200'000; i <= 200'000; ++i) {
    const double turns = i * 1.37e-4;
    const SineCosine at = sine_cosine(turns);
    const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(turns);
    most = std::max({most, std::abs(at.sine - std::sin(angle)), std::abs(at.cosine - std::cos(angle))});
  }
  EXPECT_LE(most, 2e-16L);
  for (const double turns : {0.0, 1.0, -3.0, 1e12}) {
    EXPECT_EQ(sine_cosine(turns).sine, 0);
    EXPECT_EQ(sine_cosine(turns).cosine, 1);
  }
  EXPECT_EQ(sine_cosine(0.25).sine, 1);
  EXPECT_EQ(sine_cosine(0.5).cosine, -1);
  EXPECT_EQ(sine_cosine(-0.25).sine, -1);
}

// Logits log 1, log 2, log 5 and shifts: probabilities 1/8, 2/8, 5/8. The loss of the third is log(8/5), the gradient
// scale (1/8, 2/8, -3/8).
TEST(CrossEntropy, ByHand) {
  for (const double shift : {0.0, 300.0, -300.0}) {
    double logits[3] = {shift, shift + std::log(2.0), shift + std::log(5.0)};
    EXPECT_NEAR(cross_entropy(logits, 3, 2, 0.5), std::log(1.6), 1e-13);
    EXPECT_NEAR(logits[0], 1 / 16.0, 1e-14);
    EXPECT_NEAR(logits[1], 2 / 16.0, 1e-14);
    EXPECT_NEAR(logits[2], -3 / 16.0, 1e-14);
  }
}

// Ten classes are one pack of floats and two more: all equal gives log 10.
TEST(CrossEntropy, OfAPackAndARemainder) {
  float logits[10] = {};
  EXPECT_NEAR(cross_entropy(logits, 10, 9, 1.0f), std::log(10.0), 1e-6);
  for (int c = 0; c < 9; ++c) EXPECT_NEAR(logits[c], 0.1f, 1e-7);
  EXPECT_NEAR(logits[9], -0.9f, 1e-7);
  logits[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(cross_entropy(logits, 10, 0, 1.0f)));
}

}  // namespace
}  // namespace toposim::workloads
