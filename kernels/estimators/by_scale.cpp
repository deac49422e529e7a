#include <cmath>

#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {
namespace {

/// |N|^2 of the mean over `members`.
double mean_square(const Products& products, std::span<const std::uint32_t> members) {
  double sum = 0;
  for (const std::uint32_t a : members)
    for (const std::uint32_t b : members) sum += products.dot(a, b);
  return sum / static_cast<double>(members.size() * members.size());
}

void scale(std::vector<Term>& terms, double factor) {
  for (Term& term : terms) term.coefficient *= factor;
}

}  // namespace

Estimates normscale(const Products& products) {
  return for_each_dead(products, [&](std::uint32_t dead) {
    std::vector<Term> terms = neighbour_mean(products, dead);
    const std::vector<std::uint32_t> neighbours = products.neighbours(dead);
    if (neighbours.empty()) return terms;
    double norms = 0;
    for (const std::uint32_t i : neighbours) norms += std::sqrt(products.dot(i, i));
    const double length = std::sqrt(mean_square(products, neighbours));
    if (length > 0) scale(terms, norms / static_cast<double>(neighbours.size()) / length);
    return terms;
  });
}

Estimates lsscale(const Products& products) {
  double along = 0, squares = 0;
  for (const std::uint32_t i : products.survivors()) {
    const std::vector<std::uint32_t> neighbours = products.neighbours(i);
    if (neighbours.empty()) continue;
    double dot = 0;
    for (const std::uint32_t j : neighbours) dot += products.dot(i, j);
    along += dot / static_cast<double>(neighbours.size());
    squares += mean_square(products, neighbours);
  }
  const double factor = squares > 0 ? along / squares : 1;
  return for_each_dead(products, [&](std::uint32_t dead) {
    std::vector<Term> terms = neighbour_mean(products, dead);
    if (!products.neighbours(dead).empty()) scale(terms, factor);
    return terms;
  });
}

}  // namespace toposim::estimators
