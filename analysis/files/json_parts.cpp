#include "analysis/files/json_parts.hpp"

#include <cmath>
#include <optional>
#include <span>

namespace toposim::analysis {
namespace {

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
  value(json, "p95", s.p95, unit);
  value(json, "max", s.max, unit);
}

}  // namespace

void json_named(JsonText& json, std::string_view key, const Named& values) {
  json.key(key);
  json.begin_object();
  for (const auto& [name, value] : values) {
    json.key(name);
    json.number(value);
  }
  json.end_object();
}

void json_facts(JsonText& json, std::string_view key, const Facts& values) {
  json.key(key);
  json.begin_object();
  for (const auto& [name, value] : values) {
    json.key(name);
    json.text(value);
  }
  json.end_object();
}

void json_texts(JsonText& json, std::string_view key, const std::vector<std::string>& values) {
  json.key(key);
  json.begin_array();
  for (const std::string& value : values) json.text(value);
  json.end_array();
}

void json_number(JsonText& json, double value) {
  if (std::isnan(value))
    json.null();
  else
    json.number(value);
}

void json_metric(JsonText& json, const Metric& metric) {
  std::vector<double> known;
  for (const double v : metric.reals)
    if (!std::isnan(v)) known.push_back(v);
  json.key(metric.name);
  json.begin_object(JsonText::Layout::one_line);
  json.key("unit");
  json.text(unit_text(metric.unit));
  json.key("n");
  json.integer(static_cast<std::uint64_t>(metric.integers.size() + known.size()));
  if (!metric.integers.empty())
    summary(json, summarise(std::span<const std::int64_t>(metric.integers)), metric.unit);
  else if (!known.empty())
    summary(json, summarise(std::span<const double>(known)), metric.unit);
  else
    for (const char* key : {"mean", "sd", "ci95_low", "ci95_high", "min", "p50", "p95", "max"}) {
      json.key(key);
      json.null();
    }
  json.end_object();
}

void json_metrics(JsonText& json, std::string_view key, const std::vector<Metric>& metrics) {
  json.key(key);
  json.begin_object();
  for (const Metric& metric : metrics) json_metric(json, metric);
  json.end_object();
}

void json_gates(JsonText& json, const std::vector<GateOutcome>& gates) {
  json.key("gates");
  json.begin_array();
  for (const GateOutcome& gate : gates) {
    json.begin_object(JsonText::Layout::one_line);
    json.key("gate");
    json.text(gate.gate);
    json.key("passed");
    json.boolean(gate.passed);
    json.key("value");
    if (gate.has_value)
      json.number(gate.value);
    else
      json.null();
    json.key("bound");
    json.number(gate.bound);
    json.key("where");
    json.text(gate.where);
    json.key("reason");
    json.text(gate.reason);
    json.end_object();
  }
  json.end_array();
}

}  // namespace toposim::analysis
