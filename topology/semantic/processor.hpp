#pragma once

namespace toposim::topology {

/// Throws TopologyError where the processor lacks AVX2 or FMA (those that have them have F16C), which this library is
/// compiled for: results are the same bits everywhere because one vector width serves all machines.
void check_processor();

}  // namespace toposim::topology
