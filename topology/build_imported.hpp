#pragma once
#include "topology/cluster.hpp"

namespace toposim::topology {

/// build_cluster() of FabricKind::imported.
Cluster build_imported(const ClusterSpec& spec);

/// Throws TopologyError where the graph would have more vertices or arcs than their ids can number.
void check_size(const ClusterSpec& spec, const FabricShape& shape);

}  // namespace toposim::topology
