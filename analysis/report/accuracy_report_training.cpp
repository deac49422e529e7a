// The models: where training ends under each scheme, and how many more steps it takes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/accuracy_cells.hpp"
#include "analysis/files/efficiency_json.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/accuracy_sections.hpp"
#include "analysis/report/interval_cells.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

/// The rows of one fault case: fault_free, where it was run, then the schemes.
struct Rows {
  const AccuracyResults& results;
  std::uint64_t steps;
  std::vector<const AccuracyCell*> cells;

  Rows(const AccuracyResults& r, const std::string& faults, std::uint64_t at) : results(r), steps(at) {
    if (const AccuracyCell* reference = find_cell(r.training, no_faults, fault_free, at)) cells.push_back(reference);
    for (const std::string& scheme : schemes_of(r, r.training, faults, at))
      cells.push_back(find_cell(r.training, faults, scheme, at));
  }
  std::optional<Summary<double>> summary(const AccuracyCell& cell, const char* column) const {
    const Metric* metric = find_metric(cell.metrics, column);
    return metric ? summarise_known(*metric) : std::nullopt;
  }
  bool any_above_zero(const char* column) const {
    return std::any_of(cells.begin(), cells.end(), [&](const AccuracyCell* cell) {
      const auto s = summary(*cell, column);
      return s && s->max > 0;
    });
  }
};

void add_mean(std::vector<TableColumn>& columns, const Rows& rows, const char* name, std::vector<std::string> heading,
              int decimals, int priority, double scale = 1) {
  TableColumn column{std::move(heading), {}, priority};
  bool any = false;
  for (const AccuracyCell* cell : rows.cells) {
    const auto s = rows.summary(*cell, name);
    any |= s.has_value();
    column.cells.push_back(s ? grouped(scale * s->mean, decimals) : "-");
  }
  if (any) columns.push_back(std::move(column));
}

/// Differences in percent with their intervals; a dash for what they are differences to.
void add_difference(std::vector<TableColumn>& columns, const Rows& rows, const char* name,
                    std::vector<std::string> heading, const char* reference, const ReportStyle& style) {
  IntervalCells cells(style);
  for (const AccuracyCell* cell : rows.cells) {
    const auto s = rows.summary(*cell, name);
    const bool compared = s && cell->scheme != reference && cell->scheme != fault_free;
    compared ? cells.add(*s, true) : cells.add_dash();
  }
  columns.push_back({std::move(heading), std::move(cells).cells(), 0});
}

/// Student's t of the paired difference to drop.
void add_t(std::vector<TableColumn>& columns, const Rows& rows) {
  TableColumn column{{"", "t"}, {}, 2};
  for (const AccuracyCell* cell : rows.cells) {
    const auto s = rows.summary(*cell, "final_loss_to_drop");
    const bool spread = s && s->sd && *s->sd > 0 && cell->scheme != drop_scheme && cell->scheme != fault_free;
    column.cells.push_back(spread ? grouped(s->mean / *s->sd * std::sqrt(static_cast<double>(s->n)), 1) : "-");
  }
  columns.push_back(std::move(column));
}

/// Runs without a final loss.
std::string footnotes(const Rows& rows, const ReportStyle& style) {
  const auto seeds = std::ssize(rows.results.seeds);
  std::vector<std::string> texts;
  for (const AccuracyCell* cell : rows.cells) {
    const auto loss = rows.summary(*cell, "final_loss");
    if (const std::int64_t known = loss ? loss->n : 0; known < seeds)
      texts.push_back(fmt::format("{} diverged in {} of {} runs: its means are of the others",
                                  shortened(cell->scheme, 24, style), seeds - known, seeds));
  }
  return texts.empty() ? "" : wrapped("  ", joined(texts, "; ") + ".", style.columns);
}

std::string runs_of(const AccuracyResults& r, const FaultCase& faults, std::uint64_t steps, const ReportStyle& style) {
  const Rows rows(r, faults.name, steps);
  if (schemes_of(r, r.training, faults.name, steps).empty()) return {};
  std::vector<TableColumn> columns{{{shortened(faults.name, 20, style)}, {}, 0}};
  for (const AccuracyCell* cell : rows.cells) columns[0].cells.push_back(shortened(cell->scheme, 20, style));
  add_mean(columns, rows, "final_loss", {"final", "loss"}, 4, 0);
  add_difference(columns, rows, "final_loss_delta", {"% over", "fault_free"}, fault_free, style);
  add_difference(columns, rows, "final_loss_to_drop", {"% over", "drop"}, drop_scheme, style);
  add_t(columns, rows);
  add_mean(columns, rows, "final_metric", broken_name(printable(r.metric_name, style), 10, style), 4, 0);
  add_mean(columns, rows, "worst_class_metric", {"worst", "class"}, 4, 1);
  if (rows.any_above_zero("full_recoveries"))
    add_mean(columns, rows, "full_recoveries", {"full re-", "coveries"}, 1, 3);
  if (rows.any_above_zero("copy_distance")) add_mean(columns, rows, "copy_distance", {"copies", "apart, %"}, 2, 2, 100);
  add_mean(columns, rows, "loss_swing", {"loss", "swing, %"}, 1, 4, 100);
  return table(std::move(columns), style, "  ") + footnotes(rows, style);
}

/// Mean efficiencies under one fault case, in percent; '*' where some seeds never got there.
TableColumn efficiencies(const AccuracyResults& r, const std::string& faults, const std::vector<std::string>& schemes,
                         const ReportStyle& style) {
  IntervalCells values(style);
  std::vector<std::string> marks;
  for (const std::string& scheme : schemes) {
    const AccuracyCell* cell = find_cell(r.efficiency, faults, scheme, 0);
    const auto s = cell ? summarise_known(*find_metric(cell->metrics, "statistical_efficiency")) : std::nullopt;
    s ? values.add(*s, false) : values.add_dash();
    marks.emplace_back(cell && censored(*cell) > 0 ? "*" : " ");
  }
  TableColumn column{broken_name(faults, 12, style), std::move(values).cells(), 0};
  const bool marked = std::find(marks.begin(), marks.end(), "*") != marks.end();
  for (std::size_t i = 0; marked && i < marks.size(); ++i) column.cells[i] += marks[i];
  return column;
}

}  // namespace

std::string training_under_faults(const AccuracyResults& r, const ReportStyle& style) {
  if (r.training.empty() || r.seeds.empty()) return {};
  std::string out;
  for (const FaultCase& faults : r.fault_cases)
    if (const std::string text = runs_of(r, faults, run_length(r), style); !text.empty())
      out += (out.empty() ? "" : "\n") + text;
  return out;
}

std::string statistical_efficiency(const AccuracyResults& r, const ReportStyle& style) {
  std::vector<std::string> schemes;
  std::vector<std::string> never;
  for (const FaultCase& faults : r.fault_cases)
    for (const std::string& scheme : schemes_of(r, r.efficiency, faults.name, 0)) {
      if (std::find(schemes.begin(), schemes.end(), scheme) == schemes.end()) schemes.push_back(scheme);
      if (const std::size_t lost = censored(*find_cell(r.efficiency, faults.name, scheme, 0)); lost > 0)
        never.push_back(kept_together(fmt::format("{} under {} {} of {}", shortened(scheme, 24, style),
                                                  shortened(faults.name, 24, style), lost, r.seeds.size())));
    }
  if (schemes.empty()) return {};
  TableColumn first;
  for (const std::string& scheme : schemes) first.cells.push_back(shortened(scheme, 20, style));
  std::vector<TableColumn> columns;
  for (const FaultCase& faults : r.fault_cases) columns.push_back(efficiencies(r, faults.name, schemes, style));
  std::string out = table_in_parts(first, columns, style, "  ");
  if (!never.empty())
    out += wrapped("  ",
                   "* runs that did not get there within the longest run, so that the mean, of the others, is too "
                   "high: " +
                       joined(never, ", "),
                   style.columns, 2);
  return out;
}

}  // namespace toposim::analysis
