#include "topology/semantic/seeding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "topology/semantic/candidates.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/prices.hpp"
#include "topology/semantic/products.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t direct_max = 64;
constexpr std::uint64_t coarse_rows_per_cluster = 256;
constexpr int coarse_rounds = 6;

// Row whose share of the cumulated weight holds u; any row where all weights are 0.
std::uint64_t pick(const std::vector<double>& cumulated, double u) {
  const double total = cumulated.back();
  if (!(total > 0)) return static_cast<std::uint64_t>(u * static_cast<double>(cumulated.size()));
  const auto at = std::upper_bound(cumulated.begin(), cumulated.end(), u * total) - cumulated.begin();
  return std::min<std::uint64_t>(static_cast<std::uint64_t>(at), cumulated.size() - 1);
}

// Greedy k-means++ into centroids' rows first .. first + count - 1. `stream` keeps the draws of calls apart.
void plus_plus(const Rows& rows, std::uint64_t count, std::uint64_t seed, std::uint64_t stream, Rows& centroids,
               std::uint64_t first) {
  const std::uint64_t n = rows.rows, dims = rows.dims;
  const auto trials = static_cast<std::uint64_t>(2 + std::bit_width(count) / 2);
  std::vector<float> norms(n), nearest(n, std::numeric_limits<float>::max());
  for (std::uint64_t i = 0; i < n; ++i) norms[i] = squared_norm(rows.row(i), dims);
  std::vector<double> cumulated(n, 0.0);
  std::vector<float> tried(trials * dims), products(n * trials);
  std::vector<std::uint64_t> which(trials);
  for (std::uint64_t c = 0; c < count; ++c) {
    const std::uint64_t tries = c == 0 ? 1 : trials;
    for (std::uint64_t t = 0; t < tries; ++t) {
      const double u = random_unit(seed, RandomUse::seeding, stream << 32 | c, static_cast<std::uint32_t>(t));
      which[t] = pick(cumulated, u);
      std::copy_n(rows.row(which[t]), dims, tried.data() + t * dims);
    }
    multiply_transposed(rows.values.data(), n, tried.data(), tries, dims, products.data());
    std::uint64_t best = 0;
    double best_sum = std::numeric_limits<double>::infinity();
    const auto square = [&](std::uint64_t i, std::uint64_t t) {
      return i == which[t] ? 0.0f : std::max(0.0f, norms[i] + norms[which[t]] - 2.0f * products[i * tries + t]);
    };
    for (std::uint64_t t = 0; t < tries; ++t) {
      double sum = 0;
      for (std::uint64_t i = 0; i < n; ++i) sum += std::min(nearest[i], square(i, t));
      if (sum < best_sum) {
        best_sum = sum;
        best = t;
      }
    }
    double sum = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      nearest[i] = std::min(nearest[i], square(i, best));
      sum += nearest[i];
      cumulated[i] = sum;
    }
    std::copy_n(rows.row(which[best]), dims, centroids.row(first + c));
  }
}

std::vector<std::uint32_t> nearest_labels(const Rows& rows, const Rows& centroids, unsigned threads) {
  const CandidateTable table = candidates_of(rows, CentroidIndex(centroids), 1, threads);
  return {table.cluster.begin(), table.cluster.end()};
}

Rows taken(const Rows& rows, const std::vector<std::uint64_t>& which) {
  Rows result(which.size(), rows.dims);
  for (std::uint64_t i = 0; i < which.size(); ++i) std::copy_n(rows.row(which[i]), rows.dims, result.row(i));
  return result;
}

std::vector<std::uint64_t> evenly_spaced(std::uint64_t of, std::uint64_t count) {
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t i = 0; i < count; ++i) result[i] = i * of / count;
  return result;
}

// Centroids per coarse cluster: its share of the rows by largest remainder; never more than it has rows.
std::vector<std::uint64_t> allot(const std::vector<std::uint64_t>& counts, std::uint64_t total, std::uint64_t rows) {
  std::vector<std::uint64_t> result(counts.size());
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t given = 0;
  for (std::size_t g = 0; g < counts.size(); ++g) given += result[g] = counts[g] * total / rows;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return counts[a] * total % rows > counts[b] * total % rows; });
  for (std::size_t i = 0; given < total; i = (i + 1) % order.size()) {
    if (result[order[i]] == counts[order[i]]) continue;
    ++result[order[i]];
    ++given;
  }
  return result;
}

}  // namespace

void move_to_means(const Rows& rows, const std::vector<std::uint32_t>& labels, unsigned threads, Rows& centroids) {
  std::vector<std::vector<std::uint32_t>> members(centroids.rows);
  for (std::uint32_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  constexpr std::size_t centroids_per_task = 8;
  for_each_task((centroids.rows + centroids_per_task - 1) / centroids_per_task, threads, [&](std::size_t task) {
    std::vector<double> sum(rows.dims);
    const std::size_t end = std::min<std::size_t>(centroids.rows, (task + 1) * centroids_per_task);
    for (std::size_t j = task * centroids_per_task; j < end; ++j) {
      if (members[j].empty()) continue;
      std::fill(sum.begin(), sum.end(), 0.0);
      for (const std::uint32_t i : members[j]) {
        const float* const x = rows.row(i);
        for (std::uint64_t k = 0; k < rows.dims; ++k) sum[k] += x[k];
      }
      const auto count = static_cast<double>(members[j].size());
      for (std::uint64_t k = 0; k < rows.dims; ++k) centroids.row(j)[k] = static_cast<float>(sum[k] / count);
    }
  });
}

Rows seed_centroids(const Rows& rows, std::uint64_t count, std::uint64_t seed, unsigned threads) {
  Rows centroids(count, rows.dims);
  if (count <= direct_max) {
    plus_plus(rows, count, seed, 0, centroids, 0);
    return centroids;
  }
  const auto coarse = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(count))));
  Rows coarse_centroids(coarse, rows.dims);
  const Rows few = taken(rows, evenly_spaced(rows.rows, std::min(rows.rows, coarse * coarse_rows_per_cluster)));
  plus_plus(few, coarse, seed, 0, coarse_centroids, 0);
  for (int round = 0; round < coarse_rounds; ++round) {
    move_to_means(few, nearest_labels(few, coarse_centroids, threads), threads, coarse_centroids);
  }
  const std::vector<std::uint32_t> labels = nearest_labels(rows, coarse_centroids, threads);
  std::vector<std::vector<std::uint64_t>> members(coarse);
  for (std::uint64_t i = 0; i < labels.size(); ++i) members[labels[i]].push_back(i);
  const std::vector<std::uint64_t> share = allot(count_of(labels, coarse), count, rows.rows);
  std::vector<std::uint64_t> first(coarse, 0);
  std::partial_sum(share.begin(), share.end() - 1, first.begin() + 1);
  for_each_task(coarse, threads, [&](std::size_t g) {
    if (share[g] > 0) plus_plus(taken(rows, members[g]), share[g], seed, g + 1, centroids, first[g]);
  });
  return centroids;
}

}  // namespace toposim::topology
