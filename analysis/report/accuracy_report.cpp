#include "analysis/report/accuracy_report.hpp"

#include <fmt/format.h>

#include "analysis/accuracy_cells.hpp"
#include "analysis/accuracy_check.hpp"
#include "analysis/gates/gate_report.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/accuracy_sections.hpp"
#include "analysis/report/accuracy_verdict.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

std::string title(const AccuracyResults& r, const ReportStyle& style) {
  const std::string text = fmt::format(
      "{}: what stands in for the gradients of dead workers, {} under {}", shortened(r.scenario_name, 40, style),
      number_of(std::ssize(r.schemes), "scheme"), number_of(std::ssize(r.fault_cases), "fault case"));
  std::string out = bold(wrapped("", text, style.columns), style);
  for (const auto& [name, value] : r.setting)
    out += entry(shortened(words(name), 20, style), printable(value, style), style);
  return out + warnings_in_words(r.warnings, style);
}

/// "GRADIENTS UNDER FAULTS at step 400, means of 200 draws"
std::string gradient_heading(const AccuracyResults& r) {
  if (r.gradient.empty()) return {};
  return fmt::format("GRADIENTS UNDER FAULTS at {}, means of {}", at_step(steps_of(r.gradient).back()),
                     number_of(r.draws, "draw"));
}

std::string training_heading(const AccuracyResults& r) {
  if (r.training.empty()) return {};
  return fmt::format("TRAINING UNDER FAULTS, {}, means of {}, 95 % intervals",
                     number_of(static_cast<std::int64_t>(run_length(r)), "step"),
                     number_of(std::ssize(r.seeds), "seed"));
}

}  // namespace

std::string terminal_report(const AccuracyResults& r, const ReportStyle& style) {
  check(r);
  return title(r, style) + block("DOES ANYTHING BEAT DROP? " + verdict_basis(r), accuracy_verdict(r, style), style) +
         block("GRADIENTS BEFORE ANY FAULT", gradients_before_faults(r, style), style) +
         block(gradient_heading(r), gradients_under_faults(r, style), style) +
         block(training_heading(r), training_under_faults(r, style), style) +
         block("STATISTICAL EFFICIENCY: steps of fault_free over those of the scheme to the same loss, %",
               statistical_efficiency(r, style), style) +
         block("PLACEMENT", placement_findings(r, style), style) + block("NOTES", accuracy_notes(r, style), style) +
         gate_report(r.gates, style);
}

}  // namespace toposim::analysis
