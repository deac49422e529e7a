// Inner products against plain loops, and the squares that are made of them.
#include "sim/emulator/gram_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace toposim::emulator::test {
namespace {

struct Vectors {
  std::vector<std::vector<float>> values;
  std::vector<std::span<const float>> rows;
  Vectors(std::size_t count, std::size_t length) {
    std::mt19937 random(3);
    for (std::size_t v = 0; v < count; ++v) {
      values.emplace_back(length);
      for (float& x : values.back()) x = static_cast<float>(random()) * 0x1p-31F - 1;
    }
    for (const auto& x : values) rows.emplace_back(x);
  }
  double product(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t k = 0; k < values[a].size(); ++k)
      sum += static_cast<double>(values[a][k]) * static_cast<double>(values[b][k]);
    return sum;
  }
};

TEST(GramMatrix, IsThatOfPlainLoops) {
  // Blocks of 32: one, a full one, one and a bit, two, two and a bit. The kernel sums fp32 products of a strip of 4096
  // in a fixed tree: 5000 numbers below 1 leave less than 5000 x 2^-24 = 3e-4 of rounding, in practice far less.
  for (const std::size_t count : {1U, 2U, 31U, 32U, 33U, 64U, 65U, 97U}) {
    const Vectors vectors(count, 5000);
    GramMatrix gram(count);
    gram.add(vectors.rows, 2);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < count; ++b)
        ASSERT_NEAR(gram(a, b), vectors.product(a, b), 3e-4) << count << ": " << a << ", " << b;
  }
}

TEST(GramMatrix, TheSameBitsForAnyNumberOfThreads) {
  const Vectors vectors(97, 5000);
  GramMatrix one(97), three(97);
  one.add(vectors.rows, 1);
  three.add(vectors.rows, 3);
  for (std::size_t a = 0; a < 97; ++a)
    for (std::size_t b = 0; b < 97; ++b) ASSERT_EQ(one(a, b), three(a, b));
}

TEST(GramMatrix, CoordinatesAddUp) {
  const Vectors vectors(3, 4);
  GramMatrix whole(3), twice(3);
  whole.add(vectors.rows, 1);
  twice.add(vectors.rows, 1);
  twice.add(vectors.rows, 1);
  GramMatrix sum = whole;
  sum.add(whole);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(twice(a, b), 2 * whole(a, b));
      EXPECT_EQ(sum(a, b), 2 * whole(a, b));
    }
}

TEST(GramMatrix, SquaresAndProductsByHand) {
  // x = (3, 4), y = (1, 0): |x - 3 y|^2 = 16, <x + y, x - y> = 25 - 1 = 24, |x - x|^2 = 0.
  const std::vector<float> x{3, 4}, y{1, 0};
  const std::vector<std::span<const float>> rows{x, y};
  GramMatrix gram(2);
  gram.add(rows, 1);
  const std::vector<double> a{1, -3}, sum{1, 1}, difference{1, -1}, none{0, 0};
  EXPECT_EQ(gram.square(a), 16);
  EXPECT_EQ(gram.product(sum, difference), 24);
  EXPECT_EQ(gram.square(none), 0);
}

TEST(GramMatrix, SizesThatDoNotFitAreRefused) {
  const Vectors vectors(3, 4);
  GramMatrix gram(2);
  EXPECT_THROW(gram.add(vectors.rows, 1), std::invalid_argument);
  EXPECT_THROW(gram.add(GramMatrix(3)), std::invalid_argument);
  EXPECT_THROW(gram.square(std::vector<double>(3)), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::emulator::test
