#include "analysis/loss_spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace toposim::analysis {
namespace {

std::vector<double> noise(std::size_t n, unsigned seed) {
  std::mt19937 words(seed);
  std::vector<double> values(n);
  for (double& v : values) {  // sum of 12 uniforms: near enough to normal
    v = -6;
    for (int i = 0; i < 12; ++i) v += static_cast<double>(words()) / 4294967296.0;
  }
  return values;
}

TEST(LossSwing, FindsThePeriodUnderATrend) {
  // 400 losses, the last half of them looked at: 200, a falling line, a swing of 20 steps (ten of them) and noise of a
  // quarter of its height. Variances: 0.5 x 0.02^2 against 0.005^2: the swing has 8 of 9 parts of the power.
  std::vector<double> losses = noise(400, 1);
  for (std::size_t i = 0; i < 400; ++i)
    losses[i] = 2 - 0.001 * static_cast<double>(i) +
                0.02 * std::sin(2 * std::numbers::pi * static_cast<double>(i) / 20) + 0.005 * losses[i];
  const LossSwing swing = loss_swing(losses);
  EXPECT_DOUBLE_EQ(swing.period_steps, 20);
  EXPECT_EQ(swing.periods, 10);
  EXPECT_NEAR(swing.power_share, 8.0 / 9, 0.05);
  EXPECT_LT(swing.p_value, 1e-6);
  // sqrt(0.5 x 0.02^2 + 0.005^2) = 0.015 over a mean of 2 - 0.3 = 1.7.
  EXPECT_NEAR(swing.relative_sd, 0.015 / 1.7, 0.001);
}

TEST(LossSwing, NoiseIsFoundOutAsOftenAsTheTestAllows) {
  int found = 0;
  for (unsigned seed = 0; seed < 400; ++seed) found += loss_swing(noise(200, seed + 10), 1).p_value < 0.05 ? 1 : 0;
  EXPECT_NEAR(found, 20, 14) << "5 % of 400, sd 4.4; three of them";
}

TEST(LossSwing, FishersTestByHand) {
  // Five values have two frequencies; a pure one has all the power: share 1, p = 2 (1 - 1)^1 = 0. Needs 16 values, so:
  // 17 values have 8 frequencies, and a pure frequency p = 8 x 0^7 = 0.
  std::vector<double> losses(17);
  for (std::size_t i = 0; i < 17; ++i)
    losses[i] = 1 + 0.1 * std::cos(2 * std::numbers::pi * 4 * static_cast<double>(i) / 17);
  const LossSwing swing = loss_swing(losses, 1);
  EXPECT_NEAR(swing.period_steps, 17.0 / 4, 1e-9);
  EXPECT_LT(swing.p_value, 1e-6);
}

TEST(LossSwing, TooLittleSaysNothing) {
  EXPECT_EQ(loss_swing({}).p_value, 1);
  EXPECT_EQ(loss_swing(std::vector<double>(20, 1.0)).power_share, 0) << "ten of them are too few";
  EXPECT_EQ(loss_swing(std::vector<double>(100, 1.0)).relative_sd, 0) << "nothing swings";
  std::vector<double> diverged(100, 1.0);
  diverged[99] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(loss_swing(diverged).p_value, 1);
}

}  // namespace
}  // namespace toposim::analysis
