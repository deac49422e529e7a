#include "sim/fabric/simgrid_version.hpp"

#include <fmt/format.h>
#include <simgrid/forward.h>
#include <simgrid/version.h>

namespace toposim::sim {

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  return patch == 0 ? fmt::format("{}.{}", major, minor) : fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace toposim::sim
