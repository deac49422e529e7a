#pragma once
#include <string>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

/// As digest() of a lifecycle study, of what came out: the gradients before faults, every column of every cell, the
/// loss curves, what was found about the placement. Left out: what went in (scenario, seed, setting, numbers, fault
/// cases, texts of schemes), advice and warnings, cost and versions. Throws ResultsError as check().
std::string digest(const AccuracyResults& results);

}  // namespace toposim::analysis
