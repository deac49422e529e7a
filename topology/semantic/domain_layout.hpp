#pragma once
// Which cluster of samples goes to which domain of the fabric: similar clusters to near domains, so that those that
// stand in for each other, or exchange more, are close. A quadratic assignment problem: minimise
//   cost = sum over a != b of similarity(a, b) x distance(domain(a), domain(b)).
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::topology {

struct LayoutOptions {
  std::uint64_t iterations = 0;            ///< of the tabu search; 0: 1e9 / n^2, at least 500 and at most 20,000
  std::uint64_t seed = 1;                  ///< of the tabu tenures
  std::uint32_t gilmore_lawler_max = 512;  ///< the larger bound up to this many domains
};

enum class LayoutBound : std::uint8_t { gilmore_lawler, rearrangement };  // layout_bound.hpp

struct DomainLayout {
  std::vector<std::uint32_t> domain_of_cluster;
  double cost = 0;
  double greedy_cost = 0;    ///< of the start
  double descent_cost = 0;   ///< where swapping two clusters no longer helped
  double identity_cost = 0;  ///< cluster i in domain i, to see what layout is worth
  double lower_bound = 0;
  LayoutBound bound_kind = LayoutBound::gilmore_lawler;
  double gap() const { return cost - lower_bound; }  ///< at most this much above the optimum
};

/// Both matrices n x n, row-major, symmetric; diagonals are ignored. `classes`: cluster i and domain i are of class
/// classes[i], and clusters stay within their class (where domains hold different numbers of samples); empty: all
/// alike.
///
/// Greedy start: the cluster most similar to those placed, where it is nearest to them; then the best swap as long as
/// one helps; then robust tabu search (Taillard 1991), each swap in O(n^2) for all n^2 / 2 differences. Deterministic
/// for a seed. Memory 4 x 8 n^2 bytes. Throws TopologyError where sizes, symmetry or numbers do not fit.
DomainLayout lay_out_domains(std::span<const double> similarity, std::span<const double> distance,
                             const LayoutOptions& options, std::span<const std::uint32_t> classes = {});

/// The cost of a given layout.
double layout_cost(std::span<const double> similarity, std::span<const double> distance,
                   std::span<const std::uint32_t> domain_of_cluster);

}  // namespace toposim::topology
