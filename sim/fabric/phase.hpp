#pragma once
// A phase: flows that start together on the fabric, and how long they take. The one thing every fidelity can price.
#include <cstdint>
#include <string>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/fabric_state.hpp"

namespace toposim::sim {

struct Flow {
  topology::VertexId src = 0, dst = 0;  ///< GPUs
  double bytes = 0;
  std::uint32_t label = 0;  ///< enters the ECMP hash: channel or ring number
};

/// A stream over one arc, for reduction inside switches, where traffic is not end to end.
struct ArcFlow {
  topology::ArcId arc = 0;
  double bytes = 0;
};

struct Phase {
  std::string name;  ///< "nvlink reduce-scatter", for breakdowns
  std::vector<Flow> flows;
  std::vector<ArcFlow> arc_flows;
  /// Dependent messages one after another on the longest chain, such as 2(n-1) in a ring: each pays the slowest
  /// route's latency and the overhead.
  double rounds = 1;
  double round_overhead_s = 0;  ///< software and protocol latency per round
  bool empty() const { return flows.empty() && arc_flows.empty(); }
};

struct PhaseTime {
  double transfer_s = 0;  ///< bandwidth share: last flow done
  double latency_s = 0;   ///< rounds x (slowest route latency + overhead)
  topology::ArcId busiest_arc = 0;
  double total_s() const { return transfer_s + latency_s; }
};

}  // namespace toposim::sim
