#pragma once
#include "topology/cluster.hpp"

namespace toposim::topology {

/// What half of the nodes can send to the other half, one direction, bytes/s: the largest flow through the adapters and
/// switches from the first half of the nodes to the second, in order of their leaves, so that nodes of a leaf group and
/// of a pod stay together. In a regular folded Clos network no other halving has a smaller flow; in an irregular one
/// another may. With an odd number of nodes the first half has one less. `dead`: a switch that is down;
/// 0: none.
struct Bisection {
  double bandwidth_Bps = 0;
  double adapters_Bps = 0;  ///< what the adapters of the first half could send
};
Bisection bisection(const Cluster& cluster, VertexId dead = 0);

}  // namespace toposim::topology
