#include "sim/accuracy/gradient_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace toposim::accuracy::test {
namespace {

/// Vectors of two numbers; with `population` the last of them is that.
StepSimilarities plane(const std::vector<std::vector<float>>& vectors, bool population) {
  StepSimilarities made;
  made.step = 4;
  made.workers = vectors.size() - (population ? 1 : 0);
  made.population = population;
  made.all = emulator::GramMatrix(vectors.size());
  std::vector<std::span<const float>> rows(vectors.begin(), vectors.end());
  made.all.add(rows, 1);
  made.group_names = {"all of it"};
  made.groups = {made.all};
  return made;
}

const std::vector<std::uint32_t> two_pairs{0, 0, 1, 1};

TEST(GradientScene, FourVectorsByHand) {
  // (1, 0), (0, 1) | (2, 0), (2, 2). Inside: 90 and 45 degrees. Across: (1, 0) with (2, 0) and (2, 2) 0 and 45, (0, 1)
  // with them 90 and 45.
  // Mean (5/4, 3/4), squared 34/16. Spread: n / (n - 1) sum |G - mean|^2 = 2 x (1/2 + 1/2) = 2 and 2 x (1 + 1) = 4, so
  // a worker's variance is 6/4 and the mean's 6/16. Without the population: |g|^2 = 34/16 - 6/16 = 28/16, B_noise = 8 x
  // (6/4) / (28/16) = 48/7.
  const Scene scene = scene_of(plane({{1, 0}, {0, 1}, {2, 0}, {2, 2}}, false), two_pairs, 8);
  const double half = std::sqrt(0.5);
  EXPECT_EQ(scene.step, 4U);
  EXPECT_NEAR(scene.all.c_in, half / 2, 1e-12);
  EXPECT_NEAR(scene.all.c_out, (1 + half + 0 + half) / 4, 1e-12);
  EXPECT_NEAR(scene.all.angle_in_deg, 67.5, 1e-6);
  EXPECT_NEAR(scene.all.angle_out_deg, 45, 1e-6);
  EXPECT_NEAR(scene.all.gradient_l2, std::sqrt(34.0) / 4, 1e-12);
  EXPECT_NEAR(scene.all.noise_l2, std::sqrt(6.0) / 4, 1e-12);
  EXPECT_NEAR(scene.all.noise_scale_samples, 48.0 / 7, 1e-12);
  EXPECT_NEAR(scene.all.batch_over_noise_scale, 7.0 / 6, 1e-12);
  EXPECT_NEAR(scene.all.iid_cosine, 1 / (1 + 6.0 / 7), 1e-12);
  EXPECT_EQ(scene.all.population_l2, 0);
  ASSERT_EQ(scene.groups.size(), 1U);
  EXPECT_EQ(scene.groups[0].c_out, scene.all.c_out);
  // Domains' means (1/2, 1/2) and (2, 1): 1.5 / sqrt(1/2 x 5).
  const double across = 1.5 / std::sqrt(2.5);
  ASSERT_EQ(scene.domain_cosines.size(), 4U);
  EXPECT_EQ(scene.domain_cosines[0], 1);
  EXPECT_NEAR(scene.domain_cosines[1], across, 1e-12);
  EXPECT_EQ(scene.domain_cosines[2], scene.domain_cosines[1]);
}

TEST(GradientScene, AgainstThePopulationGradient) {
  // The same four, truth (1, 1): B_noise = 8 x (6/4) / 2 = 6; the mean is off by (1/4, -1/4), sqrt(2/16) over
  // sqrt(6/16).
  const Scene scene = scene_of(plane({{1, 0}, {0, 1}, {2, 0}, {2, 2}, {1, 1}}, true), two_pairs, 8);
  EXPECT_NEAR(scene.all.noise_scale_samples, 6, 1e-12);
  EXPECT_NEAR(scene.all.population_l2, std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(scene.all.population_error, std::sqrt(1.0 / 3), 1e-12);
  EXPECT_NEAR(scene.all.noise_l2, std::sqrt(6.0) / 4, 1e-12);
  EXPECT_NEAR(noise_l2(plane({{1, 0}, {0, 1}, {2, 0}, {2, 2}}, false).all, two_pairs), std::sqrt(6.0) / 4, 1e-12);
}

TEST(GradientScene, DomainsOfOneWorkerSayNothingOfNoise) {
  // Only the first two have a spread: 2, so sqrt(2) / 3.
  const Scene scene = scene_of(plane({{1, 0}, {0, 1}, {5, 5}}, false), std::vector<std::uint32_t>{0, 0, 1}, 8);
  EXPECT_NEAR(scene.all.noise_l2, std::sqrt(2.0) / 3, 1e-12);
  const Scene alone = scene_of(plane({{1, 0}, {0, 1}}, false), std::vector<std::uint32_t>{0, 1}, 8);
  EXPECT_EQ(alone.all.noise_l2, 0);
  EXPECT_EQ(alone.all.c_in, 0);
  EXPECT_EQ(alone.all.iid_cosine, 1);
}

}  // namespace
}  // namespace toposim::accuracy::test
