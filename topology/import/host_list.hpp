#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace toposim::topology {

/// Host names as Slurm writes them: node[0000-0007,12],login1. Throws TopologyError for what is no such list, or is one
/// of more than a million names.
std::vector<std::string> expand_host_list(std::string_view text);

}  // namespace toposim::topology
