#include "analysis/gates/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/gates/gate_report.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

/// For an attribute or a text. What XML 1.0 cannot hold even escaped is shown as in the report: control characters,
/// bytes that are no UTF-8. Names are ASCII, so U+FFFE and U+FFFF do not come up.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text, {.unicode = true})) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string junit_xml(std::string_view scenario, double wall_s, const std::vector<GateOutcome>& gates) {
  const auto failures = std::count_if(gates.begin(), gates.end(), [](const GateOutcome& gate) { return !gate.passed; });
  const std::string suite = escaped(scenario);
  const std::string totals = fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" time=\"{:.3f}\"", suite,
                                         gates.size(), failures, wall_s);
  std::string out =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite {}>\n", totals, totals);
  for (const GateOutcome& gate : gates) {
    out += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", suite, escaped(gate.gate));
    out += gate.passed ? "/>\n"
                       : fmt::format(">\n      <failure message=\"{0}\" type=\"gate\">{0}</failure>\n    </testcase>\n",
                                     escaped(gate_failure(gate)));
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace toposim::analysis
