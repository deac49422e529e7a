#include "analysis/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/check_parts.hpp"

namespace toposim::analysis {
namespace {

/// The buckets sum to the wall time, exactly.
void check_buckets(const SchemeResults& scheme, std::int64_t replicas) {
  const Metric* wall = find_metric(scheme, "wall_s");
  bool any = false;
  for (const Metric& metric : scheme.metrics) any |= metric.bucket;
  if (!any) return;
  if (!wall || wall->unit != Unit::duration_ns)
    throw ResultsError(fmt::format("scheme {} has buckets of wall time but no duration wall_s", scheme.name));
  for (std::int64_t i = 0; i < replicas; ++i) {
    std::int64_t sum_ns = 0;
    for (const Metric& metric : scheme.metrics)
      if (metric.bucket) sum_ns += metric.integers[static_cast<std::size_t>(i)];
    const std::int64_t wall_ns = wall->integers[static_cast<std::size_t>(i)];
    if (sum_ns != wall_ns)
      throw ResultsError(fmt::format("scheme {}, replica {}: buckets sum to {} ns, wall time is {} ns", scheme.name, i,
                                     sum_ns, wall_ns));
  }
}

/// A value that does not exist is NaN, never infinite.
void check_quality(const SchemeResults& scheme, const TimeToQuality& quality, std::int64_t replicas) {
  if (static_cast<std::int64_t>(quality.per_run_s.size()) != replicas)
    throw ResultsError(
        fmt::format("scheme {}: {} times to quality for {} replicas", scheme.name, quality.per_run_s.size(), replicas));
  std::vector<double> values = quality.per_run_s;
  values.insert(values.end(), {quality.mean_s, quality.ci95_low_s, quality.ci95_high_s});
  if (!std::isfinite(quality.fault_free_s) ||
      std::any_of(values.begin(), values.end(), [](double v) { return std::isinf(v); }))
    throw ResultsError(fmt::format("scheme {}: a time to quality is infinite", scheme.name));
}

void check_step(const Results& results) {
  if (results.step_exposed_s.empty() || !has(results.step_shape, "step_time_s")) return;
  double sum = 0;
  for (const auto& part : results.step_exposed_s) sum += part.second;
  const double step = value_of(results.step_shape, "step_time_s", 0);
  if (std::abs(sum - step) > 1e-9 * std::abs(step))
    throw ResultsError(fmt::format("exposed times sum to {} s, the step takes {} s", sum, step));
}

}  // namespace

void check(const Results& results) {
  if (results.replicas_done < 0 || !std::isfinite(results.duration_s))
    throw ResultsError("replicas done is negative or duration_s is not a finite number");
  check_named(results.step_exposed_s, "step_exposed_s");
  check_named(results.step_hidden_s, "step_hidden_s");
  check_named(results.step_shape, "step_shape");
  check_named(results.memory_bytes, "memory_bytes");
  check_named(results.fabric, "fabric");
  check_named(results.cost, "cost");
  check_facts(results.cluster, "cluster");
  check_facts(results.step_choices, "step_choices");
  check_facts(results.versions, "versions");
  check_step(results);
  std::set<std::string_view> names;
  for (const SchemeResults& scheme : results.schemes) {
    if (!names.insert(scheme.name).second) throw ResultsError(fmt::format("two schemes are named {}", scheme.name));
    const std::string owner = "scheme " + scheme.name;
    check_same_columns(scheme.metrics, owner, results.schemes.front().metrics,
                       "scheme " + results.schemes.front().name);
    check_named(scheme.settings, fmt::format("settings of scheme {}", scheme.name));
    check_columns(scheme.metrics, {owner, "replica", results.replicas_done});
    for (const ClosedForm& form : scheme.closed_forms)
      if (!std::isfinite(form.ettr))
        throw ResultsError(fmt::format("{} of scheme {} is not a finite number", form.name, scheme.name));
    check_buckets(scheme, results.replicas_done);
    if (scheme.time_to_quality) check_quality(scheme, *scheme.time_to_quality, results.replicas_done);
  }
}

const Metric* find_metric(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics)
    if (metric.name == name) return &metric;
  return nullptr;
}

const Metric* find_metric(const SchemeResults& scheme, std::string_view name) {
  return find_metric(scheme.metrics, name);
}

double value_of(const Named& named, std::string_view name, double otherwise) {
  for (const auto& [key, value] : named)
    if (key == name) return value;
  return otherwise;
}

bool has(const Named& named, std::string_view name) {
  for (const auto& entry : named)
    if (entry.first == name) return true;
  return false;
}

}  // namespace toposim::analysis
