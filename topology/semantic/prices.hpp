#pragma once
// Prices that balance: a sample takes the candidate with the least squared distance + price, and prices are such that
// the counts come near their bounds. They are the dual of the transportation problem min sum of squared distances with
// least <= count <= most: a price above 0 belongs to a full domain, below 0 to one at its least.
#include <cstdint>
#include <vector>

#include "topology/semantic/candidates.hpp"
#include "topology/semantic/domain_bounds.hpp"

namespace toposim::topology {

/// Each sample's best candidate at these prices; ties go to the earlier candidate.
std::vector<std::uint32_t> cheapest(const CandidateTable& table, const std::vector<double>& prices, unsigned threads);

std::vector<std::uint64_t> count_of(const std::vector<std::uint32_t>& labels, std::uint64_t domains);

/// Samples above `most` plus those missing to `least`.
std::uint64_t imbalance(const std::vector<std::uint64_t>& counts, const DomainBounds& bounds);

/// Mean over samples of the difference between their farthest and nearest candidate.
double mean_spread(const CandidateTable& table);

/// How hard to look for prices.
struct PriceSearch {
  double first_heat = 0.5, last_heat = 0.01;  ///< in units of mean_spread()
  std::uint32_t annealing_rounds = 24, ascent_rounds = 8;
};

/// Two stages. Annealing: samples are shared out among their candidates by exp(-(square + price) / heat), and
/// p_j += heat x log(expected count / bound) as in Sinkhorn's iteration, while heat falls; it lets a whole group of
/// crowded domains grow dearer together. Then coordinate ascent on the dual, all domains at once and damped: domain j's
/// best price with the others' fixed is an order statistic of the prices at which its samples would turn elsewhere.
/// Returns the prices with the least imbalance seen, among them the given ones and zeros; stops below samples / 1000.
std::vector<double> balancing_prices(const CandidateTable& table, const DomainBounds& bounds,
                                     const std::vector<double>& start, const PriceSearch& search, unsigned threads);

}  // namespace toposim::topology
