#include "analysis/files/json_writer.hpp"

#include <utility>

#include "analysis/check.hpp"
#include "analysis/digest.hpp"
#include "analysis/files/json_parts.hpp"
#include "analysis/files/json_text.hpp"
#include "analysis/statistics.hpp"
#include "analysis/time_share.hpp"

namespace toposim::analysis {
namespace {

using Layout = JsonText::Layout;

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

void quality(JsonText& json, const TimeToQuality& q, std::int64_t histories) {
  json.key("time_to_quality");
  json.begin_object();
  json.key("measured_on");
  if (q.measured_on.empty())
    json.null();
  else
    json.text(q.measured_on);
  json.key("source");
  if (q.source.empty())
    json.null();
  else
    json.text(q.source);
  for (const auto& [key, value] : {std::pair{"fault_free_s", q.fault_free_s},
                                   {"mean_s", q.mean_s},
                                   {"ci95_low_s", q.ci95_low_s},
                                   {"ci95_high_s", q.ci95_high_s}}) {
    json.key(key);
    json_number(json, value);
  }
  json.key("histories");
  json.integer(histories);
  json.key("seeds");
  json.integer(q.seeds);
  json.end_object();
}

void scheme(JsonText& json, const SchemeResults& s, const SchemeResults& first) {
  json.begin_object();
  json.key("name");
  json.text(s.name);
  json.key("kind");
  json.text(s.kind);
  json_metrics(json, "metrics", s.metrics);
  json_named(json, "time_share", time_shares(s));
  if (s.time_to_quality)
    quality(json, *s.time_to_quality, static_cast<std::int64_t>(s.time_to_quality->per_run_s.size()));
  if (&s != &first) {
    json.key("difference_to");
    json.begin_object();
    json.key("scheme");
    json.text(first.name);
    std::vector<Metric> differences;
    for (std::size_t m = 0; m < s.metrics.size(); ++m)
      differences.push_back(difference(s.metrics[m], first.metrics[m]));
    json_metrics(json, "metrics", differences);
    json.end_object();
  }
  json_named(json, "settings", s.settings);
  json_texts(json, "assumptions", s.assumptions);
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
  json.key("kind");
  json.text("lifecycle");
  json_facts(json, "scenario", {{"name", r.scenario_name}, {"file", r.scenario_file}, {"hash", r.scenario_hash}});
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
  json_facts(json, "cluster", r.cluster);
  json.key("step");
  json.begin_object();
  json_named(json, "exposed_s", r.step_exposed_s);
  json_named(json, "hidden_s", r.step_hidden_s);
  json_named(json, "shape", r.step_shape);
  json_facts(json, "choices", r.step_choices);
  json.end_object();
  json_named(json, "memory_bytes", r.memory_bytes);
  json_named(json, "fabric", r.fabric);
  json.key("schemes");
  json.begin_array();
  for (const SchemeResults& s : r.schemes) scheme(json, s, r.schemes.front());
  json.end_array();
  json_gates(json, r.gates);
  json_texts(json, "warnings", r.warnings);
  json_facts(json, "versions", r.versions);
  json_named(json, "cost", r.cost);
  json.end_object();
  return json.str();
}

}  // namespace toposim::analysis
