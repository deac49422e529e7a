// The C++ face: each operation on numbers small enough to follow, sizes that do not fit, statuses as exceptions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/topokernels.hpp"

namespace toposim::kernels::test {
namespace {

using Floats = std::vector<float>;

TEST(Face, EveryOperationOnSmallNumbers) {
  Kernels kernels;
  const Floats a{1, 2, 3}, b{4, 0, -2};
  Floats out(3);
  // 0.5 a + 0.25 b
  kernels.pool(std::vector<Vector>{std::span<const float>(a), std::span<const float>(b)}, Floats{0.5F, 0.25F}, out);
  EXPECT_EQ(out, (Floats{1.5F, 1, 1}));
  const std::vector<std::span<const float>> both{a, b};
  // a.a = 14, b.a = 4 - 6 = -2, b.b = 20
  EXPECT_EQ(kernels.gram(both), (std::vector<double>{14, -2, 20}));
  // (1.5, 1, 1) against a: dot 6.5, |e|^2 4.25, |a|^2 14, |e - a|^2 = .25 + 1 + 4
  const tk_metrics_sums pooled = kernels.pool_metrics(both, Floats{0.5F, 0.25F}, a);
  EXPECT_EQ(pooled.dot, 6.5);
  EXPECT_EQ(pooled.estimate_square, 4.25);
  EXPECT_EQ(pooled.truth_square, 14);
  EXPECT_EQ(pooled.error_square, 5.25);
  EXPECT_EQ(kernels.compare(b, a).dot, -2);
  kernels.correct(a, b, 0.25F, out);  // .25 a + .75 b
  EXPECT_EQ(out, (Floats{3.25F, 0.5F, -0.75F}));
  kernels.scale(out, 2);
  EXPECT_EQ(out, (Floats{6.5F, 1, -1.5F}));
  Floats five{3, 4};
  EXPECT_EQ(kernels.clip(five, 1), 5);  // to length 1
  EXPECT_NEAR(five[0], 0.6F, 1e-7);
  EXPECT_NEAR(kernels.clip(five, 10), 1, 1e-7);
  EXPECT_NEAR(five[1], 0.8F, 1e-7) << "shorter than the limit: left alone";
  std::vector<std::int8_t> q(3);
  Floats scales(1);
  kernels.quantise(Floats{127, -64, 0}, q, scales);  // scale 1
  EXPECT_EQ(q, (std::vector<std::int8_t>{127, -64, 0}));
  kernels.dequantise(q, scales, out);
  EXPECT_EQ(out, (Floats{127, -64, 0}));
  kernels.pool(std::vector<Vector>{{q, scales}, {q, scales}}, Floats{1, 1}, out);
  EXPECT_EQ(out, (Floats{254, -128, 0}));
  // A sketch is linear in its input, and of a vector with one number it has one number, plus or minus.
  Floats sketch(64);
  kernels.sketch(Floats{7}, 1, sketch);
  double magnitude = 0;
  for (const float x : sketch) magnitude += std::fabs(static_cast<double>(x));
  EXPECT_EQ(magnitude, 7);
}

TEST(Face, MoreInputsThanOneCallTakesGoInPasses) {
  // 2 x 4,096 + 1 inputs, input i is the number i mod 4 with weight 1: 2,048 x (0 + 1 + 2 + 3) + 0, all exact in fp32.
  Kernels kernels;
  const std::size_t count = 2 * TK_INPUTS_MAX + 1;
  Floats numbers, out(1);
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(i % 4));
  std::vector<Vector> inputs;
  for (std::size_t i = 0; i < count; ++i) inputs.emplace_back(std::span<const float>(numbers).subspan(i, 1));
  kernels.pool(inputs, Floats(count, 1.0F), out);
  EXPECT_EQ(out[0], 2048 * 6);
}

TEST(Face, SizesThatDoNotFitAreRefused) {
  Kernels kernels;
  Floats three(3), two(2);
  EXPECT_THROW(kernels.compare(three, two), std::invalid_argument);
  EXPECT_THROW(kernels.correct(three, two, 0.5F, three), std::invalid_argument);
  EXPECT_THROW(kernels.pool(std::vector<Vector>{std::span<const float>(three)}, two, three), std::invalid_argument);
  EXPECT_THROW(kernels.gram(std::vector<std::span<const float>>{three, two}), std::invalid_argument);
  std::vector<std::int8_t> q(3);
  EXPECT_THROW(kernels.quantise(three, q, two), std::invalid_argument);
}

TEST(Face, StatusesBecomeExceptions) {
  Kernels kernels;
  Floats three(3), odd(65);
  try {
    kernels.scale(three, std::numeric_limits<float>::quiet_NaN());
    FAIL() << "a factor that is not a number";
  } catch (const KernelError& error) {
    EXPECT_EQ(error.status(), TK_BAD_ARGUMENT);
    EXPECT_EQ(std::string(error.what()).rfind("scale: ", 0), 0U) << error.what();
    EXPECT_GT(std::string(error.what()).size(), 10U);
  }
  EXPECT_THROW(kernels.sketch(three, 1, odd), KernelError);
  EXPECT_THROW(kernels.gram({}), KernelError);
}

}  // namespace
}  // namespace toposim::kernels::test
