#include "topology/semantic/domain_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "topology/error.hpp"
#include "topology/semantic/layout_bound.hpp"
#include "topology/semantic/processor.hpp"
#include "topology/semantic/swap_search.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint32_t domains_max = 8192;

void check_matrix(const char* name, std::span<const double> matrix, std::uint32_t n) {
  if (matrix.size() != std::size_t{n} * n) {
    throw TopologyError(fmt::format("layout: {} has {} numbers; {} x {} are needed", name, matrix.size(), n, n));
  }
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a; b < n; ++b) {
      const double here = matrix[std::size_t{a} * n + b], there = matrix[std::size_t{b} * n + a];
      if (!std::isfinite(here) || !std::isfinite(there)) {
        throw TopologyError(fmt::format("layout: {} of {} and {} is {}; give finite numbers", name, a, b,
                                        std::isfinite(here) ? there : here));
      }
      if (here != there) {
        throw TopologyError(fmt::format("layout: {} of {} and {} is {} one way and {} the other; give the mean", name,
                                        a, b, here, there));
      }
    }
  }
}

// Clusters in order of their similarity to those already placed, each to the free domain of its class where it is
// cheapest to them; the first is the most similar to all, in the domain nearest to all.
std::vector<std::uint32_t> greedy_layout(std::span<const double> similarity, std::span<const double> distance,
                                         std::span<const std::uint32_t> classes, std::uint32_t n) {
  std::vector<double> similar(n, 0.0), far(n, 0.0);
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = 0; b < n; ++b) {
      if (a == b) continue;
      similar[a] += similarity[std::size_t{a} * n + b];
      far[a] += distance[std::size_t{a} * n + b];
    }
  }
  std::vector<std::uint32_t> domain_of(n), placed;
  std::vector<bool> cluster_done(n, false), domain_taken(n, false);
  std::vector<double> cost(n);
  for (std::uint32_t step = 0; step < n; ++step) {
    std::uint32_t next = n;
    for (std::uint32_t a = 0; a < n; ++a)
      if (!cluster_done[a] && (next == n || similar[a] > similar[next])) next = a;
    std::fill(cost.begin(), cost.end(), 0.0);
    for (const std::uint32_t other : placed) {
      const double weight = similarity[std::size_t{next} * n + other];
      const double* const row = distance.data() + std::size_t{domain_of[other]} * n;
      for (std::uint32_t d = 0; d < n; ++d) cost[d] += weight * row[d];
    }
    if (placed.empty()) cost = far;
    std::uint32_t to = n;
    for (std::uint32_t d = 0; d < n; ++d) {
      if (domain_taken[d] || (!classes.empty() && classes[d] != classes[next])) continue;
      if (to == n || cost[d] < cost[to]) to = d;
    }
    domain_of[next] = to;
    cluster_done[next] = domain_taken[to] = true;
    if (placed.empty()) std::fill(similar.begin(), similar.end(), 0.0);
    placed.push_back(next);
    for (std::uint32_t a = 0; a < n; ++a) similar[a] += similarity[std::size_t{a} * n + next];
  }
  return domain_of;
}

}  // namespace

double layout_cost(std::span<const double> similarity, std::span<const double> distance,
                   std::span<const std::uint32_t> domain_of_cluster) {
  const std::size_t n = domain_of_cluster.size();
  double sum = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const double* const row = distance.data() + domain_of_cluster[a] * n;
    for (std::size_t b = 0; b < n; ++b)
      if (a != b) sum += similarity[a * n + b] * row[domain_of_cluster[b]];
  }
  return sum;
}

DomainLayout lay_out_domains(std::span<const double> similarity, std::span<const double> distance,
                             const LayoutOptions& options, std::span<const std::uint32_t> classes) {
  check_processor();
  const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(similarity.size()))));
  if (side < 1 || side > domains_max || side * side != similarity.size()) {
    throw TopologyError(
        fmt::format("layout: {} similarities; give n x n of them, n from 1 to {}", similarity.size(), domains_max));
  }
  const auto n = static_cast<std::uint32_t>(side);
  check_matrix("similarity", similarity, n);
  check_matrix("distance", distance, n);
  if (!classes.empty() && classes.size() != n) {
    throw TopologyError(fmt::format("layout: {} classes for {} domains; give one each, or none", classes.size(), n));
  }
  DomainLayout result;
  std::vector<std::uint32_t> identity(n);
  std::iota(identity.begin(), identity.end(), 0u);
  result.identity_cost = layout_cost(similarity, distance, identity);
  SwapSearch search(similarity, distance, greedy_layout(similarity, distance, classes, n), classes);
  result.greedy_cost = search.cost();
  search.descend();
  result.descent_cost = search.cost();
  const std::uint64_t affordable = 1'000'000'000 / (std::uint64_t{n} * n);
  search.tabu(options.iterations > 0 ? options.iterations : std::clamp<std::uint64_t>(affordable, 500, 20'000),
              options.seed);
  result.domain_of_cluster = search.domain_of();
  result.cost = layout_cost(similarity, distance, result.domain_of_cluster);
  result.bound_kind = n <= options.gilmore_lawler_max ? LayoutBound::gilmore_lawler : LayoutBound::rearrangement;
  result.lower_bound = result.bound_kind == LayoutBound::gilmore_lawler ? gilmore_lawler_bound(similarity, distance, n)
                                                                        : rearrangement_bound(similarity, distance, n);
  return result;
}

}  // namespace toposim::topology
