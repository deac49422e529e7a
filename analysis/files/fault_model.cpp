#include "analysis/files/fault_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/check.hpp"
#include "analysis/number_text.hpp"
#include "analysis/report/text_layout.hpp"

namespace toposim::analysis {
namespace {

/// A class name: letters, digits and '_', unique.
std::string class_name(std::string_view name, std::set<std::string>& taken) {
  std::string out;
  for (const char c : name.substr(0, 60)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (plain)
      out += lower;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  if (out.empty()) out = "fault";
  const std::string stem = out;
  for (int n = 2; !taken.insert(out).second; ++n) out = fmt::format("{}_{}", stem, n);
  return out;
}

/// From repair to the next fault, so that faults come at the trace's rate with the repairs between them.
double gap_h(double cycle_h, double repair_h) {
  return std::max(cycle_h - repair_h, cycle_h / 100);
}

/// By moments: counts with mean m vary by m + frailty m^2. Below what a class takes there are no lemons to speak of.
double frailty_of(const FaultResults& r) {
  const double mean = static_cast<double>(r.faults) / static_cast<double>(r.nodes);
  const double variance = (r.dispersion_nodes - 1) / mean;
  return variance < 0.1 ? 0 : std::min(variance, 10.0);
}

/// Of the logarithm, so that the lognormal has this mean and this median.
double lognormal_sigma(double mean, double median) {
  return mean > median && median > 0 ? std::min(9.99, std::sqrt(2 * std::log(mean / median))) : 0;
}

/// Lines of a comment.
std::string commented(const std::string& text) {
  std::string out = "# ";
  for (const char c : wrapped("", text, 116)) out += c == '\n' ? std::string("\n# ") : std::string(1, c);
  out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::string fault_model_yaml(const FaultResults& r) {
  const auto repair =
      std::find_if(r.times.begin(), r.times.end(), [](const TimeSample& times) { return times.name == "repair"; });
  if (repair == r.times.end() || repair->n == 0)
    throw ResultsError(
        fmt::format("{}: it tells nothing of repairs, and a model needs them; replay it with faults.trace and a repair "
                    "of your own",
                    r.file));
  std::string head = fmt::format("Faults fitted to {}: {} on {} in {:.1f} d, {} per 1000 node-days.",
                                 printable(r.file, {}), number_of(r.faults, "fault"), number_of(r.nodes, "node"),
                                 r.window_days, figure(r.per_1000_node_days));
  const double frailty = frailty_of(r);
  std::string out;
  for (const std::string& line :
       {head,
        std::string("Each class is a component of the trace and takes its node down: exponential times between faults "
                    "with the mean rate, lognormal repairs with the mean and median of those that took time."),
        fmt::format(
            "Lemons: frailty {:.3f} is the variance of the nodes' rates that explains why faults of a node vary "
            "{} times as much as if all were alike.",
            frailty, figure(r.dispersion_nodes)),
        fmt::format(
            "What it leaves out: {:.1f} % of the faults come in groups, and a day's faults vary {} times as much "
            "as independent ones. Where that matters replay the trace: faults.trace.",
            100 * static_cast<double>(r.grouped_faults) / static_cast<double>(r.faults), figure(r.dispersion_daily))})
    out += commented(line);
  out += "faults:\n  classes:\n";
  std::set<std::string> taken;
  for (const FaultGroup& group : r.by) {
    if (group.kind != "component") continue;
    const bool own = group.repair_mean_h.has_value();
    const double mean_h = own ? *group.repair_mean_h : repair->mean_h;
    const double median_h = own ? *group.repair_median_h : repair->median_h;
    out += fmt::format(
        "    - name: {}  # {}{}\n      component: node\n      mtbf: {:.3f}h\n{}      repair: {{shape: lognormal, mean: "
        "{:.6f}h, sigma: {:.4f}}}\n",
        class_name(group.name, taken), number_of(group.faults, "fault"), own ? "" : ", repaired as the others",
        gap_h(24 * 1000 / group.per_1000_node_days, mean_h),
        frailty > 0 ? fmt::format("      frailty: {:.3f}\n", frailty) : "", mean_h, lognormal_sigma(mean_h, median_h));
  }
  return out;
}

}  // namespace toposim::analysis
