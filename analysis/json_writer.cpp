#include "analysis/json_writer.hpp"

#include <cmath>

#include "analysis/check.hpp"
#include "analysis/digest.hpp"
#include "analysis/json_text.hpp"
#include "analysis/statistics.hpp"
#include "analysis/time_share.hpp"

namespace toposim::analysis {
namespace {

using Layout = JsonText::Layout;

std::string_view unit_text(Unit unit) {
  switch (unit) {
    case Unit::count:
      return "count";
    case Unit::duration_ns:
      return "s";
    case Unit::ratio:
      return "ratio";
    case Unit::number:
      break;
  }
  return "number";
}

void named(JsonText& json, std::string_view key, const Named& values) {
  json.key(key);
  json.begin_object();
  for (const auto& [name, value] : values) {
    json.key(name);
    json.number(value);
  }
  json.end_object();
}

void facts(JsonText& json, std::string_view key, const Facts& values) {
  json.key(key);
  json.begin_object();
  for (const auto& [name, value] : values) {
    json.key(name);
    json.text(value);
  }
  json.end_object();
}

void texts(JsonText& json, std::string_view key, const std::vector<std::string>& values) {
  json.key(key);
  json.begin_array();
  for (const std::string& value : values) json.text(value);
  json.end_array();
}

/// A moment of a metric (mean, sd, bound): durations are rounded to the nanosecond.
void moment(JsonText& json, std::string_view key, std::optional<double> value, Unit unit) {
  json.key(key);
  if (!value)
    json.null();
  else if (unit == Unit::duration_ns)
    json.seconds(std::llround(*value));
  else
    json.number(*value);
}

void value(JsonText& json, std::string_view key, std::int64_t v, Unit unit) {
  json.key(key);
  if (unit == Unit::duration_ns)
    json.seconds(v);
  else
    json.integer(v);
}

void value(JsonText& json, std::string_view key, double v, Unit) {
  json.key(key);
  json.number(v);
}

template <class T>
void summary(JsonText& json, const Summary<T>& s, Unit unit) {
  moment(json, "mean", s.mean, unit);
  moment(json, "sd", s.sd, unit);
  moment(json, "ci95_low", s.interval ? std::optional(s.interval->low) : std::nullopt, unit);
  moment(json, "ci95_high", s.interval ? std::optional(s.interval->high) : std::nullopt, unit);
  value(json, "min", s.min, unit);
  value(json, "p50", s.p50, unit);
  value(json, "max", s.max, unit);
}

void metric(JsonText& json, const Metric& m) {
  const std::size_t n = m.integers.size() + m.reals.size();
  json.key(m.name);
  json.begin_object(Layout::one_line);
  json.key("unit");
  json.text(unit_text(m.unit));
  json.key("n");
  json.integer(static_cast<std::uint64_t>(n));
  if (!m.integers.empty())
    summary(json, summarise(std::span<const std::int64_t>(m.integers)), m.unit);
  else if (!m.reals.empty())
    summary(json, summarise(std::span<const double>(m.reals)), m.unit);
  else
    for (const char* key : {"mean", "sd", "ci95_low", "ci95_high", "min", "p50", "max"}) {
      json.key(key);
      json.null();
    }
  json.end_object();
}

void closed_forms(JsonText& json, const SchemeResults& scheme) {
  const Metric* ettr = find_metric(scheme, "ettr");
  json.key("closed_forms");
  json.begin_array();
  for (const ClosedForm& form : scheme.closed_forms) {
    json.begin_object(Layout::one_line);
    json.key("name");
    json.text(form.name);
    json.key("ettr");
    json.number(form.ettr);
    json.key("bias");  // of the formula against the simulated mean
    if (ettr && !ettr->reals.empty())
      json.number(form.ettr - summarise(*ettr).mean);
    else
      json.null();
    json.key("source");
    json.text(form.source);
    json.end_object();
  }
  json.end_array();
}

void scheme(JsonText& json, const SchemeResults& s, const SchemeResults& first) {
  json.begin_object();
  json.key("name");
  json.text(s.name);
  json.key("kind");
  json.text(s.kind);
  json.key("metrics");
  json.begin_object();
  for (const Metric& m : s.metrics) metric(json, m);
  json.end_object();
  named(json, "time_share", time_shares(s));
  if (&s != &first) {
    json.key("difference_to");
    json.begin_object();
    json.key("scheme");
    json.text(first.name);
    json.key("metrics");
    json.begin_object();
    for (std::size_t m = 0; m < s.metrics.size(); ++m) metric(json, difference(s.metrics[m], first.metrics[m]));
    json.end_object();
    json.end_object();
  }
  named(json, "settings", s.settings);
  texts(json, "assumptions", s.assumptions);
  closed_forms(json, s);
  json.end_object();
}

}  // namespace

std::string results_json(const Results& r) {
  check(r);
  JsonText json;
  json.begin_object();
  json.key("schema_version");
  json.integer(std::int64_t{results_schema_version});
  facts(json, "scenario", {{"name", r.scenario_name}, {"file", r.scenario_file}, {"hash", r.scenario_hash}});
  json.key("seed");
  json.integer(r.seed);
  json.key("digest");
  json.text(digest(r));
  json.key("runs");
  json.begin_object();
  json.key("requested");
  json.integer(r.replicas_requested);
  json.key("done");
  json.integer(r.replicas_done);
  json.key("duration_s");
  json.number(r.duration_s);
  json.end_object();
  facts(json, "cluster", r.cluster);
  json.key("step");
  json.begin_object();
  named(json, "exposed_s", r.step_exposed_s);
  named(json, "hidden_s", r.step_hidden_s);
  named(json, "shape", r.step_shape);
  facts(json, "choices", r.step_choices);
  json.end_object();
  named(json, "memory_bytes", r.memory_bytes);
  named(json, "fabric", r.fabric);
  json.key("schemes");
  json.begin_array();
  for (const SchemeResults& s : r.schemes) scheme(json, s, r.schemes.front());
  json.end_array();
  texts(json, "warnings", r.warnings);
  facts(json, "versions", r.versions);
  named(json, "cost", r.cost);
  json.end_object();
  return json.str();
}

}  // namespace toposim::analysis
