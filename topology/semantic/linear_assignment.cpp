#include "topology/semantic/linear_assignment.hpp"

#include <limits>

namespace toposim::topology {

LinearAssignment assign_linear(std::span<const double> costs, std::uint32_t n) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::uint32_t none = 0xffff'ffff;
  std::vector<double> row_potential(n, 0.0), column_potential(n + 1, 0.0), slack(n + 1);
  std::vector<std::uint32_t> row_of(n + 1, none), came_from(n + 1);  // column n stands for "not yet"
  std::vector<bool> done(n + 1);
  for (std::uint32_t row = 0; row < n; ++row) {
    row_of[n] = row;
    std::uint32_t column = n;
    slack.assign(n + 1, infinity);
    done.assign(n + 1, false);
    while (row_of[column] != none) {
      done[column] = true;
      const std::uint32_t r = row_of[column];
      double least = infinity;
      std::uint32_t next = n;
      for (std::uint32_t c = 0; c < n; ++c) {
        if (done[c]) continue;
        const double reduced = costs[std::size_t{r} * n + c] - row_potential[r] - column_potential[c];
        if (reduced < slack[c]) {
          slack[c] = reduced;
          came_from[c] = column;
        }
        if (slack[c] < least) {
          least = slack[c];
          next = c;
        }
      }
      for (std::uint32_t c = 0; c <= n; ++c) {
        if (done[c]) {
          row_potential[row_of[c]] += least;
          column_potential[c] -= least;
        } else {
          slack[c] -= least;
        }
      }
      column = next;
    }
    while (column != n) {
      row_of[column] = row_of[came_from[column]];
      column = came_from[column];
    }
  }
  LinearAssignment result;
  result.column_of_row.resize(n);
  for (std::uint32_t c = 0; c < n; ++c) result.column_of_row[row_of[c]] = c;
  for (std::uint32_t r = 0; r < n; ++r) result.cost += costs[std::size_t{r} * n + result.column_of_row[r]];
  return result;
}

}  // namespace toposim::topology
