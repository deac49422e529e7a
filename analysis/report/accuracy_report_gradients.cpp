// The gradients: how far apart the workers' are before any fault, and what each scheme makes of the missing ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "analysis/accuracy_cells.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/accuracy_sections.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

using Summaries = std::vector<std::optional<Summary<double>>>;

double degrees(double cosine) {
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
}

/// One value of every measured step. A noise scale of 0 is one that is not known: the gradient's square less its noise
/// left nothing. Neither is what follows from it then (`of_noise`).
void add_scenes(std::vector<TableColumn>& columns, const AccuracyResults& r, const char* name,
                std::vector<std::string> heading, int decimals, int priority, bool of_noise = false) {
  TableColumn column{std::move(heading), {}, priority};
  bool any = false;
  for (const GradientScene& scene : r.scenes) {
    const bool known = has(scene.values, name) && (!of_noise || value_of(scene.values, "noise_scale_samples", 0) > 0);
    any |= known;
    column.cells.push_back(known ? grouped(value_of(scene.values, name, 0), decimals) : "-");
  }
  if (any) columns.push_back(std::move(column));
}

/// Angles between gradients say how large the batch is before they say anything of topology: two gradients of the same
/// distribution have cosine 1 / (1 + B_noise / b).
std::string what_angles_say(const GradientScene& scene, const Named& numbers, const ReportStyle& style) {
  const double noise_scale = value_of(scene.values, "noise_scale_samples", 0);
  if (!(noise_scale > 0)) return {};
  const double ratio = value_of(scene.values, "batch_over_noise_scale", 0);
  const double iid = value_of(scene.values, "iid_cosine", 1 / (1 + 1 / ratio));
  const double cosine_15 = std::cos(std::numbers::pi / 12), batches = 1 / (1 / cosine_15 - 1);
  std::string text = fmt::format(
      "Angles say batch size first: at b = {:.3g} B_noise even two i.i.d. gradients are {:.0f} degrees apart; 15 "
      "degrees take b = {:.0f} B_noise, {} samples per worker",
      ratio, degrees(iid), batches, grouped(batches * noise_scale));
  if (has(numbers, "batch_samples")) text += fmt::format(" (here {})", grouped(value_of(numbers, "batch_samples", 0)));
  return wrapped("  ", text + ".", style.columns);
}

/// "hidden 0.33/0.07, output 0.48/0.22"
std::string by_group(const GradientScene& scene, const ReportStyle& style) {
  std::vector<std::string> texts;
  for (const auto& [name, values] : scene.groups)
    if (has(values, "c_in") && has(values, "c_out"))
      texts.push_back(
          kept_together(fmt::format("{} {}/{}", shortened(name, 20, style), grouped(value_of(values, "c_in", 0), 2),
                                    grouped(value_of(values, "c_out", 0), 2))));
  if (texts.size() < 2) return {};
  return wrapped("  ", fmt::format("c_in/c_out by layer group at {}: {}", at_step(scene.step), joined(texts, ", ")),
                 style.columns, 2);
}

Summaries column_of(const AccuracyResults& r, const std::string& faults, const std::vector<std::string>& schemes,
                    std::uint64_t step, const char* name) {
  Summaries summaries;
  for (const std::string& scheme : schemes) {
    const Metric* metric = find_column(r.gradient, faults, scheme, step, name);
    summaries.push_back(metric ? summarise_known(*metric) : std::nullopt);
  }
  return summaries;
}

/// Left out where no scheme has a value.
void add(std::vector<TableColumn>& columns, const Summaries& summaries, std::vector<std::string> heading, int priority,
         double Summary<double>::*statistic = &Summary<double>::mean) {
  TableColumn column{std::move(heading), {}, priority};
  for (const auto& s : summaries) column.cells.push_back(s ? figure((*s).*statistic) : "-");
  if (std::all_of(summaries.begin(), summaries.end(), [](const auto& s) { return !s; })) return;
  align_decimals(column.cells);
  columns.push_back(std::move(column));
}

/// Draws that the error over drop does not exist in, and draws in which the job would stop and recover instead.
std::string footnotes(const AccuracyResults& r, const std::string& faults, const std::vector<std::string>& schemes,
                      std::uint64_t step, const ReportStyle& style) {
  std::vector<std::string> texts;
  std::int64_t fewest = r.draws;
  for (const auto& s : column_of(r, faults, schemes, step, "global_error_ratio"))
    fewest = std::min(fewest, s ? s->n : std::int64_t{0});
  if (fewest < r.draws)
    texts.push_back(fmt::format("in {} of {} draws there is no error over drop: nobody was dead, or drop made none",
                                r.draws - fewest, r.draws));
  std::vector<std::pair<double, std::vector<std::string>>> stops;  // share of the draws, schemes
  const Summaries above = column_of(r, faults, schemes, step, "above_threshold");
  for (std::size_t s = 0; s < above.size(); ++s) {
    const double share = above[s] ? above[s]->mean : 0;
    auto known = std::find_if(stops.begin(), stops.end(), [&](const auto& stop) { return stop.first == share; });
    if (known == stops.end()) known = stops.insert(known, {share, {}});
    known->second.push_back(shortened(schemes[s], 24, style));
  }
  for (const auto& [share, names] : stops)
    if (share > 0)
      texts.push_back(fmt::format("{} would stop for a full recovery in {:.3g} % of the draws",
                                  names.size() == schemes.size() ? "every scheme" : joined(names, ", "), 100 * share));
  return texts.empty() ? "" : wrapped("  ", joined(texts, "; ") + ".", style.columns);
}

std::string errors(const AccuracyResults& r, const FaultCase& faults, const std::vector<std::uint64_t>& steps,
                   const ReportStyle& style) {
  const std::uint64_t last = steps.back();
  const std::vector<std::string> schemes = schemes_of(r, r.gradient, faults.name, last);
  if (schemes.empty()) return {};
  const auto of = [&](const char* name, std::uint64_t step) { return column_of(r, faults.name, schemes, step, name); };
  std::vector<TableColumn> columns{{{shortened(faults.name, 20, style)}, {}, 0}};
  for (const std::string& scheme : schemes) columns[0].cells.push_back(shortened(scheme, 20, style));
  const Summaries ratio = of("global_error_ratio", last);
  add(columns, ratio, {"error", "over", "drop's"}, 0);
  add(columns, ratio, {"", "", "p95"}, 0, &Summary<double>::p95);
  add(columns, of("global_error_over_noise", last), {"error", "over", "noise"}, 1);
  add(columns, of("population_error_ratio", last), {"popul.", "over", "drop's"}, 0);
  add(columns, of("local_l2", last), {"", "local", "L2"}, 3);
  add(columns, of("local_cosine", last), {"", "local", "cosine"}, 2);
  add(columns, of("lambda", last), {"", "", "lambda"}, 2);
  add(columns, of("coefficient_sum", last), {"coeff.", "", "sum"}, 1);
  add(columns, of("effective_samples", last), {"effect.", "", "workers"}, 3);
  for (std::size_t s = steps.size() - 1; s-- > 0;)  // the earlier, the sooner it goes
    add(columns, of("global_error_ratio", steps[s]), {"error", "step", grouped(static_cast<double>(steps[s]))},
        4 + static_cast<int>(steps.size() - s));
  return table(std::move(columns), style, "  ") + footnotes(r, faults.name, schemes, last, style);
}

}  // namespace

std::string gradients_before_faults(const AccuracyResults& r, const ReportStyle& style) {
  if (r.scenes.empty()) return {};
  std::vector<TableColumn> columns(1);
  for (const GradientScene& scene : r.scenes) columns[0].cells.push_back(at_step(scene.step));
  add_scenes(columns, r, "c_in", {"cosine in", "a domain"}, 3, 0);
  add_scenes(columns, r, "c_out", {"between", "domains"}, 3, 0);
  add_scenes(columns, r, "angle_in_deg", {"degrees", "in"}, 1, 1);
  add_scenes(columns, r, "angle_out_deg", {"", "between"}, 1, 1);
  add_scenes(columns, r, "noise_scale_samples", {"B_noise,", "samples"}, 0, 0, true);
  add_scenes(columns, r, "batch_over_noise_scale", {"", "b/B_noise"}, 3, 0, true);
  add_scenes(columns, r, "iid_cosine", {"i.i.d.", "cosine"}, 3, 2, true);
  return table(std::move(columns), style, "  ") + what_angles_say(r.scenes.back(), r.numbers, style) +
         by_group(r.scenes.back(), style);
}

std::string gradients_under_faults(const AccuracyResults& r, const ReportStyle& style) {
  if (r.gradient.empty() || r.draws == 0) return {};
  const std::vector<std::uint64_t> steps = steps_of(r.gradient);
  std::string out =
      wrapped("  ",
              "error: distance of the step's gradient from the one with nobody dead, over drop's (below 1: "
              "nearer than drop) and over the mini-batch noise; popul.: the same from the gradient of all "
              "data; local: distance and cosine of the dead workers' own gradients; effective workers: so many "
              "make a mean as noisy",
              style.columns);
  for (const FaultCase& faults : r.fault_cases)
    if (const std::string text = errors(r, faults, steps, style); !text.empty()) out += '\n' + text;
  return out;
}

}  // namespace toposim::analysis
