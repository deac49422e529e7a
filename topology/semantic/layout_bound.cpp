#include "topology/semantic/layout_bound.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "topology/semantic/linear_assignment.hpp"

namespace toposim::topology {
namespace {

// Off-diagonal entries of rows first .. end-1.
std::vector<double> off_diagonal(std::span<const double> matrix, std::uint32_t n, std::uint32_t first,
                                 std::uint32_t end) {
  std::vector<double> result;
  for (std::uint32_t r = first; r < end; ++r)
    for (std::uint32_t c = 0; c < n; ++c)
      if (r != c) result.push_back(matrix[std::size_t{r} * n + c]);
  return result;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

double gilmore_lawler_bound(std::span<const double> similarity, std::span<const double> distance, std::uint32_t n) {
  std::vector<std::vector<double>> up(n), down(n);
  for (std::uint32_t r = 0; r < n; ++r) {
    up[r] = off_diagonal(similarity, n, r, r + 1);
    down[r] = off_diagonal(distance, n, r, r + 1);
    std::sort(up[r].begin(), up[r].end());
    std::sort(down[r].begin(), down[r].end(), std::greater<>());
  }
  std::vector<double> costs(std::size_t{n} * n);
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t p = 0; p < n; ++p) costs[std::size_t{a} * n + p] = product(up[a], down[p]);
  return assign_linear(costs, n).cost;
}

double rearrangement_bound(std::span<const double> similarity, std::span<const double> distance, std::uint32_t n) {
  std::vector<double> up = off_diagonal(similarity, n, 0, n), down = off_diagonal(distance, n, 0, n);
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end(), std::greater<>());
  return product(up, down);
}

}  // namespace toposim::topology
