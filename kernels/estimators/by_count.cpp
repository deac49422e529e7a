#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {

std::vector<Term> mean_of(std::span<const std::uint32_t> workers, double weight) {
  std::vector<Term> terms;
  terms.reserve(workers.size());
  for (const std::uint32_t w : workers) terms.push_back({0, w, weight / static_cast<double>(workers.size())});
  return terms;
}

std::vector<Term> neighbour_mean(const Products& products, std::uint32_t dead) {
  const std::vector<std::uint32_t> neighbours = products.neighbours(dead);
  return mean_of(neighbours.empty() ? products.survivors() : neighbours);
}

Estimates drop(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t) { return mean_of(products.survivors()); });
}

Estimates zero(const Products& products) {
  return for_each_dead(products, [](std::uint32_t) { return std::vector<Term>{}; });
}

Estimates uniform(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) { return neighbour_mean(products, dead); });
}

}  // namespace toposim::estimators
