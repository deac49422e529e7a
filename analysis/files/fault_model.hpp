#pragma once
#include <string>

#include "analysis/fault_results.hpp"

namespace toposim::analysis {

/// The section `faults` of a scenario, from what a trace says: for each component of the trace a class of faults of
/// whole nodes, exponential gaps with its mean rate, lognormal repairs with its mean and median (as the presets have
/// them). Comments say what such a model leaves out, with this trace's figures. Throws ResultsError where the trace
/// tells nothing of repairs.
std::string fault_model_yaml(const FaultResults& results);

}  // namespace toposim::analysis
