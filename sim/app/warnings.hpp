#pragma once
// What a user should know before believing a result: a job that does not fit, intervals that do not suit the failures.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/lifecycle/lifecycle_result.hpp"
#include "sim/lifecycle/scheme.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// Known from the scenario alone: whether the job fits in GPU memory, a fabric feature that it does not use.
std::vector<std::string> scenario_warnings(const Scenario& scenario);

/// Known once a healthy step is priced: a duration shorter than a step, a checkpoint interval shorter than the write.
std::vector<std::string> step_warnings(const Scenario& scenario, const Scheme& scheme, std::int64_t step_ns);

/// Known from the runs: full recoveries far more often than the interval rule took for granted, because losses that
/// are too much only together are not in it. Twice as often moves Daly's interval by a factor 1.4, which costs little;
/// from four times on it is said.
std::vector<std::string> run_warnings(const SchemeSpec& spec, const Scheme& scheme,
                                      const std::vector<LifecycleResult>& runs);

}  // namespace toposim::sim
