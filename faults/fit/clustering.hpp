#pragma once
// Whether faults come alone: in time, and among nodes.
#include <span>
#include <vector>

#include "faults/fit/sample.hpp"

namespace toposim::faults {

struct Clustering {
  double dispersion_daily = 0;    ///< variance over mean of the faults of a day; 1 for a Poisson process
  double dispersion_nodes = 0;    ///< the same of the faults of a node; 1 where all nodes are alike
  double worst_share = 0;         ///< faults on the worst 5 % of all nodes, of all faults
  std::uint64_t worst_nodes = 0;  ///< how many that are, at least one
  std::uint64_t groups = 0, grouped_faults = 0, largest_group = 0;  ///< of several nodes, started in the same minute
  std::vector<double> gap_correlation;  ///< of gaps one, two, ... apart (zeros too); empty: too few
};

inline constexpr std::size_t correlation_lags = 5;

/// node_count: all nodes, those without a fault too. Records are sorted by start.
Clustering clustering(std::span<const TraceRecord> records, const TraceWindow& window, std::uint64_t node_count);

}  // namespace toposim::faults
