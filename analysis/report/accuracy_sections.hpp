#pragma once
// The blocks of the report on an accuracy study; empty where there is nothing to say.
#include <string>

#include "analysis/accuracy_results.hpp"
#include "analysis/report/report_style.hpp"

namespace toposim::analysis {

std::string gradients_before_faults(const AccuracyResults& results, const ReportStyle& style);
std::string gradients_under_faults(const AccuracyResults& results, const ReportStyle& style);
std::string training_under_faults(const AccuracyResults& results, const ReportStyle& style);
std::string statistical_efficiency(const AccuracyResults& results, const ReportStyle& style);
std::string placement_findings(const AccuracyResults& results, const ReportStyle& style);
std::string accuracy_notes(const AccuracyResults& results, const ReportStyle& style);

}  // namespace toposim::analysis
