#include "topology/semantic/half.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

namespace toposim::topology {
namespace {

// IEEE 754: 1 sign, 5 exponent (bias 15), 10 fraction bits. Exponent 0: fraction x 2^-24; 31: infinity or NaN; else
// (1024 + fraction) x 2^(exponent - 25).
std::uint32_t widened_by_hand(std::uint32_t half) {
  const std::uint32_t sign = half >> 15 << 31, exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 31) return sign | 0x7f800000u | (fraction == 0 ? 0 : 0x00400000u | fraction << 13);  // quiet
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(fraction), -24)
                              : std::ldexp(static_cast<float>(1024 + fraction), static_cast<int>(exponent) - 25);
  return sign | std::bit_cast<std::uint32_t>(magnitude);
}

// All 65,536 values at once (the vector path) and in runs of 7 (the path for what is left over).
TEST(Half, AllValues) {
  std::vector<std::uint16_t> halves(65'536);
  for (std::uint32_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  std::vector<float> at_once(halves.size()), in_runs(halves.size());
  widen_halves(halves.data(), halves.size(), at_once.data());
  for (std::size_t i = 0; i < halves.size(); i += 7) {
    widen_halves(halves.data() + i, std::min<std::size_t>(7, halves.size() - i), in_runs.data() + i);
  }
  for (std::uint32_t i = 0; i < halves.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(at_once[i]), widened_by_hand(i)) << i;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(in_runs[i]), widened_by_hand(i)) << i;
  }
}

}  // namespace
}  // namespace toposim::topology
