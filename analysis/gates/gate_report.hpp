#pragma once
#include <string>
#include <vector>

#include "analysis/gates/gate_outcome.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// The block of a terminal report: one gate a line, passed or FAILED, its value, and why. Empty without gates.
std::string gate_report(const std::vector<GateOutcome>& gates, const ReportStyle& style);

/// One line for a log: "lost_work_s.compensate <= 10min failed: 46.4 min is not <= 10min".
std::string gate_failure(const GateOutcome& gate);

bool all_passed(const std::vector<GateOutcome>& gates);

}  // namespace toposim::analysis
