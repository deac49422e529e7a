#include "topology/semantic/principal_components.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mixture.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

// Points +-3 along (0.6, 0.8) and +-1 along (-0.8, 0.6), shifted: variances (9 + 9) / 4 and (1 + 1) / 4.
TEST(PrincipalComponents, ByHand) {
  std::vector<float> data;
  const double points[4][2] = {{3, 0}, {-3, 0}, {0, 1}, {0, -1}};
  for (const auto& [along, across] : points) {
    data.push_back(static_cast<float>(100 + 0.6 * along - 0.8 * across));
    data.push_back(static_cast<float>(-50 + 0.8 * along + 0.6 * across));
  }
  const PrincipalComponents p = principal_components(Embeddings::in_memory(data, 4, 2), 2);
  EXPECT_NEAR(p.mean[0], 100, 1e-5);
  EXPECT_NEAR(p.mean[1], -50, 1e-5);
  EXPECT_NEAR(p.variances[0], 4.5, 1e-4);
  EXPECT_NEAR(p.variances[1], 0.5, 1e-4);
  EXPECT_NEAR(p.total_variance, 5, 1e-4);
  const double components[] = {0.6, 0.8, 0.8, -0.6};  // the largest entry is positive
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(p.components[i], components[i], 1e-5);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(p.projected[2 * i], points[i][0], 1e-4);
    EXPECT_NEAR(p.projected[2 * i + 1], -points[i][1], 1e-4);
  }
}

// 2,000 rows of rank 5 in 300 dimensions (more than two tiles): five components hold everything, distances are kept,
// and components are orthonormal; the same bits for any number of threads.
TEST(PrincipalComponents, LowRank) {
  const std::uint64_t rows = 2000, dims = 300;
  std::vector<float> data(rows * dims, 0.0f);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint32_t c = 0; c < 5; ++c)
      for (std::uint32_t k = 0; k < dims; ++k)
        data[i * dims + k] += static_cast<float>(6 - c) * rough_normal(1, i, c, 1) * rough_normal(2, c, k, 2);
  const Embeddings embeddings = Embeddings::in_memory(data, rows, dims);
  const PrincipalComponents p = principal_components(embeddings, 6, 1);
  for (int c = 0; c < 4; ++c) EXPECT_GT(p.variances[c], p.variances[c + 1]);
  EXPECT_LT(p.variances[5], 1e-9 * p.total_variance);
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < 5; ++b) {
      double dot = 0;
      for (std::uint64_t k = 0; k < dims; ++k) dot += p.components[a * dims + k] * p.components[b * dims + k];
      EXPECT_NEAR(dot, a == b, 1e-12);
    }
  }
  for (std::uint64_t i = 1; i < 50; ++i) {
    double before = 0, after = 0;
    for (std::uint64_t k = 0; k < dims; ++k) before += std::pow(data[i * dims + k] - data[k], 2);
    for (std::uint64_t c = 0; c < 6; ++c) after += std::pow(p.projected[i * 6 + c] - p.projected[c], 2);
    EXPECT_NEAR(after / before, 1, 1e-4);
  }
  const PrincipalComponents more = principal_components(embeddings, 6, 3);
  EXPECT_EQ(p.projected, more.projected);
  EXPECT_EQ(p.components, more.components);
}

TEST(PrincipalComponents, Errors) {
  const std::vector<float> data(12, 1.0f);
  EXPECT_THROW(principal_components(Embeddings::in_memory(data, 4, 3), 4), TopologyError);
  EXPECT_THROW(principal_components(Embeddings::in_memory(data, 4, 3), 0), TopologyError);
  const std::vector<float> wide(5000, 1.0f);
  EXPECT_THROW(principal_components(Embeddings::in_memory(wide, 1, 5000), 2), TopologyError);
  // Identical rows: no variance, no NaN.
  const PrincipalComponents p = principal_components(Embeddings::in_memory(data, 4, 3), 2);
  EXPECT_EQ(p.total_variance, 0);
  EXPECT_EQ(p.projected, std::vector<float>(8, 0.0f));
}

}  // namespace
}  // namespace toposim::topology
