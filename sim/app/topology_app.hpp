#pragma once
#include <string>

#include "sim/app/command_line.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// What `toposim topology` prints. scenario: read already where the file is one, else null. Writes the picture and the
/// GraphML where they are asked for in files. Throws topology::TopologyError, analysis::FileError.
std::string look_at_topology(const CommandLine& line, const Scenario* scenario);

}  // namespace toposim::sim
