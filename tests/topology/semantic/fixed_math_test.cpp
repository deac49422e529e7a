#include "topology/semantic/fixed_math.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

// Against the C library, which is right to about half a unit in the last place (1.1e-16), on 20,000 numbers each.
TEST(FixedMath, NearTheLibrary) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const double u = random_unit(1, RandomUse::tabu, i, 0);
    const double x = std::ldexp(1 + u, static_cast<int>(i % 2000) - 1000);
    ASSERT_NEAR(fixed_log(x), std::log(x), 1e-15 * std::max(1.0, std::abs(std::log(x)))) << x;
    const double y = (u - 0.5) * 1400;
    ASSERT_NEAR(fixed_exp(y) / std::exp(y), 1, 1e-14) << y;
    const auto z = static_cast<float>((u - 0.5) * 170);
    ASSERT_NEAR(fixed_exp_float(z) / std::exp(static_cast<double>(z)), 1, 3e-7) << z;
  }
  EXPECT_EQ(fixed_log(1.0), 0);
  EXPECT_EQ(fixed_exp(0.0), 1);
  EXPECT_EQ(fixed_exp(-800.0), 0);
  EXPECT_EQ(fixed_exp_float(0.0f), 1);
  EXPECT_EQ(fixed_exp_float(-100.0f), 0);
  EXPECT_EQ(fixed_exp_float(-1e30f), 0);
}

// Bits, so that a change of compiler or flags that moves them is seen. Correctly rounded, exp(1) is
// 0x1.5bf0a8b145769p+1 (a unit less), log(2) 0x1.62e42fefa39efp-1 and log(10) 0x1.26bb1bbb55516p+1.
TEST(FixedMath, Bits) {
  EXPECT_EQ(fixed_exp(1.0), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(fixed_log(2.0), 0x1.62e42fefa39efp-1);
  EXPECT_EQ(fixed_log(10.0), 0x1.26bb1bbb55516p+1);
}

}  // namespace
}  // namespace toposim::topology
