#pragma once
// What schemes share: the restart from a checkpoint, and the settings that the report prints.
#include <string>
#include <utility>
#include <vector>

#include "sim/lifecycle/scheme.hpp"
#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// The name of the entry, or else of its kind.
std::string name_of(const SchemeSpec& spec);

/// spare_wait, reallocate, comm_init, load, catch_up: every process starts again.
void add_restart(const RecoveryCosts& costs, StageList& stages);

/// Recovery times and checkpoints as resolved, comm_init_s for the whole job.
std::vector<std::pair<std::string, double>> common_settings(const Scheme& scheme, const SchemeContext& context,
                                                            double mtti_s);

}  // namespace toposim::sim
