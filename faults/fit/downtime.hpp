#pragma once
#include <span>

#include "faults/fit/sample.hpp"

namespace toposim::faults {

/// Nodes that are down at the same time, weighed by how long.
struct NodesDown {
  double node_days = 0;  ///< of being down, in all
  double mean = 0;
  std::uint64_t p50 = 0, p99 = 0, most = 0;  ///< p99: not exceeded during 99 % of the window
};

/// downs: as down_intervals() gives them.
NodesDown nodes_down(std::span<const DownInterval> downs, const TraceWindow& window);

}  // namespace toposim::faults
