#include "topology/semantic/swap_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/semantic/domain_layout.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {

SwapSearch::SwapSearch(std::span<const double> similarity, std::span<const double> distance,
                       std::vector<std::uint32_t> domain_of, std::span<const std::uint32_t> classes)
    : similarity_(similarity),
      classes_(classes),
      n_(static_cast<std::uint32_t>(domain_of.size())),
      domain_of_(std::move(domain_of)),
      placed_distance_(std::size_t{n_} * n_),
      difference_(std::size_t{n_} * n_) {
  for (std::uint32_t a = 0; a < n_; ++a)
    for (std::uint32_t b = 0; b < n_; ++b)
      placed_distance_[std::size_t{a} * n_ + b] = distance[std::size_t{domain_of_[a]} * n_ + domain_of_[b]];
  for (std::uint32_t r = 0; r < n_; ++r)
    for (std::uint32_t s = r + 1; s < n_; ++s) at(r, s) = difference_from_scratch(r, s);
  cost_ = layout_cost(similarity, distance, domain_of_);
}

// 2 x sum over k other than r and s of (similarity(r, k) - similarity(s, k)) x (distance(s, k) - distance(r, k)). Four
// partial sums, so that it vectorises in a fixed order.
double SwapSearch::difference_from_scratch(std::uint32_t r, std::uint32_t s) const {
  const double* const sr = similarity_.data() + std::size_t{r} * n_;
  const double* const ss = similarity_.data() + std::size_t{s} * n_;
  const double* const dr = placed_distance_.data() + std::size_t{r} * n_;
  const double* const ds = placed_distance_.data() + std::size_t{s} * n_;
  double part[4] = {};
  std::uint32_t k = 0;
  for (; k + 4 <= n_; k += 4)
    for (std::uint32_t i = k; i < k + 4; ++i) part[i - k] += (sr[i] - ss[i]) * (ds[i] - dr[i]);
  for (; k < n_; ++k) part[0] += (sr[k] - ss[k]) * (ds[k] - dr[k]);
  double sum = (part[0] + part[1]) + (part[2] + part[3]);
  for (const std::uint32_t i : {r, s}) sum -= (sr[i] - ss[i]) * (ds[i] - dr[i]);
  return 2 * sum;
}

// With x_k = similarity(u, k) - similarity(v, k) and y_k = distance(u, k) - distance(v, k) after the swap, the
// difference of a swap of r and s, both other than u and v, changes by -2 (x_r - x_s)(y_r - y_s) (Taillard 1991, eq.
// 3).
void SwapSearch::swap(std::uint32_t u, std::uint32_t v) {
  cost_ += difference(u, v);
  std::swap(domain_of_[u], domain_of_[v]);
  for (std::uint32_t k = 0; k < n_; ++k)
    std::swap(placed_distance_[std::size_t{u} * n_ + k], placed_distance_[std::size_t{v} * n_ + k]);
  for (std::uint32_t k = 0; k < n_; ++k)
    std::swap(placed_distance_[std::size_t{k} * n_ + u], placed_distance_[std::size_t{k} * n_ + v]);
  std::vector<double> x(n_), y(n_);
  for (std::uint32_t k = 0; k < n_; ++k) {
    x[k] = similarity_[std::size_t{u} * n_ + k] - similarity_[std::size_t{v} * n_ + k];
    y[k] = placed_distance_[std::size_t{u} * n_ + k] - placed_distance_[std::size_t{v} * n_ + k];
  }
  for (std::uint32_t r = 0; r < n_; ++r) {
    if (r == u || r == v) continue;
    double* const row = difference_.data() + std::size_t{r} * n_;
    const double xr = x[r], yr = y[r];
    for (std::uint32_t s = r + 1; s < n_; ++s) row[s] -= 2 * (xr - x[s]) * (yr - y[s]);
  }
  for (const std::uint32_t r : {u, v}) {
    for (std::uint32_t s = 0; s < n_; ++s) {
      if (s == r) continue;
      at(std::min(r, s), std::max(r, s)) = difference_from_scratch(std::min(r, s), std::max(r, s));
    }
  }
}

void SwapSearch::descend() {
  // Rounding in kept differences could make a cycle of swaps of no gain: they have to gain something.
  const double least_gain = 1e-12 * std::abs(cost_) + 1e-300;
  for (;;) {
    double best = -least_gain;
    std::uint32_t best_r = n_, best_s = n_;
    for (std::uint32_t r = 0; r < n_; ++r) {
      for (std::uint32_t s = r + 1; s < n_; ++s) {
        if (at(r, s) >= best || !allowed(r, s)) continue;
        best = at(r, s);
        best_r = r;
        best_s = s;
      }
    }
    if (best_r == n_) return;
    swap(best_r, best_s);
  }
}

// A swap is tabu while both clusters would return to a domain that they left less than a tenure ago, drawn from 0.9 n
// to 1.1 n; unless it leads below the best so far. A swap to domains that neither cluster has seen for 5 n^2 iterations
// is forced.
void SwapSearch::tabu(std::uint64_t iterations, std::uint64_t seed) {
  if (n_ < 2) return;
  const double n = n_;
  const auto forced_after = static_cast<std::int64_t>(5 * n * n);
  std::vector<std::int64_t> free_from(std::size_t{n_} * n_);  // cluster x domain
  for (std::size_t i = 0; i < free_from.size(); ++i) free_from[i] = -static_cast<std::int64_t>(i);
  std::vector<std::uint32_t> best = domain_of_;
  double best_cost = cost_;
  for (std::uint64_t step = 1; step <= iterations; ++step) {
    const auto now = static_cast<std::int64_t>(step);
    double least = std::numeric_limits<double>::infinity();
    std::uint32_t best_r = n_, best_s = n_;
    bool found_forced = false;
    for (std::uint32_t r = 0; r < n_; ++r) {
      const std::int64_t* const r_free = free_from.data() + std::size_t{r} * n_;
      for (std::uint32_t s = r + 1; s < n_; ++s) {
        if (at(r, s) >= least && !(!found_forced && now > forced_after)) continue;
        if (!allowed(r, s)) continue;
        const std::int64_t r_from = r_free[domain_of_[s]], s_from = free_from[std::size_t{s} * n_ + domain_of_[r]];
        const bool forced = r_from < now - forced_after && s_from < now - forced_after;
        const bool is_tabu = r_from > now && s_from > now;
        const bool is_record = cost_ + at(r, s) < best_cost - 1e-12 * std::abs(best_cost);
        if (found_forced && !forced) continue;
        if (is_tabu && !is_record) continue;
        if (at(r, s) >= least && !(forced && !found_forced)) continue;
        found_forced = found_forced || forced;
        least = at(r, s);
        best_r = r;
        best_s = s;
      }
    }
    if (best_r == n_) continue;  // all tabu: time passes
    for (const auto& [cluster, draw] : {std::pair{best_r, 0u}, {best_s, 1u}}) {
      const double tenure = n * (0.9 + 0.2 * random_unit(seed, RandomUse::tabu, step, draw));
      free_from[std::size_t{cluster} * n_ + domain_of_[cluster]] = now + static_cast<std::int64_t>(std::ceil(tenure));
    }
    swap(best_r, best_s);
    if (cost_ < best_cost - 1e-12 * std::abs(best_cost)) {
      best_cost = cost_;
      best = domain_of_;
    }
  }
  domain_of_ = best;
  cost_ = best_cost;
}

}  // namespace toposim::topology
