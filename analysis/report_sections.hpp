#pragma once
// The blocks of the terminal report, each a function of the results; empty where there is nothing to say.
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report_style.hpp"
#include "analysis/results.hpp"

namespace toposim::analysis {

std::string how_long(const Results& results, const ReportStyle& style);
std::string how_reliable(const Results& results, const ReportStyle& style);
std::string where_the_time_went(const Results& results, const ReportStyle& style);
std::string notes(const Results& results, const ReportStyle& style);

/// A paragraph of a block: its label in a column of its own, the text wrapped beside it.
std::string entry(std::string_view label, std::string_view text, const ReportStyle& style);
std::string joined(const std::vector<std::string>& texts, std::string_view between);
/// labelled() of each, joined by commas.
std::string in_words(const Named& named, const ReportStyle& style);

}  // namespace toposim::analysis
