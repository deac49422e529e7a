#include "analysis/report.hpp"

#include <fmt/format.h>

#include "analysis/check.hpp"
#include "analysis/gate_report.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report_sections.hpp"
#include "analysis/text_layout.hpp"

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
  std::vector<std::string> facts;
  for (const auto& [name, value] : results.cluster)
    facts.push_back(kept_together(printable(words(name), style) + ' ' + printable(value, style)));
  if (!facts.empty()) out += wrapped("", joined(facts, "; "), style.columns);
  for (const std::string& warning : results.warnings)
    out += yellow(wrapped("warning: ", printable(warning, style), style.columns), style);
  return out;
}

std::string block(std::string_view heading, const std::string& text, const ReportStyle& style) {
  return text.empty() ? "" : '\n' + bold(heading, style) + '\n' + text;
}

}  // namespace

std::string terminal_report(const Results& results, const ReportStyle& style) {
  check(results);
  return title(results, style) + block("HOW LONG", how_long(results, style), style) +
         block("HOW RELIABLE", how_reliable(results, style), style) +
         block("WHERE THE TIME WENT, % of wall time", where_the_time_went(results, style), style) +
         block("NOTES", notes(results, style), style) + gate_report(results.gates, style);
}

std::string entry(std::string_view label, std::string_view text, const ReportStyle& style) {
  return text.empty() ? "" : wrapped("  " + pad_right(label, 10), text, style.columns);
}

std::string joined(const std::vector<std::string>& texts, std::string_view between) {
  return fmt::format("{}", fmt::join(texts, between));
}

std::string in_words(const Named& named, const ReportStyle& style) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : named) texts.push_back(kept_together(printable(labelled(name, value), style)));
  return joined(texts, ", ");
}

}  // namespace toposim::analysis
