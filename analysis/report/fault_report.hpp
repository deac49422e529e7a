#pragma once
#include <string>

#include "analysis/fault_results.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// What a planner asks first: how often a job of some size is hit, how many nodes are down at once, whether a few
/// nodes carry most of it, which distribution to use; then the tables, and last what was read and how.
std::string fault_report(const FaultResults& results, const ReportStyle& style);

}  // namespace toposim::analysis
