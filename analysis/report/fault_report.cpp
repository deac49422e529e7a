#include "analysis/report/fault_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

constexpr double believable_p = 0.05;

std::string hours(double time_h) {
  return human_duration(time_h * 3600);
}

std::string percent(double share) {
  return fmt::format("{:.3g} %", 100 * share);
}

std::string counted(std::int64_t n, std::string_view what) {
  return number_of(n, what);
}

const FittedModel* best_of(const TimeSample& sample) {
  const auto best = std::min_element(sample.models.begin(), sample.models.end(),
                                     [](const auto& a, const auto& b) { return a.aic < b.aic; });
  return best == sample.models.end() ? nullptr : &*best;
}

const TimeSample* find_times(const FaultResults& r, std::string_view name) {
  for (const TimeSample& sample : r.times)
    if (sample.name == name) return &sample;
  return nullptr;
}

std::string title(const FaultResults& r, const ReportStyle& style) {
  std::string text = fmt::format("{}, {}, {}", printable(r.file, style), r.format, counted(r.rows, "row"));
  for (const auto& [key, value] : r.selection) text += fmt::format(", {} {}", key, printable(value, style));
  return bold("FAULTS", style) + "  " + text + '\n';
}

std::string how_often(const FaultResults& r, const ReportStyle& style) {
  std::string out =
      wrapped("  ",
              fmt::format("{} on {} of {}{} in {}: {} per 1000 node-days, one every {} somewhere.",
                          counted(r.faults, "fault"), grouped(static_cast<double>(r.nodes_failed)),
                          r.nodes_known ? "" : "at least ", counted(r.nodes, "node"),
                          human_duration(r.window_days * 86400), figure(r.per_1000_node_days), hours(r.mtbf_h)),
              style.columns, 2);
  if (r.has_repairs && r.nodes > 0 && r.window_days > 0)
    out += wrapped(
        "  ",
        fmt::format("Down: {} of all node time. At once, of {} nodes: {} on average, up to {} half of the time, "
                    "up to {} ({}) 99 % of it, {} at most.",
                    percent(r.down_node_days / (static_cast<double>(r.nodes) * r.window_days)),
                    grouped(static_cast<double>(r.nodes)), figure(r.down_mean),
                    grouped(static_cast<double>(r.down_p50)), grouped(static_cast<double>(r.down_p99)),
                    percent(static_cast<double>(r.down_p99) / static_cast<double>(r.nodes)),
                    grouped(static_cast<double>(r.down_max))),
        style.columns, 2);
  return out;
}

/// Of the rest, the rate without the worst nodes is what swapping them would leave.
std::string lemons(const FaultResults& r, const ReportStyle& style) {
  if (r.nodes <= r.worst_nodes || r.nodes_failed == 0) return {};
  const double rest = r.per_1000_node_days * (1 - r.worst_share) * static_cast<double>(r.nodes) /
                      static_cast<double>(r.nodes - r.worst_nodes);
  // Of Poisson counts of one rate the variance is the mean; five standard errors of that, sqrt(2 / n), are no chance.
  const bool alike = r.dispersion_nodes < 1 + 5 * std::sqrt(2 / static_cast<double>(r.nodes));
  return wrapped(
      "  ",
      fmt::format(
          "The worst {} (5 %) carry {} of the faults; without them {} per 1000 node-days. Faults of a node vary "
          "{} times as much as if all nodes were alike{}",
          counted(r.worst_nodes, "node"), percent(r.worst_share), figure(rest), figure(r.dispersion_nodes),
          alike ? ": no lemons to speak of." : ": look at these first."),
      style.columns, 2);
}

std::string together(const FaultResults& r, const ReportStyle& style) {
  if (r.faults == 0) return {};
  std::string text = "No two nodes failed within the same minute";
  if (r.groups > 0)
    text = fmt::format("{} ({}) started within the same minute as one of another node, in {}, the largest of {}",
                       counted(r.grouped_faults, "fault"),
                       percent(static_cast<double>(r.grouped_faults) / static_cast<double>(r.faults)),
                       counted(r.groups, "group"), counted(r.largest_group, "node"));
  text += fmt::format("; a day's faults vary {} times as much as independent ones.", figure(r.dispersion_daily));
  if (!r.gap_correlation.empty())
    text += fmt::format(" A gap and the next correlate by {:.2f}.", r.gap_correlation.front());
  return wrapped("  ", text, style.columns, 2);
}

std::string which_fits(const TimeSample& sample, std::string_view what, const ReportStyle& style) {
  const FittedModel* best = best_of(sample);
  if (best == nullptr)
    return wrapped("  ", fmt::format("{}: too few different times to fit ({}).", what, sample.n), style.columns, 2);
  std::string text = fmt::format("{}: {} fits best of the three ({}).", what, best->family, best->parameters);
  if (best->ks_p && *best->ks_p < believable_p)
    text += fmt::format(" It does not describe them well (p {}): draw from the times themselves where it matters.",
                        *best->ks_p < 0.005 ? "below 0.005" : fmt::format("{:.3f}", *best->ks_p));
  return wrapped("  ", text, style.columns, 2);
}

std::string job_table(const FaultResults& r, const ReportStyle& style) {
  std::vector<TableColumn> columns = {{{"job of"}, {}, 0},
                                      {{"nodes"}, {}, 0},
                                      {{"a fault every"}, {}, 0},
                                      {{"faults a day"}, {}, 0},
                                      {{"day without, %"}, {}, 0}};
  for (const JobRow& job : r.jobs) {
    columns[0].cells.push_back(fmt::format("{} GPUs", grouped(static_cast<double>(job.gpus))));
    columns[1].cells.push_back(grouped(static_cast<double>(job.nodes)));
    columns[2].cells.push_back(hours(job.mtbf_h));
    columns[3].cells.push_back(24 / job.mtbf_h < 999.5 ? fmt::format("{:.3g}", 24 / job.mtbf_h)
                                                       : grouped(24 / job.mtbf_h));
    columns[4].cells.push_back(grouped(100 * std::exp(-24 / job.mtbf_h), 1));
  }
  return table(std::move(columns), style, "  ");
}

std::string fit_table(const TimeSample& sample, const ReportStyle& style) {
  std::string heading =
      fmt::format("{}: {}, mean {}, median {}, 95 % within {}", words(sample.name), counted(sample.n, "time"),
                  hours(sample.mean_h), hours(sample.median_h), hours(sample.p95_h));
  if (sample.zeros > 0) heading += fmt::format("; {} of zero length apart", grouped(static_cast<double>(sample.zeros)));
  if (sample.censored > 0)
    heading += fmt::format("; {} more had not ended", grouped(static_cast<double>(sample.censored)));
  std::string out = wrapped("  ", heading, style.columns, 2);
  if (sample.models.empty()) return out;
  const FittedModel* best = best_of(sample);
  std::vector<TableColumn> columns = {{{"", ""}, {}, 0},    {{"", "parameters"}, {}, 0}, {{"log", "likelihood"}, {}, 0},
                                      {{"", "AIC"}, {}, 1}, {{"distance", "KS"}, {}, 2}, {{"", "p"}, {}, 0}};
  for (const FittedModel& model : sample.models) {
    columns[0].cells.push_back(model.family + (&model == best ? " *" : ""));
    columns[1].cells.push_back(model.parameters);
    columns[2].cells.push_back(grouped(model.log_likelihood, 2));
    columns[3].cells.push_back(grouped(model.aic, 1));
    columns[4].cells.push_back(model.ks ? fmt::format("{:.3f}", *model.ks) : "-");
    columns[5].cells.push_back(model.ks_p ? fmt::format("{:.3f}", *model.ks_p) : "-");
  }
  return out + table(std::move(columns), style, "    ");
}

std::string group_table(const FaultResults& r, const ReportStyle& style) {
  std::vector<TableColumn> columns = {{{"", "by"}, {}, 0},          {{"", "faults"}, {}, 0},
                                      {{"", "share, %"}, {}, 1},    {{"per 1000", "node-days"}, {}, 0},
                                      {{"repair,", "mean"}, {}, 0}, {{"", "median"}, {}, 2}};
  for (const FaultGroup& group : r.by) {
    columns[0].cells.push_back(shortened(group.kind + ' ' + group.name, 40, style));
    columns[1].cells.push_back(grouped(static_cast<double>(group.faults)));
    columns[2].cells.push_back(grouped(100 * static_cast<double>(group.faults) / static_cast<double>(r.faults), 1));
    columns[3].cells.push_back(figure(group.per_1000_node_days));
    columns[4].cells.push_back(group.repair_mean_h ? hours(*group.repair_mean_h) : "-");
    columns[5].cells.push_back(group.repair_median_h ? hours(*group.repair_median_h) : "-");
  }
  return table(std::move(columns), style, "  ");
}

std::string reading(const FaultResults& r, const ReportStyle& style) {
  std::string policies;
  for (const auto& [key, value] : r.policies)
    policies += fmt::format("{}{} {}", policies.empty() ? "" : ", ", key, printable(value, style));
  std::string out = wrapped("  ", policies, style.columns, 2);
  for (const std::string& line : r.left_out) out += wrapped("  left out: ", printable(line, style), style.columns);
  for (const std::string& line : r.notes) out += wrapped("  ", printable(line, style), style.columns, 2);
  return out;
}

}  // namespace

std::string fault_report(const FaultResults& r, const ReportStyle& style) {
  std::string out = title(r, style);
  for (const std::string& warning : r.warnings)
    out += yellow(wrapped("  ! ", printable(warning, style), style.columns), style);
  out += how_often(r, style);
  out += lemons(r, style) + together(r, style);
  if (const TimeSample* gaps = find_times(r, "between_faults"); gaps != nullptr)
    out += which_fits(*gaps, "Between faults", style);
  if (const TimeSample* repairs = find_times(r, "repair"); repairs != nullptr && r.has_repairs)
    out += which_fits(*repairs, "Repair", style);
  out += '\n' + bold("A JOB'S FAULTS", style) + fmt::format("  at this rate, {} GPUs a node\n", r.gpus_per_node) +
         job_table(r, style);
  out += '\n' + bold("TIMES", style) + "  * the least AIC; p: how often its own draws fit it as badly\n";
  for (const TimeSample& sample : r.times)
    if (sample.n > 0) out += fit_table(sample, style);
  out += '\n' + bold("WHAT BREAKS", style) + '\n' + group_table(r, style);
  out += '\n' + bold("HOW IT WAS READ", style) + '\n' + reading(r, style);
  if (!r.output_directory.empty()) out += wrapped("\nresults in ", printable(r.output_directory, style), style.columns);
  return out;
}

}  // namespace toposim::analysis
