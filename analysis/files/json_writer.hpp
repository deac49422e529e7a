#pragma once
#include <string>

#include "analysis/results.hpp"

namespace toposim::analysis {

inline constexpr int results_schema_version = 1;

/// results.json. Durations of replicas in seconds with 9 decimals; other numbers as short as reads back the same; null
/// where a value does not exist (the interval of one run, anything of none). Top-level keys: schema_version, kind
/// ("lifecycle"), scenario, seed, digest, runs, cluster, step, memory_bytes, fabric, schemes, warnings, versions, cost.
/// A scheme has metrics (name -> unit, n, mean, sd, ci95_low, ci95_high, min, p50, p95, max), time_share (bucket ->
/// share of wall time), settings, assumptions, closed_forms and, but for the first, difference_to (scheme, metrics of
/// the paired differences). Throws ResultsError as check().
std::string results_json(const Results& results);

}  // namespace toposim::analysis
