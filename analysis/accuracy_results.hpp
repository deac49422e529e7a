#pragma once
// Plain results of an accuracy study: what estimating the gradients of dead workers did to the gradient and to the
// model. Like results.hpp, it knows nothing of models or estimators: a measure is a named column.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/gates/gate_outcome.hpp"
#include "analysis/results.hpp"

namespace toposim::analysis {

/// The scheme without faults: the reference of every difference; its cells are of the fault case `no_faults`.
inline constexpr const char* fault_free = "fault_free";
inline constexpr const char* no_faults = "none";
/// The scheme that takes the mean over the survivors: the baseline beside everything.
inline constexpr const char* drop_scheme = "drop";

/// One scheme under one fault case, at one point of training. Columns (Unit::ratio, number or count) have one value per
/// draw of faults (gradient) or per seed (training), in the same order in every cell, so that cells of a fault case
/// pair up. A NaN among `reals` is a value that does not exist (a run that diverged, a loss never reached, the error of
/// an estimate that had none to make): written as null or an empty field and left out of means, which then say how many
/// values they are of.
struct AccuracyCell {
  std::string faults, scheme;
  std::uint64_t step = 0;  ///< gradient: the step it was measured in; training: steps of the run
  std::vector<Metric> metrics;
};

/// The gradients of one step of the fault-free run, before any fault.
struct GradientScene {
  std::uint64_t step = 0;
  Named values;  ///< c_in, c_out, angle_in_deg, angle_out_deg, noise_scale_samples, batch_over_noise_scale,
                 ///< iid_cosine, gradient_l2, noise_l2, population_l2, population_error_over_noise
  std::vector<std::pair<std::string, Named>> groups;  ///< per layer group, the same names
  std::vector<double> domain_cosines;                 ///< domains x domains: of their mean gradients
};

/// Of one run. A loss that is not finite is one of a run that diverged: an empty field.
struct LossCurve {
  std::string faults, scheme;
  std::uint64_t seed = 0, steps = 0;
  std::vector<double> training;  ///< with 0, 1, ... steps done; mean over all workers, the dead ones' too
  std::vector<std::pair<std::uint64_t, double>> held_out;  ///< steps done, loss on held-out samples
};

/// In words, for the report and for those who read accuracy.json.
struct FaultCase {
  std::string name, text;  ///< "transient_5", "each worker in each step with probability 5 %"
  double dead_share = 0;   ///< of all workers, expected per step
};
struct AccuracyScheme {
  std::string name, text;  ///< "shrink", "lambda x neighbour mean + (1 - lambda) x survivor mean"
};

/// What was found about the placement of data, and what to do about it.
struct PlacementFindings {
  std::vector<std::uint64_t> samples;  ///< per domain
  double explained = 0;                ///< 1 - inertia / total inertia; 0 where there were no embeddings
  double purity = 0;                   ///< share of samples that have their domain's most frequent label
  std::vector<double> cosines;         ///< domains x domains, of the domains' embedding centroids; may be empty
  std::vector<std::string> advice;     ///< hot spots, gradient drift: one sentence each
};

struct AccuracyResults {
  std::string scenario_name, scenario_file, scenario_hash;
  std::uint64_t seed = 0;            ///< of the study
  std::vector<std::uint64_t> seeds;  ///< of the training runs, in the order of training columns
  std::int64_t draws = 0;            ///< of faults, per gradient cell: the length of gradient columns

  Facts setting;            ///< in words: workload, workers, domains, batch, optimizer, placement, ...
  Named numbers;            ///< parameters, workers, domains, domain_size, batch_samples, steps, ...
  std::string metric_name;  ///< of final_metric: "accuracy"
  bool metric_higher_is_better = true;
  std::vector<FaultCase> fault_cases;
  std::vector<AccuracyScheme> schemes;  ///< without fault_free, in the order of the scenario

  std::vector<GradientScene> scenes;
  /// Columns: dead, above_threshold (count: 1 where the trainer would recover in full); global_error_ratio (over
  /// drop's, realised full gradient), global_error_over_noise, population_error_ratio, population_error_over_noise,
  /// global_cosine, local_l2, local_cosine (mean over the first few dead of the draw), lambda, coefficient_sum,
  /// effective_samples; global_error_ratio_GROUP per layer group.
  std::vector<AccuracyCell> gradient;
  /// Columns: final_loss; final_loss_delta (ratio: final_loss over fault_free's of that length and seed, less 1);
  /// final_loss_to_drop (ratio: over drop's under the same faults, less 1; NaN where there is no drop);
  /// final_metric, final_metric_delta, worst_class_metric, loss_swing (loss_spectrum.hpp), copy_distance,
  /// compensated_steps, full_recoveries, dead_worker_steps (count). One cell per run length.
  std::vector<AccuracyCell> training;
  /// step = 0, per seed: steps_needed (number; NaN: not within the longest run), statistical_efficiency (ratio: steps
  /// that fault-free needs over steps that the scheme needs; NaN where either is unknown). Only with several run
  /// lengths.
  std::vector<AccuracyCell> efficiency;
  std::vector<LossCurve> curves;
  PlacementFindings placement;

  Facts versions;
  Named cost;  ///< as Results::cost; not in the digest
  std::vector<std::string> warnings;
  std::vector<GateOutcome> gates;  ///< of the scenario, checked. Not in the digest
  std::string output_directory;
};

}  // namespace toposim::analysis
