// What one step costs and whether it fits.
#include <fmt/format.h>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report_sections.hpp"
#include "analysis/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string share_text(double part, double whole) {
  const double percent = 100 * part / whole;
  return percent < 0.05 ? "<0.1 %" : fmt::format("{:.1f} %", percent);
}

/// The parts that are not zero, in the order given.
std::string exposed(const Results& results, const ReportStyle& style) {
  const double step_s = value_of(results.step_shape, "step_time_s", 0);
  std::vector<std::string> parts;
  for (const auto& [name, seconds] : results.step_exposed_s) {
    if (seconds == 0) continue;
    const std::string part = printable(labelled(name, seconds), style);
    parts.push_back(step_s > 0 ? fmt::format("{} ({})", part, share_text(seconds, step_s)) : part);
  }
  return joined(parts, ", ");
}

std::string hidden(const Results& results, const ReportStyle& style) {
  Named parts;
  for (const auto& part : results.step_hidden_s)
    if (part.second != 0) parts.push_back(part);
  return in_words(parts, style);
}

std::string shape(const Results& results, const ReportStyle& style) {
  Named rest;
  std::string text;
  for (const auto& part : results.step_shape) {
    if (part.first == "step_time_s")
      text = bold("one step takes " + human_duration(part.second), style);
    else
      rest.push_back(part);
  }
  std::vector<std::string> texts;
  if (!text.empty()) texts.push_back(text);
  if (!rest.empty()) texts.push_back(in_words(rest, style));
  for (const auto& [name, value] : results.step_choices)
    texts.push_back(printable(words(name), style) + ' ' + printable(value, style));
  return joined(texts, ", ");
}

std::string memory(const Results& results, const ReportStyle& style) {
  if (!has(results.memory_bytes, "total")) return in_words(results.memory_bytes, style);
  const double total = value_of(results.memory_bytes, "total", 0);
  const double capacity = value_of(results.memory_bytes, "capacity", 0);
  std::string text = human_bytes(total);
  if (capacity > 0) text += fmt::format(" of {}", human_bytes(capacity));
  text += " per GPU";
  if (capacity > 0 && total > capacity) text += ", DOES NOT FIT";
  std::vector<std::string> parts;
  for (const auto& [name, bytes] : results.memory_bytes)
    if (name != "total" && name != "capacity" && bytes != 0)
      parts.push_back(fmt::format("{} {}", printable(words(name), style), human_bytes(bytes)));
  return parts.empty() ? text : text + ": " + joined(parts, ", ");
}

}  // namespace

std::string how_long(const Results& results, const ReportStyle& style) {
  const std::string first = shape(results, style);
  return (first.empty() ? "" : wrapped("  ", first, style.columns)) + entry("exposed", exposed(results, style), style) +
         entry("hidden", hidden(results, style), style) + entry("memory", memory(results, style), style);
}

}  // namespace toposim::analysis
