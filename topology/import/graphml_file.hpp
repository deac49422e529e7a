#pragma once
// A fabric as GraphML, for tools that know graphs, and from them. Nodes are switches and adapters with the keys `kind`
// (switch, adapter or router) and `name` (of an adapter: host, a blank, device); edges are cables with `bandwidth_Bps`
// and, where they are known, the ports that they are in, `source_port` and `target_port`. Node ids are free.
#include <string>

#include "topology/cluster.hpp"
#include "topology/import/wiring.hpp"

namespace toposim::topology {

/// Plain or gzip, up to 1 GiB. Throws ImportError with everything that is wrong with it.
Wiring read_graphml(const std::string& path);

/// The adapters and switches of a cluster. Read back they make the same cluster, given as many GPUs a node; nodes,
/// rails and tiers are inferred again. Ports are counted, forwarding tables are not in it.
std::string graphml(const Cluster& cluster);

}  // namespace toposim::topology
