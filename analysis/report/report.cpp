#include "analysis/report/report.hpp"

#include <fmt/format.h>

#include "analysis/check.hpp"
#include "analysis/gates/gate_report.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string title(const Results& results, const ReportStyle& style) {
  const std::int64_t done = results.replicas_done, requested = results.replicas_requested;
  std::string text =
      fmt::format("{}: {} of training, {} run{}", shortened(results.scenario_name, 40, style),
                  human_duration(results.duration_s), grouped(static_cast<double>(done)), done == 1 ? "" : "s");
  if (results.schemes.size() > 1) text += " of each scheme on the same faults";
  std::string out = bold(wrapped("", text, style.columns), style);
  if (done < requested) out += fmt::format("stopped after {} of at most {} runs: precise enough\n", done, requested);
  return out + facts_in_words(results.cluster, style) + warnings_in_words(results.warnings, style);
}

}  // namespace

std::string terminal_report(const Results& results, const ReportStyle& style) {
  check(results);
  return title(results, style) + block("HOW LONG", how_long(results, style), style) +
         block("HOW RELIABLE", how_reliable(results, style), style) +
         block("TIME TO QUALITY", quality(results, style), style) +
         block("WHERE THE TIME WENT, % of wall time", where_the_time_went(results, style), style) +
         block("NOTES", notes(results, style), style) + gate_report(results.gates, style);
}

}  // namespace toposim::analysis
