#pragma once
// Which adapters make a node, and which of them are of one rail.
#include <cstdint>
#include <string>
#include <vector>

#include "topology/import/import_error.hpp"
#include "topology/import/import_spec.hpp"
#include "topology/import/wiring.hpp"

namespace toposim::topology {

struct Hosts {
  /// A used adapter port: the cable that it is on, and whether it is that cable's end a.
  struct Adapter {
    std::uint32_t cable = 0;
    bool is_a = false;
  };
  std::vector<std::string> nodes;  ///< in natural order
  std::vector<std::string> rails;  ///< device names
  std::vector<Adapter> adapters;   ///< by node, then rail
  std::vector<std::string> findings, warnings;
};

/// A host is what precedes the last blank of an adapter's name, a device what follows it, with the port's number where
/// a device has several ports in use. Nodes are the hosts of the most common set of devices, weighed by adapters, or
/// those that have all of spec.rails. Others are left out, and the findings say so. Switches' own adapters (SHARP's
/// aggregation nodes) and routers do not count.
Hosts find_hosts(const Wiring& wiring, const ImportSpec& spec, FileProblems& problems);

}  // namespace toposim::topology
