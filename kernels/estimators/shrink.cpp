// shrink: G_d = lambda N + (1 - lambda) m. lambda is what would have predicted the survivors best, each left out in
// turn:
//   lambda = clip(sum <G_i - m_-i, N_i - m_-i> / sum |N_i - m_-i|^2, 0, 1)
// over survivors i with a surviving neighbour, m_-i the mean over the other survivors. With clustered data lambda is
// near 1, with i.i.d. data near 0: then shrink is drop.
#include "kernels/estimators/shrink.hpp"

#include <algorithm>

#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {

LambdaSums lambda_sums(const Products& products) {
  LambdaSums sums;
  const double n = static_cast<double>(products.survivors().size());
  if (n < 2) return sums;
  const double total = products.sum_sum();
  for (const std::uint32_t i : products.survivors()) {
    const std::vector<std::uint32_t> neighbours = products.neighbours(i);
    if (neighbours.empty()) continue;
    const double count = static_cast<double>(neighbours.size());
    const double own = products.dot(i, i), own_sum = products.dot_sum(i);
    double own_near = 0, near_sum = 0, near_near = 0;
    for (const std::uint32_t a : neighbours) {
      own_near += products.dot(i, a);
      near_sum += products.dot_sum(a);
      for (const std::uint32_t b : neighbours) near_near += products.dot(a, b);
    }
    own_near /= count;
    near_sum /= count;
    near_near /= count * count;
    // m_-i = (S - G_i) / (n - 1)
    const double own_rest = (own_sum - own) / (n - 1);
    const double near_rest = (near_sum - own_near) / (n - 1);
    const double rest_rest = (total - 2 * own_sum + own) / ((n - 1) * (n - 1));
    sums.along += own_near - own_rest - near_rest + rest_rest;
    sums.square += near_near - 2 * near_rest + rest_rest;
  }
  return sums;
}

double lambda_of(const LambdaSums& sums) {
  return sums.square > 0 ? std::clamp(sums.along / sums.square, 0.0, 1.0) : 0.0;
}

std::vector<Term> blended(const Products& products, std::uint32_t dead, double lambda) {
  const std::vector<std::uint32_t> neighbours = products.neighbours(dead);
  if (neighbours.empty()) return mean_of(products.survivors());
  std::vector<Term> terms = mean_of(products.survivors(), 1 - lambda);
  auto at = terms.begin();
  for (const std::uint32_t i : neighbours) {
    at = std::find_if(at, terms.end(), [&](const Term& term) { return term.worker == i; });
    at->coefficient += lambda / static_cast<double>(neighbours.size());
  }
  return terms;
}

Estimates blend(const Products& products, double lambda) {
  Estimates estimates = for_each_dead(products, [&](std::uint32_t dead) { return blended(products, dead, lambda); });
  estimates.lambda = lambda;
  return estimates;
}

Estimates shrink(const Products& products) {
  return blend(products, products.dead().empty() ? -1 : lambda_of(lambda_sums(products)));
}

}  // namespace toposim::estimators
