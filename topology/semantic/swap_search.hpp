#pragma once
// Local search for the quadratic assignment problem by swaps, with the differences of all swaps kept up to date.
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::topology {

class SwapSearch {
 public:
  /// n x n symmetric matrices, which must outlive this; `domain_of` a permutation; `classes` empty or of n: only
  /// clusters of one class are swapped.
  SwapSearch(std::span<const double> similarity, std::span<const double> distance, std::vector<std::uint32_t> domain_of,
             std::span<const std::uint32_t> classes);

  double cost() const { return cost_; }
  const std::vector<std::uint32_t>& domain_of() const { return domain_of_; }
  /// What swapping clusters r and s would add to the cost.
  double difference(std::uint32_t r, std::uint32_t s) const { return r < s ? at(r, s) : at(s, r); }

  /// Takes the best swap until none helps.
  void descend();
  /// Robust tabu search; leaves the best layout found in place. Not to be followed by further searches.
  void tabu(std::uint64_t iterations, std::uint64_t seed);

 private:
  double& at(std::uint32_t r, std::uint32_t s) { return difference_[std::size_t{r} * n_ + s]; }
  double at(std::uint32_t r, std::uint32_t s) const { return difference_[std::size_t{r} * n_ + s]; }
  bool allowed(std::uint32_t r, std::uint32_t s) const { return classes_.empty() || classes_[r] == classes_[s]; }
  double difference_from_scratch(std::uint32_t r, std::uint32_t s) const;
  void swap(std::uint32_t u, std::uint32_t v);

  std::span<const double> similarity_;
  std::span<const std::uint32_t> classes_;
  std::uint32_t n_;
  std::vector<std::uint32_t> domain_of_;
  std::vector<double> placed_distance_;  // between the domains of clusters: distance(domain(a), domain(b))
  std::vector<double> difference_;       // upper triangle
  double cost_ = 0;
};

}  // namespace toposim::topology
