#include <Eigen/Dense>

#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {
namespace {

using Index = Eigen::Index;

/// Regressors: the neighbours, then (with_global) the mean of the survivors. Over the past steps in which the dead
/// worker and all regressors computed.
std::vector<Term> fitted(const Products& products, std::uint32_t dead, bool with_global) {
  const Observations& seen = products.seen();
  const std::vector<std::uint32_t> neighbours = products.neighbours(dead);
  if (neighbours.empty()) return mean_of(products.survivors());
  const Index n = static_cast<Index>(neighbours.size()), size = n + (with_global ? 1 : 0);
  const double survivors = static_cast<double>(products.survivors().size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  bool any = false;
  for (std::size_t age = 1; age < seen.steps.size(); ++age) {
    bool all = seen.alive(dead, age);
    for (const std::uint32_t i : neighbours) all = all && seen.alive(i, age);
    if (!all) continue;
    any = true;
    for (Index i = 0; i < n; ++i) {
      const std::uint32_t x = neighbours[static_cast<std::size_t>(i)];
      for (Index j = 0; j <= i; ++j) a(i, j) += products.dot(x, neighbours[static_cast<std::size_t>(j)], age);
      if (with_global) a(n, i) += products.dot_sum(x, age) / survivors;
      b(i) += products.dot(x, dead, age);
    }
    if (with_global) {
      a(n, n) += products.sum_sum(age) / (survivors * survivors);
      b(n) += products.dot_sum(dead, age) / survivors;
    }
  }
  if (!any) return mean_of(neighbours);
  const double penalty = 0.1 * a.trace() / static_cast<double>(size);
  if (!(penalty > 0)) return mean_of(neighbours);
  a.diagonal().array() += penalty;
  const Eigen::VectorXd c = a.selfadjointView<Eigen::Lower>().ldlt().solve(b);

  std::vector<Term> terms = with_global ? mean_of(products.survivors(), c(n)) : mean_of(neighbours, 0);
  auto at = terms.begin();
  for (Index i = 0; i < n; ++i) {
    while (at->worker != neighbours[static_cast<std::size_t>(i)]) ++at;
    at->coefficient += c(i);
  }
  return terms;
}

}  // namespace

Estimates ridge(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) { return fitted(products, dead, false); });
}

Estimates ridge_global(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) { return fitted(products, dead, true); });
}

}  // namespace toposim::estimators
