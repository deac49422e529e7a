#pragma once
#include <string>

#include "topology/import/wiring.hpp"

namespace toposim::topology {

/// What `ibnetdiscover` printed, plain or gzip, up to 1 GiB of text. Throws ImportError with everything that is wrong
/// with it: lines that are none of its own, devices and ports told twice, cables that the two ends tell differently,
/// unknown speeds, parts of the fabric that nothing joins.
Wiring read_ibnetdiscover(const std::string& path);

}  // namespace toposim::topology
