#pragma once
// What a trace of failures says, as it goes to files and to the terminal. Times are in hours, as failures are spoken
// of.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/results.hpp"

namespace toposim::analysis {

struct FittedModel {
  std::string family;      ///< exponential, weibull, lognormal
  std::string parameters;  ///< "k 0.624, lambda 11.3 h"
  Named values;            ///< mean_h; k, lambda_h; mu, sigma
  double log_likelihood = 0, aic = 0;
  std::optional<double> ks, ks_p;  ///< none where times are censored; p: none for a sample that is too large
};

struct HazardRow {
  double from_h = 0, to_h = 0;
  std::int64_t events = 0;
  double per_h = 0;
  std::vector<double> models_per_h;  ///< of each model, at the middle
};

struct QuantileRow {
  double probability = 0, observed_h = 0;
  std::vector<double> models_h;
};

/// Times of one kind: between faults, to repair, of a node from repair to fault.
struct TimeSample {
  std::string name;  ///< "between_faults", "repair", "life_of_a_node"
  std::int64_t n = 0, zeros = 0, censored = 0;
  double mean_h = 0, median_h = 0, p95_h = 0;
  std::vector<FittedModel> models;  ///< empty: too few times
  std::vector<HazardRow> hazard;
  std::vector<QuantileRow> quantiles;
};

struct FaultGroup {
  std::string kind, name;  ///< "class", "hardware"
  std::int64_t faults = 0;
  double per_1000_node_days = 0;
  std::optional<double> repair_mean_h, repair_median_h;
};

struct JobRow {
  std::int64_t gpus = 0, nodes = 0;
  double mtbf_h = 0;
};

struct FaultResults {
  std::string file, name, format, hash;
  std::uint64_t seed = 0;  ///< of the bootstrap
  Facts selection, policies;
  std::int64_t rows = 0, faults = 0, nodes = 0, nodes_failed = 0;
  bool nodes_known = false;  ///< told by the user or by the file; else only those that it names are counted
  std::int64_t gpus_per_node = 8;
  double window_days = 0, per_1000_node_days = 0, mtbf_h = 0;  ///< of all the nodes
  bool has_repairs = false;                                    ///< the file tells how long faults lasted
  double down_node_days = 0, down_mean = 0;
  std::int64_t down_p50 = 0, down_p99 = 0, down_max = 0;
  std::int64_t worst_nodes = 0;
  double worst_share = 0, dispersion_daily = 0, dispersion_nodes = 0;
  std::int64_t groups = 0, grouped_faults = 0, largest_group = 0;
  std::vector<double> gap_correlation;
  std::vector<JobRow> jobs;
  std::vector<TimeSample> times;
  std::vector<FaultGroup> by;
  std::vector<std::string> left_out, notes, warnings;
  std::string output_directory;  ///< empty: nothing was written
};

}  // namespace toposim::analysis
