#pragma once
#include <string>

#include "analysis/report/report_style.hpp"
#include "analysis/results.hpp"

namespace toposim::analysis {

/// The table on the terminal, in the order in which one asks: how long is a step, how reliable is the job under each
/// scheme and where did the time go, then what the numbers rest on, and whether gates passed. A pure function of its
/// arguments. Throws ResultsError as check().
std::string terminal_report(const Results& results, const ReportStyle& style);

}  // namespace toposim::analysis
