#include "sim/trainer/neighborhood_pool.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace toposim::trainer::test {
namespace {

using estimators::Term;

NeighborhoodSpec two_workers(std::size_t parameters) {
  NeighborhoodSpec spec;
  spec.domain = {0, 0};
  spec.parameters = parameters;
  spec.sketch_width = 64;
  return spec;
}

TEST(NeighborhoodPool, ALateRowIsThereForTheStepsAfterItsOwn) {
  NeighborhoodSpec spec = two_workers(2);
  spec.history_steps = 2;
  NeighborhoodPool pool(spec);
  const std::vector<float> first{1, 2, 30, 40}, second{5, 6, 7, 8};
  const std::vector<std::uint8_t> one{1, 0}, both{1, 1}, late{0, 1};
  std::vector<float> out(2);

  pool.begin_step(first, 2, one, true, late);
  EXPECT_EQ(pool.observations().steps.at(0).present[1], 0);
  EXPECT_THROW(pool.combine(std::vector<Term>{{0, 1, 1.0}}, out), std::invalid_argument) << "not in this step";

  pool.begin_step(second, 2, both, true);
  const estimators::Observations seen = pool.observations();
  ASSERT_EQ(seen.steps.size(), 2U);
  EXPECT_EQ(seen.steps[1].present[1], 1);
  double sketched = 0;  // a count-sketch moves numbers about and flips signs; two of them may meet in one place
  for (std::size_t k = 64; k < 128; ++k) sketched += std::fabs(static_cast<double>(seen.steps[1].rows[k]));
  EXPECT_TRUE(sketched == 70 || sketched == 10) << sketched;
  pool.combine(std::vector<Term>{{1, 1, 0.5}}, out);
  EXPECT_EQ(out, (std::vector<float>{15, 20})) << "the row of its own step";
}

TEST(NeighborhoodPool, ARowThatNeverCameIsNotThereLaterEither) {
  NeighborhoodSpec spec = two_workers(2);
  spec.history_steps = 1;
  NeighborhoodPool pool(spec);
  const float unread = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> first{1, 2, unread, unread}, second{5, 6, 7, 8};
  const std::vector<std::uint8_t> one{1, 0}, both{1, 1}, nobody{0, 0};
  std::vector<float> out(2);
  pool.begin_step(first, 2, one, true, nobody);
  pool.begin_step(second, 2, both, true);
  EXPECT_EQ(pool.observations().steps.at(1).present[1], 0);
  EXPECT_THROW(pool.combine(std::vector<Term>{{1, 1, 1.0}}, out), std::invalid_argument);
}

TEST(NeighborhoodPool, Int8IsPooledAsItWasRounded) {
  // Each block of 128 has steps of its largest number / 127. Worker 0: 1.27, so steps of 0.01, and 0.014 becomes 0.01;
  // in its second block 12.7, steps of 0.1, and 0.26 becomes 0.3. Worker 1: 2.54, steps of 0.02, and 0.075 becomes
  // 0.08.
  NeighborhoodSpec spec = two_workers(130);
  spec.int8 = true;
  NeighborhoodPool pool(spec);
  std::vector<float> gradients(260, 0.0F);
  gradients[0] = 1.27F;
  gradients[1] = 0.014F;
  gradients[128] = 12.7F;
  gradients[129] = 0.26F;
  gradients[130] = -2.54F;
  gradients[131] = 0.075F;
  const std::vector<std::uint8_t> both{1, 1};
  pool.begin_step(gradients, 130, both, true);
  std::vector<float> out(130);
  pool.combine(std::vector<Term>{{0, 0, 0.5}, {0, 1, 0.25}}, out);
  EXPECT_NEAR(out[0], 0.5 * 1.27 - 0.25 * 2.54, 1e-6);
  EXPECT_NEAR(out[1], 0.5 * 0.01 + 0.25 * 0.08, 1e-6);
  EXPECT_EQ(out[2], 0);
  EXPECT_NEAR(out[128], 0.5 * 12.7, 1e-5);
  EXPECT_NEAR(out[129], 0.5 * 0.3, 1e-6);
}

TEST(NeighborhoodPool, Int8KeepsEarlierStepsToo) {
  NeighborhoodSpec spec = two_workers(3);
  spec.int8 = true;
  spec.history_steps = 1;
  NeighborhoodPool pool(spec);
  const std::vector<float> first{1.27F, 0.014F, 0, 0, 0, 0}, second(6, 9.0F);
  const std::vector<std::uint8_t> both{1, 1};
  pool.begin_step(first, 3, both, true);
  pool.begin_step(second, 3, both, true);
  std::vector<float> out(3);
  pool.combine(std::vector<Term>{{1, 0, 1.0}}, out);
  EXPECT_NEAR(out[0], 1.27, 1e-6);
  EXPECT_NEAR(out[1], 0.01, 1e-7);
}

}  // namespace
}  // namespace toposim::trainer::test
