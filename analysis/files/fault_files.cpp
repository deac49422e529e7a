#include "analysis/files/fault_files.hpp"

#include <string_view>
#include <utility>

#include "analysis/digest.hpp"
#include "analysis/files/csv_writer.hpp"
#include "analysis/files/json_parts.hpp"
#include "analysis/files/json_text.hpp"
#include "analysis/files/json_writer.hpp"
#include "analysis/files/study_files.hpp"
#include "analysis/number_text.hpp"

namespace toposim::analysis {
namespace {

using Layout = JsonText::Layout;

void json_optional(JsonText& json, std::string_view key, const std::optional<double>& value) {
  json.key(key);
  if (value)
    json.number(*value);
  else
    json.null();
}

void json_times(JsonText& json, const std::vector<TimeSample>& times) {
  json.key("times");
  json.begin_array();
  for (const TimeSample& sample : times) {
    json.begin_object();
    json.key("name");
    json.text(sample.name);
    for (const auto& [key, value] :
         {std::pair{"times", sample.n}, {"zeros", sample.zeros}, {"censored", sample.censored}}) {
      json.key(key);
      json.integer(value);
    }
    json_named(json, "summary", {{"mean_h", sample.mean_h}, {"median_h", sample.median_h}, {"p95_h", sample.p95_h}});
    json.key("models");
    json.begin_array();
    for (const FittedModel& model : sample.models) {
      json.begin_object(Layout::one_line);
      json.key("name");
      json.text(model.family);
      for (const auto& [key, value] : model.values) {
        json.key(key);
        json.number(value);
      }
      for (const auto& [key, value] : {std::pair{"log_likelihood", model.log_likelihood}, {"aic", model.aic}}) {
        json.key(key);
        json.number(value);
      }
      json_optional(json, "ks", model.ks);
      json_optional(json, "ks_p", model.ks_p);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

void json_groups(JsonText& json, const std::vector<FaultGroup>& groups) {
  json.key("by");
  json.begin_array();
  for (const FaultGroup& group : groups) {
    json.begin_object(Layout::one_line);
    json.key("name");
    json.text(group.kind + ' ' + group.name);
    json.key("faults");
    json.integer(group.faults);
    json.key("per_1000_node_days");
    json.number(group.per_1000_node_days);
    json_optional(json, "repair_mean_h", group.repair_mean_h);
    json_optional(json, "repair_median_h", group.repair_median_h);
    json.end_object();
  }
  json.end_array();
}

/// What came out; its digest tells whether two of them agree.
void json_findings(JsonText& json, const FaultResults& r) {
  json.key("counts");
  json.begin_object();
  for (const auto& [key, value] : {std::pair{"rows", r.rows},
                                   {"faults", r.faults},
                                   {"nodes", r.nodes},
                                   {"nodes_failed", r.nodes_failed},
                                   {"worst_nodes", r.worst_nodes},
                                   {"groups", r.groups},
                                   {"grouped_faults", r.grouped_faults},
                                   {"largest_group_nodes", r.largest_group},
                                   {"down_p50_nodes", r.down_p50},
                                   {"down_p99_nodes", r.down_p99},
                                   {"down_max_nodes", r.down_max}}) {
    json.key(key);
    json.integer(value);
  }
  json.end_object();
  json_named(json, "rates",
             {{"window_days", r.window_days},
              {"per_1000_node_days", r.per_1000_node_days},
              {"mtbf_h", r.mtbf_h},
              {"down_node_days", r.down_node_days},
              {"down_mean_nodes", r.down_mean},
              {"worst_share", r.worst_share},
              {"dispersion_daily", r.dispersion_daily},
              {"dispersion_nodes", r.dispersion_nodes}});
  json.key("gap_correlation");
  json.begin_array(Layout::one_line);
  for (const double correlation : r.gap_correlation) json.number(correlation);
  json.end_array();
  json.key("jobs");
  json.begin_array();
  for (const JobRow& job : r.jobs) {
    json.begin_object(Layout::one_line);
    json.key("gpus");
    json.integer(job.gpus);
    json.key("nodes");
    json.integer(job.nodes);
    json.key("mtbf_h");
    json.number(job.mtbf_h);
    json.end_object();
  }
  json.end_array();
  json_times(json, r.times);
  json_groups(json, r.by);
}

std::string digest_of(const FaultResults& results) {
  JsonText json;
  json.begin_object();
  json_findings(json, results);
  json.end_object();
  Fnv1a64 hash;
  hash.add(std::string_view(json.str()));
  return digest_text(hash);
}

/// The rows of one table, headed by the names of all models.
template <class Row>
std::string models_csv(const FaultResults& results, std::string heading, const std::string& unit, const Row& row) {
  for (const TimeSample& sample : results.times)
    if (!sample.models.empty()) {
      for (const FittedModel& model : sample.models) heading += ',' + model.family + '_' + unit;
      break;
    }
  std::string csv = heading + '\n';
  for (const TimeSample& sample : results.times)
    if (!sample.models.empty()) row(sample, csv);
  return csv;
}

}  // namespace

std::string fault_json(const FaultResults& r) {
  JsonText json;
  json.begin_object();
  json.key("schema_version");
  json.integer(std::int64_t{results_schema_version});
  json.key("kind");
  json.text("faults");
  json_facts(json, "scenario", {{"name", r.name}, {"file", r.file}, {"hash", r.hash}});
  json.key("seed");
  json.integer(r.seed);
  json.key("digest");
  json.text(digest_of(r));
  json_facts(json, "selection", r.selection);
  json_facts(json, "policies", r.policies);
  json_findings(json, r);
  json_texts(json, "left_out", r.left_out);
  json_texts(json, "notes", r.notes);
  json_texts(json, "warnings", r.warnings);
  json.end_object();
  return json.str();
}

std::string hazard_csv(const FaultResults& results) {
  return models_csv(results, "times,from_h,to_h,events,observed_per_h", "per_h",
                    [](const TimeSample& sample, std::string& csv) {
                      for (const HazardRow& row : sample.hazard) {
                        csv += csv_field(sample.name) + ',' + number_text(row.from_h) + ',' + number_text(row.to_h) +
                               ',' + std::to_string(row.events) + ',' + number_text(row.per_h);
                        for (const double model : row.models_per_h) csv += ',' + number_text(model);
                        csv += '\n';
                      }
                    });
}

std::string quantiles_csv(const FaultResults& results) {
  return models_csv(results, "times,probability,observed_h", "h", [](const TimeSample& sample, std::string& csv) {
    for (const QuantileRow& row : sample.quantiles) {
      csv += csv_field(sample.name) + ',' + number_text(row.probability) + ',' + number_text(row.observed_h);
      for (const double model : row.models_h) csv += ',' + number_text(model);
      csv += '\n';
    }
  });
}

void write_faults(const std::filesystem::path& directory, const FaultResults& results) {
  write_study(directory, {{"hazard.csv", hazard_csv(results)},
                          {"quantiles.csv", quantiles_csv(results)},
                          {"results.json", fault_json(results)}});
}

}  // namespace toposim::analysis
