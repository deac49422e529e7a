#pragma once
// A scenario with `study: accuracy` from values to results.
#include "analysis/accuracy_results.hpp"
#include "sim/app/progress.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// Throws as accuracy::run_accuracy. Results are independent of `threads`, apart from AccuracyResults::cost.
analysis::AccuracyResults run_accuracy_study(const Scenario& scenario, int threads, Progress& progress);

}  // namespace toposim::sim
