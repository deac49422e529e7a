#pragma once
#include <string>

namespace toposim::sim {

std::string simgrid_version();  ///< of the library that is loaded, such as 3.32

}  // namespace toposim::sim
