#pragma once
#include <string>

#include "topology/cluster.hpp"

namespace toposim::topology {

/// The fabric in Graphviz's language: switches by tier, and below them nodes, those on the same leaves as one box. A
/// line says how many cables it stands for and, where they are not of the most common rate of the fabric, at what rate.
std::string graphviz(const Cluster& cluster);

}  // namespace toposim::topology
