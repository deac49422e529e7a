#pragma once
// What the reports of both kinds of study are put together from.
#include <string>
#include <string_view>
#include <vector>

#include "analysis/report/report_style.hpp"
#include "analysis/results.hpp"

namespace toposim::analysis {

/// An empty line, the heading, the text; nothing where there is no text.
std::string block(std::string_view heading, const std::string& text, const ReportStyle& style);
/// A paragraph of a block: its label in a column of its own, the text wrapped beside it.
std::string entry(std::string_view label, std::string_view text, const ReportStyle& style);
/// "gpus 16,384 H100; nodes 2,048", wrapped; empty without facts.
std::string facts_in_words(const Facts& facts, const ReportStyle& style);
/// A paragraph each.
std::string warnings_in_words(const std::vector<std::string>& warnings, const ReportStyle& style);
/// labelled() of each, joined by commas.
std::string in_words(const Named& named, const ReportStyle& style);
std::string joined(const std::vector<std::string>& texts, std::string_view between);

}  // namespace toposim::analysis
