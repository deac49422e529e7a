#include "topology/semantic/soft_assignment.hpp"

#include <algorithm>

#include "topology/semantic/distances.hpp"
#include "topology/semantic/fixed_math.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

constexpr int rounds = 30;

// exp(-(square + price - least of those) / heat), in place; returns the sum.
double to_weights(float* squares, const std::vector<float>& prices, float per_heat) {
  const std::uint64_t domains = prices.size();
  float least = squares[0] + prices[0];
  for (std::uint64_t j = 0; j < domains; ++j) {
    squares[j] += prices[j];
    least = std::min(least, squares[j]);
  }
  for (std::uint64_t j = 0; j < domains; ++j) squares[j] = fixed_exp_float((least - squares[j]) * per_heat);
  double sum = 0;
  for (std::uint64_t j = 0; j < domains; ++j) sum += squares[j];
  return sum;
}

std::vector<float> narrowed(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

std::vector<double> expected_counts(const std::vector<float>& squares, std::uint64_t count,
                                    const std::vector<double>& prices, double heat, unsigned threads) {
  const std::uint64_t domains = prices.size();
  constexpr std::size_t lanes = 16;
  std::vector<std::vector<double>> parts(lanes, std::vector<double>(domains, 0.0));
  const std::vector<float> p = narrowed(prices);
  for_each_task(lanes, threads, [&](std::size_t lane) {
    std::vector<float> weights(domains);
    const TaskRange range = part_of(count, lane, lanes);
    for (std::size_t i = range.first; i < range.end; ++i) {
      std::copy_n(squares.data() + i * domains, domains, weights.data());
      const double per_sum = 1 / to_weights(weights.data(), p, static_cast<float>(1 / heat));
      for (std::uint64_t j = 0; j < domains; ++j) parts[lane][j] += weights[j] * per_sum;
    }
  });
  for (std::size_t lane = 1; lane < lanes; ++lane)
    for (std::uint64_t j = 0; j < domains; ++j) parts[0][j] += parts[lane][j];
  return parts[0];
}

}  // namespace

std::vector<double> soft_prices(const Rows& rows, std::uint64_t samples, const Rows& centroids,
                                const DomainBounds& bounds, double heat, unsigned threads) {
  const std::uint64_t domains = centroids.rows;
  // 128 MB of squares at most; evenly spaced rows beyond that.
  const std::uint64_t count = std::min(rows.rows, std::max<std::uint64_t>(domains, (std::uint64_t{1} << 25) / domains));
  const Distances distances(centroids);
  std::vector<float> squares(count * domains);
  const std::uint64_t block = distances.block_rows();
  for_each_task((count + block - 1) / block, threads, [&](std::size_t task) {
    const std::uint64_t first = task * block, n = std::min(block, count - first);
    Rows some(n, rows.dims);
    for (std::uint64_t i = 0; i < n; ++i) {
      std::copy_n(rows.row((first + i) * rows.rows / count), rows.dims, some.row(i));
    }
    distances.squares(some.values.data(), n, squares.data() + first * domains);
  });
  std::vector<double> prices(domains, 0.0);
  const double share = static_cast<double>(count) / static_cast<double>(samples);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> expected = expected_counts(squares, count, prices, heat, threads);
    for (std::uint64_t j = 0; j < domains; ++j) {
      const double e = std::max(expected[j], 1e-30);
      const double to_most = prices[j] + heat * fixed_log(e / (static_cast<double>(bounds.most[j]) * share));
      const double to_least = prices[j] + heat * fixed_log(e / (static_cast<double>(bounds.least[j]) * share));
      prices[j] = to_most > 0 ? to_most : to_least < 0 ? to_least : 0;  // most >= least: at most one holds
    }
  }
  return prices;
}

std::vector<std::uint32_t> draw_domains(const CentredRows& rows, const Rows& centroids,
                                        const std::vector<double>& prices, double heat, std::uint64_t seed,
                                        unsigned threads) {
  const Distances distances(centroids);
  const std::uint64_t domains = distances.size(), block = distances.block_rows();
  const std::vector<float> p = narrowed(prices);
  std::vector<std::uint32_t> labels(rows.rows());
  for_each_task(rows.chunks(), threads, [&](std::size_t chunk) {
    const std::uint64_t first = chunk * rows.chunk_rows(), count = std::min(rows.chunk_rows(), rows.rows() - first);
    std::vector<float> buffer(count * rows.dims()), weights(block * domains);
    rows.read(first, count, buffer.data());
    for (std::uint64_t at = 0; at < count; at += block) {
      const std::uint64_t n = std::min(block, count - at);
      distances.squares(buffer.data() + at * rows.dims(), n, weights.data());
      for (std::uint64_t i = 0; i < n; ++i) {
        float* const w = weights.data() + i * domains;
        const std::uint64_t sample = first + at + i;
        double rest = to_weights(w, p, static_cast<float>(1 / heat));
        rest *= random_unit(seed, RandomUse::soft_draw, sample, 0);
        // The last domain with any weight takes what rounding leaves.
        std::uint32_t label = 0;
        for (std::uint32_t j = 0; j < domains; ++j) {
          if (w[j] <= 0) continue;
          label = j;
          rest -= w[j];
          if (rest <= 0) break;
        }
        labels[sample] = label;
      }
    }
  });
  return labels;
}

}  // namespace toposim::topology
