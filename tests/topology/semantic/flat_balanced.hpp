#pragma once
// A plain reference: k-means++ over all samples, Lloyd, then Lloyd with every assignment an exact solution of the
// transportation problem (samples to clusters, counts at most `most`), by successive shortest paths over the clusters.
// All distances, in double precision, no prices, no candidates, no sample.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace toposim::topology {

struct FlatResult {
  double plain_inertia = 0, balanced_inertia = 0;
};

class FlatKmeans {
 public:
  FlatKmeans(std::span<const float> data, std::size_t n, std::size_t d, std::size_t k)
      : data_(data), n_(n), d_(d), k_(k) {}

  void seed(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> nearest(n_, std::numeric_limits<double>::infinity());
    centroids_.assign(k_ * d_, 0);
    std::size_t chosen = random() % n_;
    for (std::size_t j = 0; j < k_; ++j) {
      std::copy_n(data_.begin() + static_cast<std::ptrdiff_t>(chosen * d_), d_,
                  centroids_.begin() + static_cast<std::ptrdiff_t>(j * d_));
      double sum = 0;
      for (std::size_t i = 0; i < n_; ++i) sum += nearest[i] = std::min(nearest[i], square(i, j));
      double u = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
      for (chosen = 0; chosen + 1 < n_ && (u -= nearest[chosen]) > 0;) ++chosen;
    }
  }

  void measure() {
    cost_.resize(n_ * k_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < k_; ++j) cost_[i * k_ + j] = static_cast<float>(square(i, j));
  }
  void assign_nearest() {
    label_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      const auto row = cost_.begin() + static_cast<std::ptrdiff_t>(i * k_);
      label_[i] = static_cast<std::size_t>(std::min_element(row, row + static_cast<std::ptrdiff_t>(k_)) - row);
    }
  }
  // From the nearest assignment, which has the least cost for its own counts: one unit at a time along the cheapest
  // chain from a cluster with too many to one with room.
  void assign_balanced(std::size_t most) {
    assign_nearest();
    std::vector<std::vector<std::size_t>> members(k_);
    for (std::size_t i = 0; i < n_; ++i) members[label_[i]].push_back(i);
    std::vector<double> arc(k_ * k_);
    std::vector<std::size_t> mover(k_ * k_);
    const auto refresh = [&](std::size_t a) {
      std::fill_n(arc.begin() + static_cast<std::ptrdiff_t>(a * k_), k_, std::numeric_limits<double>::infinity());
      for (const std::size_t i : members[a]) {
        for (std::size_t b = 0; b < k_; ++b) {
          const double rise = static_cast<double>(cost_[i * k_ + b]) - static_cast<double>(cost_[i * k_ + a]);
          if (rise < arc[a * k_ + b]) {
            arc[a * k_ + b] = rise;
            mover[a * k_ + b] = i;
          }
        }
      }
    };
    for (std::size_t a = 0; a < k_; ++a) refresh(a);
    for (std::size_t source = 0; source < k_; ++source) {
      while (members[source].size() > most) {
        // Bellman-Ford: arcs may be negative.
        std::vector<double> distance(k_, std::numeric_limits<double>::infinity());
        std::vector<std::size_t> from(k_, source);
        distance[source] = 0;
        for (bool changed = true; changed;) {
          changed = false;
          for (std::size_t a = 0; a < k_; ++a) {
            for (std::size_t b = 0; b < k_; ++b) {
              if (a == b || !(distance[a] + arc[a * k_ + b] < distance[b] - 1e-9)) continue;
              distance[b] = distance[a] + arc[a * k_ + b];
              from[b] = a;
              changed = true;
            }
          }
        }
        std::size_t target = source;
        for (std::size_t b = 0; b < k_; ++b)
          if (members[b].size() < most && (target == source || distance[b] < distance[target])) target = b;
        std::vector<std::size_t> chain{target};
        while (chain.back() != source) chain.push_back(from[chain.back()]);
        for (std::size_t step = 0; step + 1 < chain.size(); ++step) {
          const std::size_t to = chain[step], a = chain[step + 1], i = mover[a * k_ + to];
          members[a].erase(std::find(members[a].begin(), members[a].end(), i));
          members[to].push_back(i);
          label_[i] = to;
        }
        for (const std::size_t a : chain) refresh(a);
      }
    }
  }
  void move_to_means() {
    std::vector<double> sum(k_ * d_, 0.0);
    std::vector<double> count(k_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      ++count[label_[i]];
      for (std::size_t c = 0; c < d_; ++c) sum[label_[i] * d_ + c] += data_[i * d_ + c];
    }
    for (std::size_t j = 0; j < k_; ++j) {
      if (count[j] == 0) continue;
      for (std::size_t c = 0; c < d_; ++c) centroids_[j * d_ + c] = sum[j * d_ + c] / count[j];
    }
  }
  double inertia() const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) sum += square(i, label_[i]);
    return sum;
  }
  const std::vector<std::size_t>& labels() const { return label_; }

 private:
  double square(std::size_t i, std::size_t j) const {
    double sum = 0;
    for (std::size_t c = 0; c < d_; ++c) {
      const double off = static_cast<double>(data_[i * d_ + c]) - centroids_[j * d_ + c];
      sum += off * off;
    }
    return sum;
  }

  std::span<const float> data_;
  std::size_t n_, d_, k_;
  std::vector<double> centroids_;
  std::vector<float> cost_;
  std::vector<std::size_t> label_;
};

/// `rounds` of plain Lloyd, then as many balanced ones.
inline FlatResult flat_balanced_kmeans(std::span<const float> data, std::size_t n, std::size_t d, std::size_t k,
                                       double slack, int rounds, std::uint64_t seed) {
  FlatKmeans flat(data, n, d, k);
  flat.seed(seed);
  for (int round = 0; round < rounds; ++round) {
    flat.measure();
    flat.assign_nearest();
    flat.move_to_means();
  }
  FlatResult result;
  result.plain_inertia = flat.inertia();
  const auto most =
      static_cast<std::size_t>(std::ceil(static_cast<double>(n) / static_cast<double>(k) * (1 + slack) - 1e-9));
  for (int round = 0; round < rounds; ++round) {
    flat.measure();
    flat.assign_balanced(most);
    flat.move_to_means();
  }
  result.balanced_inertia = flat.inertia();
  return result;
}

}  // namespace toposim::topology
