#pragma once
#include <string>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::topology {

/// Where a fabric is not like the rest of itself: between two switches a cable less than between most pairs of their
/// kind, a switch with fewer cables up or down than most of its tier, a cable slower than most of its kind. One line
/// each, told by names. What most have is taken as meant.
std::vector<std::string> asymmetries(const Cluster& cluster);

}  // namespace toposim::topology
