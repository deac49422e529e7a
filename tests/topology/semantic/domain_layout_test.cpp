#include "topology/semantic/domain_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "topology/error.hpp"
#include "topology/semantic/layout_bound.hpp"
#include "topology/semantic/linear_assignment.hpp"
#include "topology/semantic/random_words.hpp"
#include "topology/semantic/swap_search.hpp"

namespace toposim::topology {
namespace {

std::vector<double> random_symmetric(std::uint32_t n, std::uint64_t seed, double from, double to) {
  std::vector<double> result(std::size_t{n} * n);
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a; b < n; ++b)
      result[a * n + b] = result[b * n + a] = from + (to - from) * random_unit(seed, RandomUse::subspace, a, b);
  return result;
}

std::vector<std::uint32_t> identity(std::uint32_t n) {
  std::vector<std::uint32_t> result(n);
  std::iota(result.begin(), result.end(), 0u);
  return result;
}

double least_of_all(const std::vector<double>& similarity, const std::vector<double>& distance, std::uint32_t n,
                    const std::vector<std::uint32_t>& classes) {
  std::vector<std::uint32_t> p = identity(n);
  double best = std::numeric_limits<double>::infinity();
  do {
    bool fits = true;
    for (std::uint32_t i = 0; i < n && !classes.empty(); ++i) fits = fits && classes[i] == classes[p[i]];
    if (fits) best = std::min(best, layout_cost(similarity, distance, p));
  } while (std::next_permutation(p.begin(), p.end()));
  return best;
}

// Against all permutations: similarities of either sign (cosines), up to 7 domains; both bounds below the optimum.
TEST(DomainLayout, AllPermutations) {
  for (std::uint32_t n = 1; n <= 7; ++n) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto s = random_symmetric(n, 2 * seed, -1, 1), d = random_symmetric(n, 2 * seed + 1, 2, 8);
      const double best = least_of_all(s, d, n, {});
      const DomainLayout found = lay_out_domains(s, d, {});
      EXPECT_NEAR(found.cost, best, 1e-9) << n << " " << seed;
      EXPECT_NEAR(found.cost, layout_cost(s, d, found.domain_of_cluster), 1e-12);
      EXPECT_LE(found.descent_cost, found.greedy_cost + 1e-9);
      EXPECT_LE(found.cost, found.descent_cost + 1e-9);
      EXPECT_LE(gilmore_lawler_bound(s, d, n), best + 1e-9);
      EXPECT_LE(rearrangement_bound(s, d, n), gilmore_lawler_bound(s, d, n) + 1e-9);
      EXPECT_EQ(found.lower_bound, gilmore_lawler_bound(s, d, n));
      EXPECT_EQ(lay_out_domains(s, d, {.gilmore_lawler_max = 0}).bound_kind, LayoutBound::rearrangement);
    }
  }
}

// Clusters stay among the domains of their class.
TEST(DomainLayout, Classes) {
  const std::vector<std::uint32_t> classes{0, 0, 1, 0, 1, 1, 0};
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto s = random_symmetric(7, 2 * seed, 0, 1), d = random_symmetric(7, 2 * seed + 1, 2, 8);
    const DomainLayout found = lay_out_domains(s, d, {}, classes);
    for (std::uint32_t i = 0; i < 7; ++i) EXPECT_EQ(classes[i], classes[found.domain_of_cluster[i]]);
    EXPECT_NEAR(found.cost, least_of_all(s, d, 7, classes), 1e-9);
  }
}

// Pods of 4 leaves of 4 domains: 2, 6 or 8 links apart. Similarity falls with the same distance between clusters whose
// numbers are shuffled: the optimum is the product of both sorted, which is the rearrangement bound, and is reached.
TEST(DomainLayout, PlantedOptimum) {
  const std::uint32_t n = 64;
  std::vector<std::uint32_t> shuffled = identity(n);
  for (std::uint32_t i = n - 1; i > 0; --i) {
    std::swap(shuffled[i], shuffled[static_cast<std::uint32_t>(random_unit(3, RandomUse::subspace, i, 0) * (i + 1))]);
  }
  std::vector<double> distance(n * n), similarity(n * n);
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = 0; b < n; ++b)
      distance[a * n + b] = a == b ? 0 : a / 4 == b / 4 ? 2 : a / 16 == b / 16 ? 6 : 8;
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = 0; b < n; ++b) similarity[a * n + b] = 1 / (1 + distance[shuffled[a] * n + shuffled[b]]);
  const DomainLayout found = lay_out_domains(similarity, distance, {});
  EXPECT_NEAR(found.cost, layout_cost(similarity, distance, shuffled), 1e-9);
  EXPECT_NEAR(found.cost, found.lower_bound, 1e-9);
  EXPECT_GT(found.identity_cost, 1.05 * found.cost);
}

// No structure, 40 domains: the search goes 1.5 % below descent alone (one that may go back the way it came stays
// within 0.8 %), and above its bound; the same for the same seed.
TEST(DomainLayout, TabuGoesOn) {
  const std::uint32_t n = 40;
  const auto s = random_symmetric(n, 1, 0, 1), d = random_symmetric(n, 2, 2, 8);
  const DomainLayout found = lay_out_domains(s, d, {.iterations = 2000});
  EXPECT_LT(found.cost, 0.985 * found.descent_cost);
  EXPECT_GT(found.cost, found.lower_bound);
  EXPECT_EQ(found.domain_of_cluster, lay_out_domains(s, d, {.iterations = 2000}).domain_of_cluster);
  std::vector<std::uint32_t> sorted = found.domain_of_cluster;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, identity(n));
}

// Kept differences equal those of swaps made: after a descent from a random start, every one of them.
TEST(SwapSearch, Differences) {
  const std::uint32_t n = 23;
  const auto s = random_symmetric(n, 5, -1, 1), d = random_symmetric(n, 6, 0, 9);
  SwapSearch search(s, d, identity(n), {});
  search.descend();
  EXPECT_NEAR(search.cost(), layout_cost(s, d, search.domain_of()), 1e-9);
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t v = u + 1; v < n; ++v) {
      std::vector<std::uint32_t> swapped = search.domain_of();
      std::swap(swapped[u], swapped[v]);
      EXPECT_NEAR(search.difference(v, u), layout_cost(s, d, swapped) - search.cost(), 1e-9);
      EXPECT_GE(search.difference(u, v), -1e-9);
    }
  }
}

TEST(LinearAssignment, AllPermutations) {
  for (std::uint32_t n = 1; n <= 7; ++n) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      std::vector<double> costs(std::size_t{n} * n);
      for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = random_unit(seed, RandomUse::subspace, i, 0) - 0.5;
      double best = 1e300;
      std::vector<std::uint32_t> p = identity(n);
      do {
        double sum = 0;
        for (std::uint32_t r = 0; r < n; ++r) sum += costs[r * n + p[r]];
        best = std::min(best, sum);
      } while (std::next_permutation(p.begin(), p.end()));
      EXPECT_NEAR(assign_linear(costs, n).cost, best, 1e-12);
    }
  }
}

TEST(DomainLayout, Errors) {
  const std::vector<double> two{0, 1, 1, 0}, lopsided{0, 1, 2, 0}, nan{0, std::nan(""), std::nan(""), 0};
  EXPECT_THROW(lay_out_domains(std::vector<double>(3, 0.0), two, {}), TopologyError);
  EXPECT_THROW(lay_out_domains({}, {}, {}), TopologyError);
  EXPECT_THROW(lay_out_domains(two, std::vector<double>(9, 0.0), {}), TopologyError);
  EXPECT_THROW(lay_out_domains(lopsided, two, {}), TopologyError);
  EXPECT_THROW(lay_out_domains(two, nan, {}), TopologyError);
  EXPECT_THROW(lay_out_domains(two, two, {}, std::vector<std::uint32_t>{1}), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
