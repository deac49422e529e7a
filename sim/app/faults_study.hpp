#pragma once
#include "analysis/fault_results.hpp"
#include "sim/app/faults_line.hpp"

namespace toposim::sim {

/// Reads the trace and says what is in it. Throws faults::TraceError for a file, window or selection that gives none.
analysis::FaultResults run_faults(const FaultsLine& line);

}  // namespace toposim::sim
