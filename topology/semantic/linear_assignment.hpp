#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::topology {

struct LinearAssignment {
  double cost = 0;
  std::vector<std::uint32_t> column_of_row;
};

/// The cheapest one-to-one assignment of n rows to n columns; costs n x n, row-major. Shortest augmenting paths with
/// potentials (Jonker, Volgenant 1987): O(n^3).
LinearAssignment assign_linear(std::span<const double> costs, std::uint32_t n);

}  // namespace toposim::topology
