// A sentence per scheme, then a row per scheme.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/interval_cells.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/report/verdict.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

using Schemes = std::vector<SchemeResults>;

bool all_have(const Schemes& schemes, std::string_view name) {
  return find_metric(schemes.front(), name) != nullptr;  // check(): the others have the same metrics
}

Summary<double> mean_of(const SchemeResults& scheme, std::string_view name) {
  return summarise(*find_metric(scheme, name));
}

void add_ettr(std::vector<TableColumn>& columns, const Schemes& schemes, const ReportStyle& style) {
  if (!all_have(schemes, "ettr")) return;
  IntervalCells values(style), differences(style);
  for (const SchemeResults& scheme : schemes) {
    const Metric& ettr = *find_metric(scheme, "ettr");
    values.add(summarise(ettr), false);
    if (&scheme == &schemes.front())
      differences.add_dash();
    else
      differences.add(summarise(difference(ettr, *find_metric(schemes.front(), "ettr"))), true);
  }
  columns.push_back({{"ETTR", "%"}, std::move(values).cells(), 0});
  if (schemes.size() > 1) columns.push_back({{"over first,", "points"}, std::move(differences).cells(), 2});
}

void add_share(std::vector<TableColumn>& columns, const Schemes& schemes, std::string_view name,
               std::vector<std::string> heading) {
  if (!all_have(schemes, name)) return;
  TableColumn column{std::move(heading), {}, 0};
  for (const SchemeResults& scheme : schemes) {
    const Summary<double> s = mean_of(scheme, name);
    const int decimals = std::min(few_decimals_for(100 * half_width(s)), 2);  // no interval beside it
    column.cells.push_back(grouped(100 * s.mean, decimals));
  }
  align_decimals(column.cells);
  columns.push_back(std::move(column));
}

void add_mean(std::vector<TableColumn>& columns, const Schemes& schemes, std::string_view name,
              std::vector<std::string> heading, int priority) {
  if (!all_have(schemes, name)) return;
  TableColumn column{std::move(heading), {}, priority};
  for (const SchemeResults& scheme : schemes) {
    const double mean = mean_of(scheme, name).mean;
    if (find_metric(scheme, name)->unit == Unit::duration_ns)
      column.cells.push_back(human_duration(mean));
    else
      column.cells.push_back(grouped(mean, mean > 0 && mean < 99.95 ? 1 : 0));
  }
  columns.push_back(std::move(column));
}

/// Mean of the runs' 99th percentiles of the time, and the most that any run ever used.
void add_spares(std::vector<TableColumn>& columns, const Schemes& schemes) {
  if (!all_have(schemes, "spares_in_use_p99") || !all_have(schemes, "spares_in_use_max")) return;
  TableColumn column{{"spares", "p99/max"}, {}, 0};
  for (const SchemeResults& scheme : schemes)
    column.cells.push_back(fmt::format("{}/{}", grouped(mean_of(scheme, "spares_in_use_p99").mean, 1),
                                       grouped(mean_of(scheme, "spares_in_use_max").max)));
  columns.push_back(std::move(column));
}

}  // namespace

std::string how_reliable(const Results& results, const ReportStyle& style) {
  if (results.schemes.empty()) return {};
  if (results.replicas_done == 0) return "  no run finished, so there is nothing to say\n";
  std::string out;
  for (std::size_t s = 0; s < results.schemes.size(); ++s) {
    const std::string sentence = verdict(results, s, style);
    if (!sentence.empty()) out += wrapped("  ", sentence, style.columns, 2);
  }
  std::vector<TableColumn> columns(1);
  columns[0].heading = {"", "means per run"};
  for (const SchemeResults& scheme : results.schemes) columns[0].cells.push_back(shortened(scheme.name, 24, style));
  add_ettr(columns, results.schemes, style);
  add_share(columns, results.schemes, "goodput_steps", {"", "steps"});
  add_share(columns, results.schemes, "goodput_samples", {"goodput", "samples"});
  add_share(columns, results.schemes, "goodput_progress", {"%", "progress"});
  add_mean(columns, results.schemes, "lost_work_s", {"lost", "work"}, 0);
  add_mean(columns, results.schemes, "full_recoveries", {"job", "stops"}, 0);
  add_mean(columns, results.schemes, "replica_losses", {"replica", "losses"}, 1);
  add_spares(columns, results.schemes);
  return out + '\n' + table(std::move(columns), style, "  ");
}

}  // namespace toposim::analysis
