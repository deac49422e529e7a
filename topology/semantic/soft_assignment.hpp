#pragma once
// Dealing samples to domains at random, nearer domains more often.
#include <cstdint>
#include <vector>

#include "topology/semantic/centred_rows.hpp"
#include "topology/semantic/domain_bounds.hpp"

namespace toposim::topology {

/// Prices p under which probabilities proportional to exp(-(squared distance + p) / heat), summed over `rows`, are
/// within the bounds' share of them: p_j += heat x log(expected / bound), as in Sinkhorn's iteration, with p > 0 only
/// where a domain is full and p < 0 only at its least. `rows` is a sample of those that `bounds` are for.
std::vector<double> soft_prices(const Rows& rows, std::uint64_t samples, const Rows& centroids,
                                const DomainBounds& bounds, double heat, unsigned threads);

/// Draws every sample's domain over all domains, from Philox by (seed, sample).
std::vector<std::uint32_t> draw_domains(const CentredRows& rows, const Rows& centroids,
                                        const std::vector<double>& prices, double heat, std::uint64_t seed,
                                        unsigned threads);

}  // namespace toposim::topology
