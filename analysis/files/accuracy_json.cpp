#include "analysis/files/accuracy_json.hpp"

#include <cmath>

#include "analysis/accuracy_check.hpp"
#include "analysis/accuracy_digest.hpp"
#include "analysis/files/json_parts.hpp"

namespace toposim::analysis {
namespace {

using Layout = JsonText::Layout;

void text(JsonText& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.text(value);
}

void integers(JsonText& json, std::string_view key, const std::vector<std::uint64_t>& values) {
  json.key(key);
  json.begin_array(Layout::one_line);
  for (const std::uint64_t v : values) json.integer(v);
  json.end_array();
}

/// A row a line; `side` squared values, or none.
void matrix(JsonText& json, std::string_view key, const std::vector<double>& values) {
  const auto side = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(values.size()))));
  json.key(key);
  json.begin_array();
  for (std::size_t row = 0; row < side; ++row) {
    json.begin_array(Layout::one_line);
    for (std::size_t column = 0; column < side; ++column) json.number(values[row * side + column]);
    json.end_array();
  }
  json.end_array();
}

void declarations(JsonText& json, const AccuracyResults& r) {
  json.key("metric");
  json.begin_object(Layout::one_line);
  text(json, "name", r.metric_name);
  json.key("higher_is_better");
  json.boolean(r.metric_higher_is_better);
  json.end_object();
  json.key("fault_cases");
  json.begin_array();
  for (const FaultCase& faults : r.fault_cases) {
    json.begin_object(Layout::one_line);
    text(json, "name", faults.name);
    text(json, "text", faults.text);
    json.key("dead_share");
    json.number(faults.dead_share);
    json.end_object();
  }
  json.end_array();
  json.key("schemes");
  json.begin_array();
  for (const AccuracyScheme& scheme : r.schemes) {
    json.begin_object(Layout::one_line);
    text(json, "name", scheme.name);
    text(json, "text", scheme.text);
    json.end_object();
  }
  json.end_array();
}

void scenes(JsonText& json, const AccuracyResults& r) {
  json.key("scenes");
  json.begin_array();
  for (const GradientScene& scene : r.scenes) {
    json.begin_object();
    json.key("step");
    json.integer(scene.step);
    json_named(json, "values", scene.values);
    json.key("groups");
    json.begin_array();
    for (const auto& [name, values] : scene.groups) {
      json.begin_object();
      text(json, "name", name);
      json_named(json, "values", values);
      json.end_object();
    }
    json.end_array();
    matrix(json, "domain_cosines", scene.domain_cosines);
    json.end_object();
  }
  json.end_array();
}

/// `step_key` empty: the cells are of no step.
void cells(JsonText& json, std::string_view key, const std::vector<AccuracyCell>& cells, std::string_view step_key) {
  json.key(key);
  json.begin_array();
  for (const AccuracyCell& cell : cells) {
    json.begin_object();
    text(json, "faults", cell.faults);
    text(json, "scheme", cell.scheme);
    if (!step_key.empty()) {
      json.key(step_key);
      json.integer(cell.step);
    }
    json_metrics(json, "metrics", cell.metrics);
    json.end_object();
  }
  json.end_array();
}

void placement(JsonText& json, const PlacementFindings& findings) {
  json.key("placement");
  json.begin_object();
  integers(json, "samples", findings.samples);
  json.key("explained");
  json.number(findings.explained);
  json.key("purity");
  json.number(findings.purity);
  matrix(json, "cosines", findings.cosines);
  json_texts(json, "advice", findings.advice);
  json.end_object();
}

}  // namespace

std::string accuracy_results_json(const AccuracyResults& r) {
  check(r);
  JsonText json;
  json.begin_object();
  json.key("schema_version");
  json.integer(std::int64_t{accuracy_schema_version});
  text(json, "kind", "accuracy");
  json_facts(json, "scenario", {{"name", r.scenario_name}, {"file", r.scenario_file}, {"hash", r.scenario_hash}});
  json.key("seed");
  json.integer(r.seed);
  text(json, "digest", digest(r));
  json.key("draws");
  json.integer(r.draws);
  integers(json, "seeds", r.seeds);
  json_facts(json, "setting", r.setting);
  json_named(json, "numbers", r.numbers);
  declarations(json, r);
  scenes(json, r);
  cells(json, "gradient", r.gradient, "step");
  cells(json, "training", r.training, "steps");
  cells(json, "efficiency", r.efficiency, "");
  placement(json, r.placement);
  json_gates(json, r.gates);
  json_texts(json, "warnings", r.warnings);
  json_facts(json, "versions", r.versions);
  json_named(json, "cost", r.cost);
  json.end_object();
  return json.str();
}

}  // namespace toposim::analysis
