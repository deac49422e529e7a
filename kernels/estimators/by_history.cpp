#include <algorithm>

#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {
namespace {

constexpr double decay = 0.7;

/// Weights by age, newest heaviest, of the steps in which the worker computed; they add up to 1, or are all 0.
std::vector<double> decayed(const Products& products, std::uint32_t worker) {
  const Observations& seen = products.seen();
  std::vector<double> weights(seen.steps.size(), 0.0);
  double weight = 1, sum = 0;
  for (std::size_t age = 1; age < seen.steps.size(); ++age, weight *= decay) {
    if (!seen.alive(worker, age)) continue;
    weights[age] = weight;
    sum += weight;
  }
  for (double& w : weights) w = sum > 0 ? w / sum : 0;
  return weights;
}

}  // namespace

Estimates stale(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) {
    for (std::uint32_t age = 1; age < products.seen().steps.size(); ++age)
      if (products.seen().alive(dead, age)) return std::vector<Term>{{age, dead, 1.0}};
    return neighbour_mean(products, dead);
  });
}

Estimates ema(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) {
    const std::vector<double> weights = decayed(products, dead);
    std::vector<Term> terms;
    for (std::uint32_t age = 1; age < weights.size(); ++age)
      if (weights[age] > 0) terms.push_back({age, dead, weights[age]});
    return terms.empty() ? neighbour_mean(products, dead) : terms;
  });
}

Estimates cv(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) {
    std::vector<Term> terms = neighbour_mean(products, dead);
    const std::vector<double> weights = decayed(products, dead);
    const std::vector<std::uint32_t> neighbours = products.neighbours(dead);
    for (std::uint32_t age = 1; age < weights.size() && !neighbours.empty(); ++age) {
      std::vector<std::uint32_t> then;
      for (const std::uint32_t i : neighbours)
        if (products.seen().alive(i, age)) then.push_back(i);
      if (!(weights[age] > 0) || then.empty()) continue;
      std::vector<std::uint32_t> all = then;
      all.insert(std::lower_bound(all.begin(), all.end(), dead), dead);
      for (const std::uint32_t w : all)
        terms.push_back({age, w, w == dead ? weights[age] : -weights[age] / static_cast<double>(then.size())});
    }
    return terms;
  });
}

}  // namespace toposim::estimators
