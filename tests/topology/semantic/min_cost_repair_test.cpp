#include "topology/semantic/min_cost_repair.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "topology/semantic/prices.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

constexpr double none = 1e300;

CandidateTable random_table(std::uint64_t samples, std::uint32_t domains, std::uint64_t seed) {
  CandidateTable table(samples, domains);
  for (std::uint64_t i = 0; i < samples; ++i) {
    for (std::uint32_t k = 0; k < domains; ++k) {
      table.cluster[i * domains + k] = static_cast<std::uint16_t>(k);
      table.square[i * domains + k] = static_cast<float>(random_unit(seed, RandomUse::tabu, i, k));
    }
  }
  return table;
}

double cost_of(const CandidateTable& table, const std::vector<std::uint32_t>& labels) {
  double sum = 0;
  for (std::uint64_t i = 0; i < labels.size(); ++i) sum += table.square[i * table.width + labels[i]];
  return sum;
}

// The least cost over all assignments within bounds.
double exhaustive(const CandidateTable& table, const DomainBounds& bounds) {
  double best = none;
  std::vector<std::uint64_t> counts(table.width, 0);
  const std::function<void(std::uint64_t, double)> go = [&](std::uint64_t i, double cost) {
    if (i == table.samples) {
      for (std::uint32_t k = 0; k < table.width; ++k)
        if (counts[k] < bounds.least[k]) return;
      best = std::min(best, cost);
      return;
    }
    for (std::uint32_t k = 0; k < table.width; ++k) {
      if (counts[k] == bounds.most[k]) continue;
      ++counts[k];
      go(i + 1, cost + table.square[i * table.width + k]);
      --counts[k];
    }
  };
  go(0, 0);
  return best;
}

// 60 random problems of 9 samples in 3 domains: exactly the least cost, from prices of 0 and from prices found before.
TEST(MinCostRepair, LeastCost) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const CandidateTable table = random_table(9, 3, seed);
    const DomainBounds bounds = seed % 3 == 0   ? DomainBounds{{3, 3, 3}, {3, 3, 3}}
                                : seed % 3 == 1 ? DomainBounds{{1, 2, 4}, {3, 3, 9}}
                                                : DomainBounds{{0, 0, 2}, {4, 9, 2}};
    const double expected = exhaustive(table, bounds);
    for (const bool searched : {false, true}) {
      std::vector<double> prices(3, 0.0);
      if (searched) prices = balancing_prices(table, bounds, prices, {}, 1);
      std::vector<std::uint32_t> labels = cheapest(table, prices, 1);
      const RepairReport report = repair_balance(table, bounds, labels, prices);
      EXPECT_TRUE(report.complete);
      EXPECT_EQ(imbalance(count_of(labels, 3), bounds), 0u);
      EXPECT_NEAR(cost_of(table, labels), expected, 1e-6) << seed;
    }
  }
}

// Weak duality: for any prices the bound sum_i min_j (c_ij + p_j) - sum_j (p_j > 0 ? p_j most_j : p_j least_j) is below
// every cost, and at the repaired prices it meets it: a certificate at sizes that no search through all could do.
void expect_certified(const CandidateTable& table, const DomainBounds& bounds) {
  const std::uint32_t domains = table.width;
  std::vector<double> prices(domains, 0.0);
  std::vector<std::uint32_t> labels = cheapest(table, prices, 1);
  ASSERT_GT(imbalance(count_of(labels, domains), bounds), 0u);
  ASSERT_TRUE(repair_balance(table, bounds, labels, prices).complete);
  double dual = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    double least = none;
    for (std::uint32_t k = 0; k < domains; ++k) least = std::min(least, table.square[i * domains + k] + prices[k]);
    dual += least;
  }
  for (std::uint32_t k = 0; k < domains; ++k) {
    dual -= prices[k] * static_cast<double>(prices[k] > 0 ? bounds.most[k] : bounds.least[k]);
  }
  EXPECT_EQ(imbalance(count_of(labels, domains), bounds), 0u);
  EXPECT_NEAR(cost_of(table, labels), dual, 1e-4 * dual);
}

TEST(MinCostRepair, DualCertificate) {
  DomainBounds bounds{std::vector<std::uint64_t>(16, 150), std::vector<std::uint64_t>(16, 190)};
  bounds.most[3] = 160;
  bounds.least[7] = 185;
  bounds.most[7] = 300;
  expect_certified(random_table(3000, 16, 5), bounds);
}

// Nearly all of 600 samples prefer domain 0 of 4, which takes 150: the arcs out of it are used a hundred times each,
// far more often than the moves that are kept at hand.
TEST(MinCostRepair, ManyMovesAlongOneArc) {
  CandidateTable table = random_table(600, 4, 6);
  for (std::uint64_t i = 0; i < table.samples; ++i) table.square[i * 4] *= 0.1f;
  expect_certified(table, {{140, 140, 140, 140}, {150, 150, 155, 160}});
}

// Prices alone bring a crowded problem near its bounds: 20,000 samples of which each prefers one of 3 domains of 16, so
// that about 2/3 of them sit in 3 domains made for 3 x 1375. Either stage of the search does most of it, both all but 2
// %.
TEST(Prices, Balance) {
  CandidateTable table = random_table(20'000, 16, 9);
  for (std::uint64_t i = 0; i < table.samples; ++i) table.square[i * 16 + i % 3] *= 0.1f;
  const DomainBounds bounds{std::vector<std::uint64_t>(16, 1125), std::vector<std::uint64_t>(16, 1375)};
  const std::vector<double> zeros(16, 0.0);
  const auto left = [&](const PriceSearch& search) {
    return imbalance(count_of(cheapest(table, balancing_prices(table, bounds, zeros, search, 1), 1), 16), bounds);
  };
  EXPECT_GT(left({.annealing_rounds = 0, .ascent_rounds = 0}), 8000u);
  EXPECT_LT(left({.ascent_rounds = 0}), 2000u);
  EXPECT_LT(left({.annealing_rounds = 0}), 2000u);
  EXPECT_LT(left({}), 400u);
  EXPECT_EQ(balancing_prices(table, bounds, zeros, {}, 1), balancing_prices(table, bounds, zeros, {}, 3));
}

// Samples whose candidates lead nowhere: it says so, and does not loop.
TEST(MinCostRepair, NoWayOut) {
  CandidateTable table(10, 1);  // all have domain 0 as their only candidate
  const DomainBounds bounds{{0, 0}, {5, 10}};
  std::vector<std::uint32_t> labels(10, 0);
  std::vector<double> prices(2, 0.0);
  const RepairReport report = repair_balance(table, bounds, labels, prices);
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(labels, std::vector<std::uint32_t>(10, 0));
}

}  // namespace
}  // namespace toposim::topology
