#include "sim/accuracy/step_similarities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace toposim::accuracy::test {
namespace {

constexpr std::size_t row_count = 5, first_group = 9000, row_length = 15'000;

/// Gradients of this step and of the one before, two layer groups.
struct TwoSteps {
  std::vector<float> now = std::vector<float>(row_count * row_length), before = now;
  TwoSteps() {
    std::mt19937 random(11);
    for (auto* rows : {&now, &before})
      for (float& x : *rows) x = static_cast<float>(random()) * 0x1p-31F - 1;
  }
  GradientRows rows() const {
    return [this](std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
      return std::span<const float>(age == 0 ? now : before).subspan(worker * row_length + begin, end - begin);
    };
  }
  SimilaritySpec spec() const {
    SimilaritySpec made;
    made.step = 9;
    made.workers = row_count;
    made.ages = 2;
    made.groups = {{"first", 0, first_group}, {"second", first_group, row_length}};
    made.sketch_width = 64;
    return made;
  }
  double product(std::size_t a, std::size_t b, std::size_t begin, std::size_t end) const {
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += value(a, k) * value(b, k);
    return sum;
  }
  double value(std::size_t vector, std::size_t k) const {
    const std::vector<float>& rows = vector < row_count ? now : before;
    return static_cast<double>(rows[vector % row_count * row_length + k]);
  }
};

TEST(StepSimilarities, AreInnerProductsByGroup) {
  const TwoSteps steps;
  const StepSimilarities found = similarities_of(steps.spec(), steps.rows(), {});
  EXPECT_EQ(found.step, 9U);
  EXPECT_EQ(found.vectors(), 2 * row_count);
  ASSERT_EQ(found.group_names, (std::vector<std::string>{"first", "second"}));
  for (std::size_t a = 0; a < 2 * row_count; ++a)
    for (std::size_t b = 0; b < 2 * row_count; ++b) {
      ASSERT_NEAR(found.groups[0](a, b), steps.product(a, b, 0, first_group), 1e-3);
      ASSERT_NEAR(found.groups[1](a, b), steps.product(a, b, first_group, row_length), 1e-3);
      ASSERT_NEAR(found.all(a, b), steps.product(a, b, 0, row_length), 1e-3);
    }
}

TEST(StepSimilarities, PiecesAddUpToTheSame) {
  // The kernel adds up 4096 products at a time in fp32, and such strips in fp64. Pieces of a strip each differ from the
  // whole by the order of fp64 sums; others cut strips in two, and differ by fp32 rounding: 2^-24 of a length, 12 times
  // in the depth of a strip's tree.
  const TwoSteps steps;
  const StepSimilarities whole = similarities_of(steps.spec(), steps.rows(), {});
  SimilaritySpec spec = steps.spec();
  spec.threads = 3;
  for (const auto& [at_once, bound] : {std::pair{4096U, 1e-12}, {3333U, 12 * 0x1p-24}}) {
    spec.coordinates_at_once = at_once;
    const StepSimilarities pieces = similarities_of(spec, steps.rows(), {});
    for (std::size_t a = 0; a < 2 * row_count; ++a)
      for (std::size_t b = 0; b < 2 * row_count; ++b)
        for (std::size_t g = 0; g < 2; ++g)
          ASSERT_NEAR(pieces.groups[g](a, b), whole.groups[g](a, b), bound * whole.groups[g](a, a)) << at_once;
  }
}

TEST(StepSimilarities, SketchesOfPiecesKeepLengthsOnAverage) {
  // The square of a count-sketch is that of the vector on average, with a relative variance of about 2 / width: mean of
  // 200 seeds, sqrt(2 / 64 / 200) = 0.0125; four of them 0.05. Worker 0's pieces are equal: with one hash for all they
  // would add up to 15 times a piece, and 15 times the square.
  TwoSteps steps;
  for (std::size_t k = 1000; k < row_length; ++k) steps.now[k] = steps.now[k % 1000];
  SimilaritySpec spec = steps.spec();
  spec.coordinates_at_once = 1000;
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    spec.seed = 1000 * seed;
    const std::vector<float> sketches = sketches_of(spec, steps.rows());
    for (std::size_t k = 0; k < 64; ++k)
      mean += static_cast<double>(sketches[k]) * static_cast<double>(sketches[k]) / 200;
  }
  EXPECT_NEAR(mean / steps.product(0, 0, 0, row_length), 1, 0.05);
}

TEST(StepSimilarities, Int8VectorsAreThoseOfRoundedGradients) {
  // Blocks of 128 coordinates of a piece are rounded to their largest / 127: here piece by piece of a group, so that
  // the second group begins a block.
  const TwoSteps steps;
  SimilaritySpec spec = steps.spec();
  spec.quantised = true;
  const std::vector<float> population(row_length, 0.5F);
  spec.population = population;
  const StepSimilarities found = similarities_of(spec, steps.rows(), {});
  ASSERT_EQ(found.vectors(), 3 * row_count + 1);
  EXPECT_EQ(found.quantised_vector(0), 2 * row_count);
  EXPECT_EQ(found.population_vector(), 3 * row_count);
  const auto rounded = [&](std::size_t worker, std::size_t group_begin, std::size_t group_end) {
    std::vector<double> values;
    for (std::size_t begin = group_begin; begin < group_end; begin += 128) {
      const std::size_t end = std::min(begin + 128, group_end);
      double largest = 0;
      for (std::size_t k = begin; k < end; ++k) largest = std::max(largest, std::fabs(steps.value(worker, k)));
      for (std::size_t k = begin; k < end; ++k)
        values.push_back(std::nearbyint(steps.value(worker, k) / (largest / 127)) * (largest / 127));
    }
    return values;
  };
  for (std::size_t w = 0; w < row_count; ++w) {
    std::vector<double> expected = rounded(w, 0, first_group);
    const std::vector<double> second = rounded(w, first_group, row_length);
    expected.insert(expected.end(), second.begin(), second.end());
    double square = 0, along = 0, mean = 0;
    for (std::size_t k = 0; k < row_length; ++k) {
      square += expected[k] * expected[k];
      along += expected[k] * steps.value(w, k);
      mean += 0.5 * steps.value(w, k);
    }
    const std::size_t q = found.quantised_vector(w);
    EXPECT_NEAR(found.all(q, q), square, 2e-3);
    EXPECT_NEAR(found.all(q, w), along, 2e-3);
    EXPECT_NE(found.all(q, q), found.all(w, w)) << "rounding is seen";
    EXPECT_NEAR(found.all(found.population_vector(), w), mean, 2e-3);
  }
}

TEST(StepSimilarities, TheSameBitsForAnyNumberOfThreads) {
  const TwoSteps steps;
  SimilaritySpec spec = steps.spec();
  spec.quantised = true;
  const StepSimilarities one = similarities_of(spec, steps.rows(), {sketches_of(spec, steps.rows())});
  spec.threads = 3;
  const StepSimilarities three = similarities_of(spec, steps.rows(), {sketches_of(spec, steps.rows())});
  EXPECT_EQ(one.sketches, three.sketches);
  for (std::size_t a = 0; a < one.vectors(); ++a)
    for (std::size_t b = 0; b < one.vectors(); ++b) ASSERT_EQ(one.all(a, b), three.all(a, b));
}

}  // namespace
}  // namespace toposim::accuracy::test
