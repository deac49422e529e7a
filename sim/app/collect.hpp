#pragma once
// Simulation values to result columns: the one place where a metric gets its name.
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/results.hpp"
#include "sim/lifecycle/lifecycle_result.hpp"
#include "sim/step/step_model.hpp"

namespace toposim::sim {

/// One value per run and metric, in the order of results. `price_per_hour` of the whole cluster, 0: no price metric.
std::vector<analysis::Metric> lifecycle_metrics(const std::vector<LifecycleResult>& runs, std::int64_t nominal_step_ns,
                                                double price_per_hour);

void collect_step(const StepBreakdown& step, analysis::Results& results);
void collect_memory(const MemoryUse& memory, analysis::Results& results);
std::vector<analysis::TimelineRow> timeline_rows(const std::string& scheme, const std::vector<LifecycleEvent>& events);

}  // namespace toposim::sim
