#pragma once
// First centroids: greedy k-means++ (Arthur, Vassilvitskii 2007; several trials per centre, the best kept).
#include <cstdint>

#include "topology/semantic/centred_rows.hpp"

namespace toposim::topology {

/// `count` centroids among the rows (count <= rows). Up to 64 directly; beyond that about sqrt(count) coarse clusters
/// first, and within each of them as many as its share of the rows, so that the work grows with count^1.5, not count^2.
/// Deterministic for a seed; the same for any number of threads.
Rows seed_centroids(const Rows& rows, std::uint64_t count, std::uint64_t seed, unsigned threads);

/// Means of the rows of each label; a label without rows keeps its row of `centroids`.
void move_to_means(const Rows& rows, const std::vector<std::uint32_t>& labels, unsigned threads, Rows& centroids);

}  // namespace toposim::topology
