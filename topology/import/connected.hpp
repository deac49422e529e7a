#pragma once
#include "topology/import/import_error.hpp"
#include "topology/import/wiring.hpp"

namespace toposim::topology {

/// Adds a problem for each part of the fabric that no cable joins to its largest part.
void check_connected(const Wiring& wiring, FileProblems& problems);

}  // namespace toposim::topology
