#include "topology/semantic/prices.hpp"

#include <algorithm>
#include <limits>

#include "topology/semantic/fixed_math.hpp"
#include "topology/semantic/parallel.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t parts = 16;  // of the samples, whose sums are added in order

struct BestTwo {
  std::uint32_t which = 0;
  double best = std::numeric_limits<double>::infinity(), second = best;
};

BestTwo best_two(const CandidateTable& table, const std::vector<double>& prices, std::uint64_t sample) {
  BestTwo found;
  const std::uint64_t at = sample * table.width;
  for (std::uint32_t k = 0; k < table.width; ++k) {
    const double value = static_cast<double>(table.square[at + k]) + prices[table.cluster[at + k]];
    if (value < found.best) {
      found.second = found.best;
      found.best = value;
      found.which = k;
    } else if (value < found.second) {
      found.second = value;
    }
  }
  return found;
}

// For every domain the prices at which its candidates' samples turn to or from it, bucket by bucket.
struct TurningPrices {
  std::vector<std::uint64_t> start;  // domains + 1
  std::vector<float> price;
};

TurningPrices turning_prices(const CandidateTable& table, const std::vector<double>& prices, unsigned threads) {
  const std::uint64_t domains = prices.size();
  const std::uint32_t width = table.width;
  std::vector<std::vector<std::uint64_t>> place(parts, std::vector<std::uint64_t>(domains, 0));
  for_each_task(parts, threads, [&](std::size_t part) {
    const TaskRange range = part_of(table.samples, part, parts);
    for (std::size_t i = range.first; i < range.end; ++i)
      for (std::uint32_t k = 0; k < width; ++k) ++place[part][table.cluster[i * table.width + k]];
  });
  TurningPrices result;
  result.start.assign(domains + 1, 0);
  std::uint64_t next = 0;
  for (std::uint64_t j = 0; j < domains; ++j) {
    result.start[j] = next;
    for (auto& counts : place) {
      const std::uint64_t count = counts[j];
      counts[j] = next;
      next += count;
    }
  }
  result.start[domains] = next;
  result.price.resize(next);
  for_each_task(parts, threads, [&](std::size_t part) {
    const TaskRange range = part_of(table.samples, part, parts);
    for (std::size_t i = range.first; i < range.end; ++i) {
      const BestTwo two = best_two(table, prices, i);
      for (std::uint32_t k = 0; k < width; ++k) {
        const std::uint64_t at = i * table.width + k;
        const double rival = k == two.which ? two.second : two.best;
        result.price[place[part][table.cluster[at]]++] =
            static_cast<float>(rival - static_cast<double>(table.square[at]));
      }
    }
  });
  return result;
}

// The price at which exactly `count` of the samples stay: between the count-th and the next largest turning price.
double price_that_keeps(float* first, float* end, std::uint64_t count) {
  const auto size = static_cast<std::uint64_t>(end - first);
  if (size == 0) return 0;
  const std::uint64_t kept = std::min(std::max<std::uint64_t>(count, 1), size);
  std::nth_element(first, first + (kept - 1), end, std::greater<>());
  const double stays = first[kept - 1];
  if (kept == size) return stays;
  const double leaves = *std::max_element(first + kept, end);
  // A sample with a single candidate never turns.
  if (stays == std::numeric_limits<double>::infinity()) return leaves;
  return stays - (stays - leaves) / 2;
}

// Adds the samples' shares in their candidates to `counts`. A constant width lets the loops unroll.
template <std::uint32_t constant_width>
void share_out(const CandidateTable& table, const std::vector<float>& prices, float per_heat, TaskRange range,
               std::vector<double>& counts) {
  const std::uint32_t width = constant_width > 0 ? constant_width : table.width;
  float weight[candidates_max];
  for (std::size_t i = range.first; i < range.end; ++i) {
    const std::uint16_t* const cluster = table.cluster.data() + i * width;
    const float* const square = table.square.data() + i * width;
    float least = std::numeric_limits<float>::infinity(), sum = 0;
    for (std::uint32_t k = 0; k < width; ++k) weight[k] = square[k] + prices[cluster[k]];
    for (std::uint32_t k = 0; k < width; ++k) least = std::min(least, weight[k]);
    for (std::uint32_t k = 0; k < width; ++k) weight[k] = fixed_exp_float((least - weight[k]) * per_heat);
    for (std::uint32_t k = 0; k < width; ++k) sum += weight[k];
    const float per_sum = 1 / sum;
    for (std::uint32_t k = 0; k < width; ++k) counts[cluster[k]] += static_cast<double>(weight[k] * per_sum);
  }
}

// Updates all prices from the expected counts at this heat.
void anneal(const CandidateTable& table, const DomainBounds& bounds, double heat, std::vector<double>& prices,
            unsigned threads) {
  std::vector<std::vector<double>> expected(parts, std::vector<double>(prices.size(), 0.0));
  const std::vector<float> p(prices.begin(), prices.end());
  const auto per_heat = static_cast<float>(1 / heat);
  for_each_task(parts, threads, [&](std::size_t part) {
    const TaskRange range = part_of(table.samples, part, parts);
    if (table.width == candidates_max)
      share_out<candidates_max>(table, p, per_heat, range, expected[part]);
    else
      share_out<0>(table, p, per_heat, range, expected[part]);
  });
  for (std::size_t j = 0; j < prices.size(); ++j) {
    double count = 0;
    for (const auto& counts : expected) count += counts[j];
    count = std::max(count, 1e-9);
    const auto least = static_cast<double>(std::max<std::uint64_t>(1, bounds.least[j]));
    const double to_most = prices[j] + heat * fixed_log(count / static_cast<double>(bounds.most[j]));
    const double to_least = prices[j] + heat * fixed_log(count / least);
    prices[j] = to_most > 0 ? to_most : to_least < 0 ? to_least : 0;  // most >= least: at most one of them
  }
}

double best_price(float* first, float* end, std::uint64_t least, std::uint64_t most) {
  const auto at_zero = static_cast<std::uint64_t>(std::count_if(first, end, [](float turn) { return turn > 0; }));
  if (at_zero > most) return std::max(0.0, price_that_keeps(first, end, most));
  if (at_zero < least) return std::min(0.0, price_that_keeps(first, end, least));
  return 0;
}

void ascend(const CandidateTable& table, const DomainBounds& bounds, std::vector<double>& prices, unsigned threads) {
  constexpr double step = 0.5;  // neighbours move at the same time: full steps would overshoot
  constexpr std::size_t domains_per_task = 16;
  TurningPrices turning = turning_prices(table, prices, threads);
  for_each_task((prices.size() + domains_per_task - 1) / domains_per_task, threads, [&](std::size_t task) {
    const std::size_t end = std::min(prices.size(), (task + 1) * domains_per_task);
    for (std::size_t j = task * domains_per_task; j < end; ++j) {
      float* const first = turning.price.data() + turning.start[j];
      float* const last = turning.price.data() + turning.start[j + 1];
      prices[j] += step * (best_price(first, last, bounds.least[j], bounds.most[j]) - prices[j]);
    }
  });
}

// The prices with the least imbalance so far.
class Best {
 public:
  Best(const CandidateTable& table, const DomainBounds& bounds, unsigned threads)
      : table_(table), bounds_(bounds), threads_(threads) {}

  /// True if these are good enough to stop.
  bool offer(const std::vector<double>& prices) {
    const std::uint64_t now = imbalance(count_of(cheapest(table_, prices, threads_), prices.size()), bounds_);
    if (prices_.empty() || now < imbalance_) {
      imbalance_ = now;
      prices_ = prices;
    }
    return imbalance_ * 1000 < table_.samples;
  }
  const std::vector<double>& prices() const { return prices_; }

 private:
  const CandidateTable& table_;
  const DomainBounds& bounds_;
  unsigned threads_;
  std::uint64_t imbalance_ = 0;
  std::vector<double> prices_;
};

}  // namespace

std::vector<std::uint32_t> cheapest(const CandidateTable& table, const std::vector<double>& prices, unsigned threads) {
  std::vector<std::uint32_t> labels(table.samples);
  for_each_task(parts, threads, [&](std::size_t part) {
    const TaskRange range = part_of(table.samples, part, parts);
    for (std::size_t i = range.first; i < range.end; ++i) {
      labels[i] = table.cluster[i * table.width + best_two(table, prices, i).which];
    }
  });
  return labels;
}

std::vector<std::uint64_t> count_of(const std::vector<std::uint32_t>& labels, std::uint64_t domains) {
  std::vector<std::uint64_t> counts(domains, 0);
  for (const std::uint32_t label : labels) ++counts[label];
  return counts;
}

std::uint64_t imbalance(const std::vector<std::uint64_t>& counts, const DomainBounds& bounds) {
  std::uint64_t above = 0, missing = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (counts[j] > bounds.most[j]) above += counts[j] - bounds.most[j];
    if (counts[j] < bounds.least[j]) missing += bounds.least[j] - counts[j];
  }
  return above + missing;
}

double mean_spread(const CandidateTable& table) {
  double sum = 0;
  for (std::uint64_t i = 0; i < table.samples; ++i) {
    const auto first = table.square.begin() + static_cast<std::ptrdiff_t>(i * table.width);
    const auto [least, most] = std::minmax_element(first, first + table.width);
    sum += static_cast<double>(*most) - static_cast<double>(*least);
  }
  return sum / static_cast<double>(table.samples);
}

std::vector<double> balancing_prices(const CandidateTable& table, const DomainBounds& bounds,
                                     const std::vector<double>& start, const PriceSearch& search, unsigned threads) {
  Best best(table, bounds, threads);
  if (best.offer(std::vector<double>(start.size(), 0.0)) || best.offer(start)) return best.prices();
  std::vector<double> prices = start;
  const double spread = mean_spread(table);
  const double fall = fixed_log(search.last_heat / search.first_heat);
  for (std::uint32_t round = 0; round < search.annealing_rounds && spread > 1e-30; ++round) {
    const double done = search.annealing_rounds > 1 ? static_cast<double>(round) / (search.annealing_rounds - 1) : 1;
    anneal(table, bounds, spread * search.first_heat * fixed_exp(fall * done), prices, threads);
  }
  if (best.offer(prices)) return best.prices();
  prices = best.prices();
  for (std::uint32_t round = 0; round < search.ascent_rounds; ++round) {
    ascend(table, bounds, prices, threads);
    if (best.offer(prices)) break;
  }
  return best.prices();
}

}  // namespace toposim::topology
