#pragma once
// What no layout can go below: lower bounds of the quadratic assignment problem, min over permutations p of
// sum over a != b of similarity(a, b) x distance(p(a), p(b)).
#include <cstdint>
#include <span>

namespace toposim::topology {

/// Gilmore and Lawler (1962, 1963): cluster a in domain p costs at least the smallest product of their rows, one sorted
/// up and the other down; the cheapest assignment of clusters to domains at those costs. O(n^3).
double gilmore_lawler_bound(std::span<const double> similarity, std::span<const double> distance, std::uint32_t n);

/// The rearrangement inequality: all similarities sorted up against all distances sorted down. O(n^2 log n), weaker.
double rearrangement_bound(std::span<const double> similarity, std::span<const double> distance, std::uint32_t n);

}  // namespace toposim::topology
