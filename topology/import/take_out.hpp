#pragma once
#include <string>
#include <vector>

#include "topology/import/wiring.hpp"

namespace toposim::topology {

/// Takes switches, adapters and cables out of a fabric, as if they were unplugged. Each of `names` is the name of a
/// device, or of a cable by one of its ends: "leaf-3 port 12". Devices that are left without a cable go too. Throws
/// ImportError for names that are none, and where the rest falls into pieces.
void take_out(Wiring& wiring, const std::vector<std::string>& names);

}  // namespace toposim::topology
