#pragma once
#include <string>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

inline constexpr int efficiency_schema_version = 1;

/// accuracy.json, which a lifecycle study reads: how much of a step's progress each scheme keeps under each fault case.
/// Top-level keys: schema_version, kind ("statistical_efficiency"), measured_on (a sentence: on which small model),
/// scenario, seed, digest (of the study that measured it), workload, metric, parameters, workers, domain_size,
/// batch_over_noise_scale, c_in, c_out (means of the measured steps), seeds, cells. A cell has faults, scheme,
/// dead_share, statistical_efficiency (n, censored, mean, ci95_low, ci95_high, per_seed) and steps_needed_per_seed;
/// `censored` of the seeds did not get there within the longest run: with any, the mean, which is over the n others, is
/// too high. null where a value does not exist. Throws ResultsError as check().
std::string efficiency_json(const AccuracyResults& results);

/// Seeds that did not reach the goal within the longest run: steps_needed is NaN.
std::size_t censored(const AccuracyCell& efficiency);

}  // namespace toposim::analysis
