#pragma once
#include <string>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

inline constexpr int accuracy_schema_version = 1;

/// results.json of an accuracy study; numbers as short as reads back the same, null where a value does not exist.
/// Top-level keys: schema_version, kind ("accuracy"), scenario, seed, digest, draws, seeds, setting, numbers, metric
/// (name, higher_is_better), fault_cases (name, text, dead_share), schemes (name, text), scenes (step, values, groups:
/// name and values, domain_cosines: a row per domain), gradient (faults, scheme, step, metrics), training (faults,
/// scheme, steps, metrics), efficiency (faults, scheme, metrics), placement (samples, explained, purity, cosines,
/// advice), gates, warnings, versions, cost. Metrics are name -> unit, n, mean, sd, ci95_low, ci95_high, min, p50, p95,
/// max over the n draws or seeds that have a value. Throws ResultsError as check().
std::string accuracy_results_json(const AccuracyResults& results);

}  // namespace toposim::analysis
