#include "sim/workloads/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/workloads/error.hpp"

namespace toposim::workloads {
namespace {

// g = 2, then -1, rate 0.1. Step 1: m = 0.2, v = 0.004, m^ = 2, v^ = 4, p = 1 - 0.1 x 2 / 2 = 0.9. Step 2: m = 0.18 -
// 0.1 = 0.08, v = 0.003996 + 0.001 = 0.004996; m^ = 0.08 / 0.19 = 0.4210526, v^ = 0.004996 / 0.001999 = 2.4992496, root
// 1.5808984: p = 0.9 - 0.1 x 0.2663375 = 0.8733663.
TEST(Adam, TwoStepsByHand) {
  AdamState state = adam_state(2);
  std::vector<float> p = {1, 1};
  adam_step({}, 0.1, std::vector<float>{2, 2}, state, p);
  EXPECT_NEAR(p[0], 0.9f, 1e-7);
  adam_step({}, 0.1, std::vector<float>{-1, 2}, state, p);
  EXPECT_NEAR(p[0], 0.8733663f, 2e-7);
  EXPECT_NEAR(p[1], 0.8f, 1e-6);  // a constant gradient moves by the rate
  EXPECT_NEAR(state.first_moment[0], 0.08f, 1e-8);
  EXPECT_NEAR(state.second_moment[0], 0.004996f, 1e-9);
}

// No gradient, no movement: 0 / (0 + epsilon). With g = 1e-8: m^ = 1e-8, sqrt(v^) = 1e-8, epsilon as much: half a rate.
TEST(Adam, EpsilonIsOutsideTheRoot) {
  AdamState state = adam_state(2);
  std::vector<float> p = {0, 0};
  adam_step({}, 1, std::vector<float>{0, 1e-8f}, state, p);
  EXPECT_EQ(p[0], 0.0f);
  EXPECT_NEAR(p[1], -0.5f, 1e-5);
}

// Momentum 0.5, rate 0.1, g = 1, 1, -2: u = 1, 1.5, -1.25; p = -0.1, -0.25, -0.125.
TEST(Sgd, ThreeStepsByHand) {
  SgdState state = sgd_state(1);
  std::vector<float> p = {0};
  sgd_step(0.5, 0.1, std::vector<float>{1}, state, p);
  EXPECT_FLOAT_EQ(p[0], -0.1f);
  sgd_step(0.5, 0.1, std::vector<float>{1}, state, p);
  EXPECT_FLOAT_EQ(p[0], -0.25f);
  sgd_step(0.5, 0.1, std::vector<float>{-2}, state, p);
  EXPECT_FLOAT_EQ(p[0], -0.125f);
}

// Warm-up of 4 to 0.8, end at step 12, final 0.2. Steps 0..3: 0.2, 0.4, 0.6, 0.8. Step 4 starts the cosine at 0.8; step
// 8 is half way, 0.5; step 6 a quarter: 0.2 + 0.6 (1 + cos 45) / 2 = 0.2 + 0.3 x 1.70710678 = 0.71213203.
TEST(CosineSchedule, ByHand) {
  const CosineSchedule schedule{0.8, 0.2, 4, 12};
  for (std::uint64_t step = 0; step < 4; ++step)
    EXPECT_DOUBLE_EQ(learning_rate(schedule, step), 0.2 * static_cast<double>(step + 1));
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 4), 0.8);
  EXPECT_NEAR(learning_rate(schedule, 6), 0.71213203435596426, 1e-15);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 8), 0.5);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 12), 0.2);
  EXPECT_DOUBLE_EQ(learning_rate(schedule, 1000), 0.2);
}

// Nothing but warm-up, and nothing at all.
TEST(CosineSchedule, Degenerate) {
  EXPECT_DOUBLE_EQ(learning_rate({1, 0.1, 5, 5}, 4), 1);
  EXPECT_DOUBLE_EQ(learning_rate({1, 0.1, 5, 5}, 5), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate({1, 0.1, 0, 0}, 0), 0.1);
}

TEST(Optimizer, RefusesSizesThatDiffer) {
  AdamState adam = adam_state(3);
  SgdState sgd = sgd_state(3);
  std::vector<float> p(4), g(4);
  EXPECT_THROW(adam_step({}, 0.1, g, adam, p), WorkloadError);
  EXPECT_THROW(sgd_step(0.9, 0.1, g, sgd, p), WorkloadError);
  p.resize(3);
  EXPECT_THROW(adam_step({}, 0.1, g, adam, p), WorkloadError);
}

}  // namespace
}  // namespace toposim::workloads
