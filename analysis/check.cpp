#include "analysis/check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace toposim::analysis {
namespace {

void check_named(const Named& named, std::string_view where) {
  std::set<std::string_view> seen;
  for (const auto& [name, value] : named) {
    if (!std::isfinite(value))
      throw ResultsError(fmt::format("{} in {} is {}, not a finite number", name, where, value));
    if (!seen.insert(name).second) throw ResultsError(fmt::format("{} is twice in {}", name, where));
  }
}

void check_facts(const Facts& facts, std::string_view where) {
  std::set<std::string_view> seen;
  for (const auto& fact : facts)
    if (!seen.insert(fact.first).second) throw ResultsError(fmt::format("{} is twice in {}", fact.first, where));
}

void check_metric(const Metric& metric, const SchemeResults& scheme, std::int64_t replicas) {
  const std::string where = fmt::format("metric {} of scheme {}", metric.name, scheme.name);
  const bool whole = metric.unit == Unit::count || metric.unit == Unit::duration_ns;
  const std::size_t values = whole ? metric.integers.size() : metric.reals.size();
  const std::size_t others = whole ? metric.reals.size() : metric.integers.size();
  if (static_cast<std::int64_t>(values) != replicas)
    throw ResultsError(fmt::format("{} has {} values for {} replicas", where, values, replicas));
  if (others != 0) throw ResultsError(fmt::format("{} has values of two types", where));
  for (std::size_t i = 0; i < metric.reals.size(); ++i)
    if (!std::isfinite(metric.reals[i]))
      throw ResultsError(fmt::format("{} is {} in replica {}, not a finite number", where, metric.reals[i], i));
  if (metric.unit == Unit::duration_ns && !metric.name.ends_with("_s"))
    throw ResultsError(fmt::format("{} is a duration: its name must end in _s", where));
  if (metric.bucket && metric.unit != Unit::duration_ns)
    throw ResultsError(fmt::format("{} is a bucket of wall time, so it must be a duration", where));
}

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

void check_same_metrics(const SchemeResults& scheme, const SchemeResults& first) {
  if (scheme.metrics.size() != first.metrics.size())
    throw ResultsError(fmt::format("scheme {} has {} metrics, scheme {} has {}", scheme.name, scheme.metrics.size(),
                                   first.name, first.metrics.size()));
  for (std::size_t m = 0; m < scheme.metrics.size(); ++m) {
    const Metric &a = scheme.metrics[m], &b = first.metrics[m];
    if (a.name != b.name || a.unit != b.unit || a.bucket != b.bucket)
      throw ResultsError(fmt::format("metric {} of scheme {} stands where scheme {} has {}, or differs in unit", a.name,
                                     scheme.name, first.name, b.name));
  }
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
    check_same_metrics(scheme, results.schemes.front());
    check_named(scheme.settings, fmt::format("settings of scheme {}", scheme.name));
    std::set<std::string_view> metrics;
    for (const Metric& metric : scheme.metrics) {
      check_metric(metric, scheme, results.replicas_done);
      if (!metrics.insert(metric.name).second)
        throw ResultsError(fmt::format("scheme {} has two metrics named {}", scheme.name, metric.name));
    }
    for (const ClosedForm& form : scheme.closed_forms)
      if (!std::isfinite(form.ettr))
        throw ResultsError(fmt::format("{} of scheme {} is not a finite number", form.name, scheme.name));
    check_buckets(scheme, results.replicas_done);
  }
}

const Metric* find_metric(const SchemeResults& scheme, std::string_view name) {
  for (const Metric& metric : scheme.metrics)
    if (metric.name == name) return &metric;
  return nullptr;
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
