#pragma once
// The blocks of the terminal report, each a function of the results; empty where there is nothing to say.
#include <string>

#include "analysis/report/report_style.hpp"
#include "analysis/results.hpp"

namespace toposim::analysis {

std::string how_long(const Results& results, const ReportStyle& style);
std::string how_reliable(const Results& results, const ReportStyle& style);
std::string quality(const Results& results, const ReportStyle& style);
std::string where_the_time_went(const Results& results, const ReportStyle& style);
std::string notes(const Results& results, const ReportStyle& style);

}  // namespace toposim::analysis
