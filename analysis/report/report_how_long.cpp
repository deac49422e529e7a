// What one step costs and whether it fits.
#include <fmt/format.h>

#include <cmath>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string share_text(double part, double whole) {
  const double percent = 100 * part / whole;
  return percent < 0.05 ? "<0.1 %" : fmt::format("{:.1f} %", percent);
}

/// All parts of a step in one unit and with the same decimals, so that they can be compared and added by eye.
struct StepUnit {
  double unit_s;
  const char* name;
  int decimals;
  explicit StepUnit(double step_s)
      : unit_s(step_s >= 1      ? 1
               : step_s >= 1e-3 ? 1e-3
                                : 1e-6),
        name(step_s >= 1      ? "s"
             : step_s >= 1e-3 ? "ms"
                              : "us"),
        decimals(step_s / unit_s >= 99.5 ? 1 : 2) {}
  std::string text(double seconds) const {
    const double least = std::pow(10, -decimals);
    if (seconds > 0 && seconds / unit_s < least / 2) return fmt::format("<{:.{}f} {}", least, decimals, name);
    return fmt::format("{} {}", grouped(seconds / unit_s, decimals), name);
  }
};

/// The parts that are not zero, in the order given.
std::string parts_of_step(const Named& parts, double step_s, bool shares, const ReportStyle& style) {
  const StepUnit unit(step_s);
  std::vector<std::string> texts;
  for (const auto& [name, seconds] : parts) {
    if (seconds == 0) continue;
    std::string text = printable(words(name), style) + ' ' + unit.text(seconds);
    if (shares && step_s > 0) text += fmt::format(" ({})", share_text(seconds, step_s));
    texts.push_back(kept_together(text));
  }
  return joined(texts, ", ");
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
    texts.push_back(kept_together(printable(words(name), style) + ' ' + printable(value, style)));
  return joined(texts, ", ");
}

std::string gigabytes(double bytes) {
  return grouped(bytes / 1e9, 1);
}

std::string memory(const Results& results, const ReportStyle& style) {
  const double total = value_of(results.memory_bytes, "total_bytes", 0);
  const double capacity = value_of(results.memory_bytes, "capacity_bytes", 0);
  if (total == 0) return {};
  std::string text = gigabytes(total);
  if (capacity > 0) text += " of " + gigabytes(capacity);
  text += " GB per GPU";
  if (capacity > 0 && total > capacity) text += ", DOES NOT FIT";
  std::vector<std::string> parts;
  for (const auto& [name, bytes] : results.memory_bytes)
    if (name != "total_bytes" && name != "capacity_bytes" && bytes != 0)
      parts.push_back(kept_together(printable(words(name), style) + ' ' + gigabytes(bytes)));
  return parts.empty() ? text : text + ": " + joined(parts, ", ");
}

}  // namespace

std::string how_long(const Results& results, const ReportStyle& style) {
  const std::string first = shape(results, style);
  const double step_s = value_of(results.step_shape, "step_time_s", 0);
  return (first.empty() ? "" : wrapped("  ", first, style.columns)) +
         entry("exposed", parts_of_step(results.step_exposed_s, step_s, true, style), style) +
         entry("hidden", parts_of_step(results.step_hidden_s, step_s, false, style), style) +
         entry("memory", memory(results, style), style);
}

}  // namespace toposim::analysis
