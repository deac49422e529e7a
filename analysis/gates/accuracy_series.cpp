#include "analysis/gates/accuracy_series.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "analysis/check.hpp"
#include "analysis/gates/gate_series.hpp"

namespace toposim::analysis {
namespace {

bool any_unknown(const Metric* metric) {
  return metric && std::any_of(metric->reals.begin(), metric->reals.end(), [](double v) { return std::isnan(v); });
}

void add(std::vector<GateSeries>& all, const AccuracyCell& cell, const std::string& where, bool needs_every_value) {
  for (const Metric& metric : cell.metrics) {
    all.push_back(series_of(metric, cell.scheme, where));
    all.back().needs_every_value = needs_every_value;
  }
}

/// What the gradients of one step looked like before any fault.
void add(std::vector<GateSeries>& all, const Named& scene, const std::string& group, std::uint64_t step) {
  for (const auto& [name, value] : scene) {
    GateSeries series;
    series.metric = name + group;
    series.scheme = fault_free;
    series.where = no_faults + ('@' + std::to_string(step));
    series.values = {value};
    all.push_back(std::move(series));
  }
}

std::string place_of(const AccuracyCell& cell) {
  return cell.faults + '@' + std::to_string(cell.step);
}

}  // namespace

std::vector<GateSeries> series_of(const AccuracyResults& results) {
  std::vector<GateSeries> all;
  for (const GradientScene& scene : results.scenes) {
    add(all, scene.values, "", scene.step);
    for (const auto& [group, values] : scene.groups) add(all, values, '_' + group, scene.step);
  }
  for (const AccuracyCell& cell : results.gradient) add(all, cell, place_of(cell), false);
  // A difference to drop does not exist either where drop alone diverged, which says nothing against the scheme.
  for (const AccuracyCell& cell : results.training)
    add(all, cell, place_of(cell), any_unknown(find_metric(cell.metrics, "final_loss")));
  for (const AccuracyCell& cell : results.efficiency) add(all, cell, cell.faults, true);
  return all;
}

}  // namespace toposim::analysis
