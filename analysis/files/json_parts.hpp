#pragma once
// What the JSON files of the two kinds of results share: each a key and its value within the object that is open.
#include <string>
#include <string_view>
#include <vector>

#include "analysis/files/json_text.hpp"
#include "analysis/results.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {

void json_named(JsonText& json, std::string_view key, const Named& values);
void json_facts(JsonText& json, std::string_view key, const Facts& values);
void json_texts(JsonText& json, std::string_view key, const std::vector<std::string>& values);
/// A value in the array or behind the key that is open; null for NaN.
void json_number(JsonText& json, double value);

/// name -> unit, n, mean, sd, ci95_low, ci95_high, min, p50, p95, max, on one line, over the n values that are not NaN.
void json_metric(JsonText& json, const Metric& metric);
/// name -> json_metric() of each, in an object.
void json_metrics(JsonText& json, std::string_view key, const std::vector<Metric>& metrics);
/// "gates": what was asked, what came out; value is null where there is none.
void json_gates(JsonText& json, const std::vector<GateOutcome>& gates);

}  // namespace toposim::analysis
