#pragma once
// The rules behind estimator.hpp's table. G_d: the dead worker's gradient; N: mean over its surviving neighbours; m:
// mean over all survivors.
#include <span>
#include <vector>

#include "kernels/estimators/estimator.hpp"

namespace toposim::estimators {

// by_count.cpp: G_d = m; 0; N.
Estimates drop(const Products& products);
Estimates zero(const Products& products);
Estimates uniform(const Products& products);

// by_centroid.cpp: G_d = sum w_i G_i / sum w_i over neighbours, w by the centroids x of the workers' data:
// 1 / (1 + cos(x_d, x_i)); 1 / (1 + (1 - cos)); exp(cos' / 0.1) with cos' of centroids less their mean over workers.
// Without centroids all weights are equal.
Estimates literal(const Products& products);
Estimates cosdist(const Products& products);
Estimates softmax(const Products& products);

// by_scale.cpp: G_d = s N, s = mean |G_i| / |N| over the neighbours i; s = sum <G_i, N_i> / sum |N_i|^2 over survivors
// i with a surviving neighbour.
Estimates normscale(const Products& products);
Estimates lsscale(const Products& products);

// shrink.cpp: G_d = lambda N + (1 - lambda) m.
Estimates shrink(const Products& products);

// ridge.cpp: least squares of the dead worker's past gradients on those of its neighbours, all coordinates as
// observations, penalty 0.1 x trace / n.
Estimates ridge(const Products& products);
Estimates ridge_global(const Products& products);

// by_history.cpp: stale = G_d of the last step; ema = sum of .7^(a-1) G_d[a] normalised; cv = ema + N now - the same
// ema of N.
Estimates stale(const Products& products);
Estimates ema(const Products& products);
Estimates cv(const Products& products);

// Parts they share.
std::vector<Term> mean_of(std::span<const std::uint32_t> workers, double weight = 1);
/// lambda N + (1 - lambda) m, of one dead worker; m where it has no neighbour. In shrink.cpp.
std::vector<Term> blended(const Products& products, std::uint32_t dead, double lambda);
/// The mean of the neighbours, or of all survivors where there is none.
std::vector<Term> neighbour_mean(const Products& products, std::uint32_t dead);
/// One estimate per dead worker by rule(dead) -> terms.
template <class Rule>
Estimates for_each_dead(const Products& products, const Rule& rule) {
  Estimates estimates;
  for (const std::uint32_t dead : products.dead()) estimates.dead.push_back({dead, rule(dead)});
  return estimates;
}

}  // namespace toposim::estimators
