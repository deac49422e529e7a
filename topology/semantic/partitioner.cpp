#include "topology/semantic/partitioner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topology/error.hpp"
#include "topology/semantic/candidates.hpp"
#include "topology/semantic/domain_bounds.hpp"
#include "topology/semantic/means.hpp"
#include "topology/semantic/min_cost_repair.hpp"
#include "topology/semantic/overflow.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/prices.hpp"
#include "topology/semantic/processor.hpp"
#include "topology/semantic/random_words.hpp"
#include "topology/semantic/relocation.hpp"
#include "topology/semantic/seeding.hpp"
#include "topology/semantic/soft_assignment.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t sampled_per_domain = 32, sampled_at_least = 32'768;
constexpr std::uint32_t plain_rounds = 4;       // at first, with centroids relocated between them
constexpr std::uint32_t rounds_per_search = 3;  // other rounds measure the candidates of the last search anew
constexpr PriceSearch cold_search{.first_heat = 0.5, .last_heat = 0.01, .annealing_rounds = 24, .ascent_rounds = 4};
constexpr PriceSearch warm_search{.first_heat = 0.03, .last_heat = 0.005, .annealing_rounds = 8, .ascent_rounds = 4};

void check(std::uint64_t domains, const PartitionOptions& options) {
  if (domains < 1 || domains > clusters_max) {
    throw TopologyError(fmt::format("partition: {} domains; give 1 to {}", domains, clusters_max));
  }
  const bool soft = options.temperature >= 1e-6 && options.temperature <= 1e6;
  if (options.temperature != 0 && !soft) {
    throw TopologyError(
        fmt::format("partition: temperature is {}; give 0 (nearest), or 1e-6 to 1e6", options.temperature));
  }
  if (options.rounds < 1 || options.passes < 1 || options.rounds > 10'000 || options.passes > 10'000) {
    throw TopologyError(
        fmt::format("partition: {} rounds and {} passes; give 1 to 10000 of each", options.rounds, options.passes));
  }
}

// One row out of each of `count` equal stretches.
std::vector<std::uint64_t> drawn_rows(std::uint64_t rows, std::uint64_t count, std::uint64_t seed) {
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const TaskRange stretch = part_of(rows, i, count);
    const double u = random_unit(seed, RandomUse::sample_rows, i, 0);
    result[i] = stretch.first + static_cast<std::uint64_t>(u * static_cast<double>(stretch.end - stretch.first));
  }
  return result;
}

DomainBounds scaled_bounds(const DomainBounds& bounds, std::uint64_t from, std::uint64_t to) {
  DomainBounds result = bounds;
  for (std::uint64_t& most : result.most) most = (most * to + from - 1) / from;
  for (std::uint64_t& least : result.least) least = least * to / from;
  return result;
}

// Domains with room for more get the clusters that have more.
void match_sizes(const std::vector<std::uint64_t>& counts, const DomainBounds& bounds, Rows& centroids) {
  if (std::equal(bounds.most.begin() + 1, bounds.most.end(), bounds.most.begin())) return;
  const auto largest_first = [](const std::vector<std::uint64_t>& sizes) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    return order;
  };
  const std::vector<std::size_t> clusters = largest_first(counts), domains = largest_first(bounds.most);
  const Rows old = centroids;
  for (std::size_t i = 0; i < domains.size(); ++i) {
    std::copy_n(old.row(clusters[i]), old.dims, centroids.row(domains[i]));
  }
}

// To the labels, or to the nearest candidates. A label that is no candidate counts as the farthest of them.
double sum_of_squares(const CandidateTable& table, const std::vector<std::uint32_t>* labels) {
  double sum = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    const std::uint16_t* const clusters = table.cluster.data() + i * table.width;
    const float* const squares = table.square.data() + i * table.width;
    if (labels == nullptr) {
      sum += *std::min_element(squares, squares + table.width);
      continue;
    }
    const auto at = std::find(clusters, clusters + table.width, static_cast<std::uint16_t>((*labels)[i])) - clusters;
    sum += at < table.width ? squares[at] : *std::max_element(squares, squares + table.width);
  }
  return sum;
}

// Makes each sample's label one of its candidates, as near as its nearest.
void make_nearest(CandidateTable& table, const std::vector<std::uint32_t>& labels) {
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    std::uint16_t* const clusters = table.cluster.data() + i * table.width;
    float* const squares = table.square.data() + i * table.width;
    const auto label = static_cast<std::uint16_t>(labels[i]);
    auto at = std::find(clusters, clusters + table.width, label) - clusters;
    const float least = *std::min_element(squares, squares + table.width);
    if (at == table.width) at = std::max_element(squares, squares + table.width) - squares;
    clusters[at] = label;
    squares[at] = least;
  }
}

class Partitioner {
 public:
  Partitioner(const Embeddings& embeddings, const std::vector<double>& shares, const PartitionOptions& options)
      : options_(options),
        bounds_(domain_bounds(embeddings.rows(), shares, options.slack, options.samples_max)),
        rows_(embeddings, options.threads),
        domains_(shares.size()),
        prices_(domains_, 0.0) {}

  Partition run() {
    learn_on_sample();
    LabelledMeans means;
    for (std::uint32_t pass = 0; pass < options_.passes; ++pass)
      means = pass_over_all(pass == 0, pass + 1 == options_.passes);
    return result(std::move(means));
  }

 private:
  void learn_on_sample() {
    const std::uint64_t n = rows_.rows();
    const std::uint64_t count = std::min(n, std::max(sampled_at_least, sampled_per_domain * domains_));
    statistics_.sampled_rows = count;
    const Rows sample = rows_.gather(drawn_rows(n, count, options_.seed), options_.threads);
    centroids_ = seed_centroids(sample, domains_, options_.seed, options_.threads);
    const DomainBounds bounds = scaled_bounds(bounds_, n, count);
    for (std::uint32_t round = 0; round < plain_rounds; ++round) {
      const std::vector<std::uint32_t> nearest = nearest_labels(sample);
      move_to_means(sample, nearest, options_.threads, centroids_);
      if (round + 1 < plain_rounds) relocate(sample, nearest, bounds, options_.seed, round, centroids_);
    }
    match_sizes(count_of(nearest_labels(sample), domains_), bounds_, centroids_);
    CandidateTable table(0, 0);
    for (std::uint32_t round = 0; round < options_.rounds; ++round) {
      if (round % rounds_per_search == 0)
        table = candidates_of(sample, CentroidIndex(centroids_, prices_), width(), options_.threads);
      else
        remeasure(sample, centroids_, options_.threads, table);
      prices_ = balancing_prices(table, bounds, prices_, round == 0 ? cold_search : warm_search, options_.threads);
      std::vector<std::uint32_t> labels = cheapest(table, prices_, options_.threads);
      const bool search_follows = (round + 1) % rounds_per_search == 0 || round + 1 == options_.rounds;
      if (search_follows && !repair_balance(table, bounds, labels, prices_).complete) nudge(table, bounds, labels);
      move_to_means(sample, labels, options_.threads, centroids_);
    }
  }

  std::uint32_t width() const { return static_cast<std::uint32_t>(std::min<std::uint64_t>(candidates_max, domains_)); }

  std::vector<std::uint32_t> nearest_labels(const Rows& sample) const {
    const CandidateTable table = candidates_of(sample, CentroidIndex(centroids_), 1, options_.threads);
    return {table.cluster.begin(), table.cluster.end()};
  }

  // Where candidates lead nowhere, prices that bring other domains among them at the next search.
  void nudge(const CandidateTable& table, const DomainBounds& bounds, const std::vector<std::uint32_t>& labels) {
    const std::vector<std::uint64_t> counts = count_of(labels, domains_);
    const double step = 0.25 * mean_spread(table);
    for (std::uint64_t j = 0; j < domains_; ++j) {
      if (counts[j] > bounds.most[j]) prices_[j] += step;
      if (counts[j] < bounds.least[j]) prices_[j] -= step;
    }
  }

  LabelledMeans pass_over_all(bool first, bool last) {
    if (first)
      table_ = candidates_of(rows_, CentroidIndex(centroids_, prices_), width(), options_.threads);
    else
      remeasure(rows_, centroids_, options_.threads, table_);
    prices_ = balancing_prices(table_, bounds_, prices_, warm_search, options_.threads);
    labels_ = cheapest(table_, prices_, options_.threads);
    if (last) finish(table_);
    LabelledMeans means = means_of(rows_, labels_, domains_, options_.threads);
    if (last && options_.temperature > 0 && means.inertia() > 0) {
      deal_at_random(table_, means);
      means = means_of(rows_, labels_, domains_, options_.threads);
    }
    for (std::uint64_t j = 0; j < domains_; ++j) {
      if (means.counts[j] > 0) std::copy_n(means.centroids.row(j), rows_.dims(), centroids_.row(j));
    }
    return means;
  }

  void finish(CandidateTable& table) {
    statistics_.nearest_inertia = sum_of_squares(table, nullptr);
    statistics_.over_nearest =
        imbalance(count_of(cheapest(table, std::vector<double>(domains_, 0.0), options_.threads), domains_), bounds_);
    statistics_.over_prices = imbalance(count_of(labels_, domains_), bounds_);
    repair(table);
    statistics_.assigned_inertia = sum_of_squares(table, &labels_);
  }

  void deal_at_random(CandidateTable& table, const LabelledMeans& means) {
    const double heat = std::max(1e-30, options_.temperature * means.inertia() / static_cast<double>(rows_.rows()));
    const Rows sample =
        rows_.gather(drawn_rows(rows_.rows(), statistics_.sampled_rows, options_.seed), options_.threads);
    const std::vector<double> prices =
        soft_prices(sample, rows_.rows(), means.centroids, bounds_, heat, options_.threads);
    labels_ = draw_domains(rows_, means.centroids, prices, heat, options_.seed, options_.threads);
    make_nearest(table, labels_);
    prices_.assign(domains_, 0.0);
    repair(table);
  }

  void repair(CandidateTable& table) {
    statistics_.spilled += thin_out(rows_, centroids_, bounds_, table, labels_, options_.threads).placed;
    statistics_.chains += repair_balance(table, bounds_, labels_, prices_).chains;
    const OverflowReport rest = enforce_bounds(rows_, centroids_, bounds_, table, labels_, options_.threads);
    statistics_.spilled += rest.placed + rest.pulled;
  }

  Partition result(LabelledMeans means) {
    Partition partition;
    const double per_square = 1 / (rows_.scale() * rows_.scale());
    partition.samples = rows_.rows();
    partition.dims = rows_.dims();
    partition.domain = std::move(labels_);
    partition.centroids.resize(domains_ * rows_.dims());
    for (std::uint64_t j = 0; j < domains_; ++j) {
      rows_.restore(means.centroids.row(j), partition.centroids.data() + j * rows_.dims());
    }
    partition.counts = std::move(means.counts);
    partition.inertias = std::move(means.inertias);
    for (double& inertia : partition.inertias) {
      inertia *= per_square;
      partition.inertia += inertia;
    }
    partition.least = bounds_.least;
    partition.most = bounds_.most;
    statistics_.nearest_inertia *= per_square;
    statistics_.assigned_inertia *= per_square;
    statistics_.total_inertia = rows_.total_squares();
    partition.statistics = statistics_;
    return partition;
  }

  PartitionOptions options_;
  DomainBounds bounds_;
  CentredRows rows_;
  std::uint64_t domains_;
  std::vector<double> prices_;
  Rows centroids_;
  std::vector<std::uint32_t> labels_;
  CandidateTable table_{0, 0};
  PartitionStatistics statistics_;
};

}  // namespace

Partition partition(const Embeddings& embeddings, const std::vector<double>& shares, const PartitionOptions& options) {
  check_processor();
  check(shares.size(), options);
  return Partitioner(embeddings, shares, options).run();
}

Partition partition(const Embeddings& embeddings, std::uint64_t domains, const PartitionOptions& options) {
  check(domains, options);
  return partition(embeddings, std::vector<double>(domains, 1.0), options);
}

}  // namespace toposim::topology
