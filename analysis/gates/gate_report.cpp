#include "analysis/gates/gate_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

/// "worst at transient_5"; empty where there is one place.
std::string place_of(const GateOutcome& gate) {
  if (gate.where.empty()) return {};
  return (gate.has_value ? "worst at " : "at ") + gate.where;
}

std::string with(std::string text, std::string_view more) {
  if (!text.empty() && !more.empty()) text += "; ";
  return text.append(more);
}

}  // namespace

std::string gate_report(const std::vector<GateOutcome>& gates, const ReportStyle& style) {
  if (gates.empty()) return {};
  std::string out = '\n' + bold("GATES", style) + '\n';
  for (const GateOutcome& gate : gates) {
    // A failed one's reason starts with its value.
    const std::string what = with(gate.passed ? with(gate.shown, gate.reason) : gate.reason, place_of(gate));
    const std::string line =
        wrapped(gate.passed ? "  passed  " : "  FAILED  ",
                kept_together(printable(gate.gate, style)) + ": " + printable(what, style), style.columns, 2);
    out += gate.passed ? line : yellow(line, style);
  }
  return out;
}

std::string gate_failure(const GateOutcome& gate) {
  return fmt::format("{} failed: {}", gate.gate, with(gate.reason, place_of(gate)));
}

bool all_passed(const std::vector<GateOutcome>& gates) {
  return std::all_of(gates.begin(), gates.end(), [](const GateOutcome& gate) { return gate.passed; });
}

}  // namespace toposim::analysis
