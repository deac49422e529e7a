#include "analysis/files/efficiency_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/accuracy_check.hpp"
#include "analysis/accuracy_digest.hpp"
#include "analysis/files/json_parts.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

std::string setting(const AccuracyResults& r, std::string_view name) {
  for (const auto& [fact, value] : r.setting)
    if (fact == name) return value;
  return {};
}

/// "measured on a small model: digits_mlp, 50,890 parameters; workers: 64 in 8 domains of 8"
std::string measured_on(const AccuracyResults& r) {
  const std::string workload = setting(r, "workload"), workers = setting(r, "workers");
  return "measured on a small model: " + (workload.empty() ? r.scenario_name : workload) +
         (workers.empty() ? "" : "; workers: " + workers);
}

/// NaN where no measured step has it.
double mean_of_scenes(const AccuracyResults& r, const char* name) {
  std::vector<double> values;
  for (const GradientScene& scene : r.scenes)
    if (has(scene.values, name)) values.push_back(value_of(scene.values, name, 0));
  return values.empty() ? not_known : summarise(std::span<const double>(values)).mean;
}

double dead_share(const AccuracyResults& r, const std::string& faults) {
  for (const FaultCase& declared : r.fault_cases)
    if (declared.name == faults) return declared.dead_share;
  return 0;  // none
}

void number(JsonText& json, std::string_view key, double value) {
  json.key(key);
  json_number(json, value);
}

void per_seed(JsonText& json, std::string_view key, const std::vector<double>& values) {
  json.key(key);
  json.begin_array(JsonText::Layout::one_line);
  for (const double v : values) json_number(json, v);
  json.end_array();
}

void cell(JsonText& json, const AccuracyResults& r, const AccuracyCell& cell) {
  const Metric& efficiency = *find_metric(cell.metrics, "statistical_efficiency");
  const auto s = summarise_known(efficiency);
  json.begin_object();
  json.key("faults");
  json.text(cell.faults);
  json.key("scheme");
  json.text(cell.scheme);
  number(json, "dead_share", dead_share(r, cell.faults));
  json.key("statistical_efficiency");
  json.begin_object(JsonText::Layout::one_line);
  json.key("n");
  json.integer(s ? s->n : std::int64_t{0});
  json.key("censored");
  json.integer(static_cast<std::uint64_t>(censored(cell)));
  number(json, "mean", s ? s->mean : not_known);
  number(json, "ci95_low", s && s->interval ? s->interval->low : not_known);
  number(json, "ci95_high", s && s->interval ? s->interval->high : not_known);
  per_seed(json, "per_seed", efficiency.reals);
  json.end_object();
  per_seed(json, "steps_needed_per_seed", find_metric(cell.metrics, "steps_needed")->reals);
  json.end_object();
}

}  // namespace

std::size_t censored(const AccuracyCell& efficiency) {
  const std::vector<double>& steps = find_metric(efficiency.metrics, "steps_needed")->reals;
  return static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), [](double v) { return std::isnan(v); }));
}

std::string efficiency_json(const AccuracyResults& r) {
  check(r);
  JsonText json;
  json.begin_object();
  json.key("schema_version");
  json.integer(std::int64_t{efficiency_schema_version});
  json.key("kind");
  json.text("statistical_efficiency");
  json.key("measured_on");
  json.text(measured_on(r));
  json_facts(json, "scenario", {{"name", r.scenario_name}, {"file", r.scenario_file}, {"hash", r.scenario_hash}});
  json.key("seed");
  json.integer(r.seed);
  json.key("digest");
  json.text(digest(r));
  json.key("workload");
  json.text(setting(r, "workload"));
  json.key("metric");
  json.text(r.metric_name);
  for (const char* name : {"parameters", "workers", "domain_size"})
    number(json, name, value_of(r.numbers, name, not_known));
  for (const char* name : {"batch_over_noise_scale", "c_in", "c_out"}) number(json, name, mean_of_scenes(r, name));
  json.key("seeds");
  json.begin_array(JsonText::Layout::one_line);
  for (const std::uint64_t seed : r.seeds) json.integer(seed);
  json.end_array();
  json.key("cells");
  json.begin_array();
  for (const AccuracyCell& c : r.efficiency) cell(json, r, c);
  json.end_array();
  json.end_object();
  return json.str();
}

}  // namespace toposim::analysis
