#pragma once
#include <string>

#include "analysis/compare/compare_results.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

/// What was compared, the largest differences, how many of what, and the verdict, last.
std::string compare_report(const ResultTree& a, const ResultTree& b, const CompareOptions& options,
                           const Comparison& comparison, const ReportStyle& style);

}  // namespace toposim::analysis
