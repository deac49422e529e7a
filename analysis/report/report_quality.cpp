// How long until the loss of a run without faults, where the efficiency behind it was measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/report_sections.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

/// All in the unit that suits the fault-free run.
struct TimeUnit {
  double unit_s;
  const char* name;
  explicit TimeUnit(double fault_free_s)
      : unit_s(fault_free_s >= 2 * 86400 ? 86400
               : fault_free_s >= 7200    ? 3600
                                         : 1),
        name(fault_free_s >= 2 * 86400 ? "d"
             : fault_free_s >= 7200    ? "h"
                                       : "s") {}
  std::string text(double seconds, int decimals) const {
    return std::isnan(seconds) ? "-" : grouped(seconds / unit_s, decimals);
  }
};

std::string interval(const TimeToQuality& quality, const TimeUnit& unit, int decimals) {
  if (std::isnan(quality.ci95_low_s)) return "-";
  return unit.text(quality.ci95_low_s, decimals) + ".." +
         (std::isnan(quality.ci95_high_s) ? "" : unit.text(quality.ci95_high_s, decimals));
}

/// Of all rows, so that they can be compared by eye: enough for the narrowest interval.
int decimals_of(const std::vector<SchemeResults>& schemes, const TimeUnit& unit) {
  int decimals = 2;
  for (const SchemeResults& scheme : schemes) {
    if (!scheme.time_to_quality) continue;
    const double width_s = scheme.time_to_quality->ci95_high_s - scheme.time_to_quality->ci95_low_s;
    if (!std::isnan(width_s)) decimals = std::max(decimals, few_decimals_for(width_s / 2 / unit.unit_s));
  }
  return decimals;
}

/// What stands behind each scheme's figure, once for those that share it.
std::string sources(const Results& results, const ReportStyle& style) {
  std::string out;
  std::vector<std::string> said;
  for (const SchemeResults& scheme : results.schemes) {
    if (!scheme.time_to_quality || scheme.time_to_quality->measured_on.empty()) continue;
    const TimeToQuality& quality = *scheme.time_to_quality;
    if (std::find(said.begin(), said.end(), quality.measured_on) == said.end()) {
      said.push_back(quality.measured_on);
      out += wrapped("  ", printable(quality.measured_on, style), style.columns, 2);
    }
    out += wrapped("  ", fmt::format("{}: {}", shortened(scheme.name, 32, style), printable(quality.source, style)),
                   style.columns, 2);
  }
  return out;
}

}  // namespace

std::string quality(const Results& results, const ReportStyle& style) {
  const auto first = std::find_if(results.schemes.begin(), results.schemes.end(),
                                  [](const SchemeResults& scheme) { return scheme.time_to_quality.has_value(); });
  if (first == results.schemes.end() || results.replicas_done == 0) return {};
  const double fault_free_s = first->time_to_quality->fault_free_s;
  const TimeUnit unit(fault_free_s);
  const int decimals = decimals_of(results.schemes, unit);
  std::vector<TableColumn> columns(3);
  columns[0].heading = {"", "until the loss of"};
  columns[1].heading = {"time to", fmt::format("quality, {}", unit.name)};
  columns[2].heading = {"95 %", "interval"};
  columns[0].cells.push_back("a run without faults");
  columns[1].cells.push_back(unit.text(fault_free_s, decimals));
  columns[2].cells.emplace_back();
  for (const SchemeResults& scheme : results.schemes) {
    columns[0].cells.push_back(shortened(scheme.name, 24, style));
    if (!scheme.time_to_quality) {
      columns[1].cells.emplace_back("assumed");
      columns[2].cells.emplace_back("-");
      continue;
    }
    const TimeToQuality& one = *scheme.time_to_quality;
    columns[1].cells.push_back(unit.text(one.mean_s, decimals));
    columns[2].cells.push_back(interval(one, unit, decimals));
  }
  return sources(results, style) + '\n' + table(std::move(columns), style, "  ");
}

}  // namespace toposim::analysis
