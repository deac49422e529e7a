#pragma once
#include <vector>

#include "analysis/accuracy_results.hpp"
#include "analysis/gates/gate.hpp"

namespace toposim::analysis {

/// Every column of every cell, for gates: the gradients before any fault as those of fault_free at "none@400" (c_in,
/// and c_in_GROUP of each layer group; angle_in_deg, ...), gradients at "transient_5@400" (case of faults @ step), runs
/// at "transient_5@400" (@ steps of the run), efficiencies at "transient_5". Where a run of a scheme diverged, or an
/// efficiency is not known, the gates on it fail, rather than speak of the runs that are left.
std::vector<GateSeries> series_of(const AccuracyResults& results);

}  // namespace toposim::analysis
