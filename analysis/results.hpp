#pragma once
// Plain result data, as it goes to files and to the terminal. Knows nothing of fabrics or schemes: a metric is a named
// column of one value per replica, so a new metric needs no change here. Fill it, then check() it (analysis/check.hpp).
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/gates/gate_outcome.hpp"

namespace toposim::analysis {

enum class Unit : std::uint8_t { count, duration_ns, ratio, number };  ///< duration_ns: written in seconds, 9 decimals

/// One value per replica. Every metric reaches results.json and replicas.csv. The terminal report shows those it knows,
/// where they are there: ettr, goodput_steps, goodput_samples, goodput_progress (ratio); lost_work_s (duration_ns);
/// full_recoveries, replica_losses, spares_in_use_p99, spares_in_use_max (count); every bucket; every price_*.
struct Metric {
  std::string name;  ///< with its unit: lost_work_s, ettr, full_recoveries. A duration's ends in _s
  Unit unit = Unit::number;
  std::vector<std::int64_t> integers;  ///< count, duration_ns: one per replica
  std::vector<double> reals;           ///< ratio, number: one per replica, finite
  bool bucket = false;  ///< a duration that is a part of wall_s: a replica's buckets sum to its wall_s exactly
};

/// What a formula says that the simulated ETTR of a scheme should be; the report prints its bias.
struct ClosedForm {
  std::string name;  ///< "Daly's exact form"
  double ettr = 0;
  std::string source;  ///< paper, equation
};

/// Wall time to reach the loss that a run without faults has after fault_free_s; see time_to_quality.hpp.
struct TimeToQuality {
  std::string measured_on;  ///< on which small model; empty: nothing measured is in it, as no step lacks a replica
  std::string source;       ///< what was measured, in which file
  double fault_free_s = 0;
  std::vector<double> per_run_s;                       ///< NaN: a run without progress
  double mean_s = 0, ci95_low_s = 0, ci95_high_s = 0;  ///< over failure histories and training seeds; NaN: unknown
  std::int64_t seeds = 0;                              ///< of training runs that measured it
};

struct SchemeResults {
  std::string name;  ///< unique
  std::string kind;
  std::vector<Metric> metrics;                           ///< same names, units and length for every scheme
  std::vector<std::pair<std::string, double>> settings;  ///< what it ran with: checkpoint_interval_s, load_s, ...
  std::vector<std::string> assumptions;                  ///< labelled inputs that are not measured
  std::vector<ClosedForm> closed_forms;                  ///< where a formula covers the scheme
  std::optional<TimeToQuality> time_to_quality = std::nullopt;  ///< where progress is measured, not assumed
};

struct TimelineRow {
  std::string scheme;
  std::int64_t time_ns = 0;
  std::string event, cause;
  std::int64_t node = -1, replica = -1, step = 0, replicas_active = 0, spares_free = 0;  ///< node, replica -1: none
};

/// Names carry their unit and are unique. The report words a value by its name's end: _s, _ns, _bytes, _Bps, _flops;
/// mfu, _ratio, _share and _deviation are fractions, shown in percent.
using Named = std::vector<std::pair<std::string, double>>;
using Facts = std::vector<std::pair<std::string, std::string>>;

struct Results {
  std::string scenario_name, scenario_file, scenario_hash;
  std::uint64_t seed = 0;
  std::int64_t replicas_requested = 0, replicas_done = 0;  ///< done: the length of every metric
  double duration_s = 0;

  Facts cluster;         ///< in words: gpus, nodes, spares, fabric, model, layout, ...
  Named step_exposed_s;  ///< compute_s, ...: sum to step_time_s
  Named step_hidden_s;   ///< communication under compute
  Named step_shape;      ///< step_time_s, mfu, data_parallel_busbw_Bps, ...
  Facts step_choices;    ///< in words: data_parallel_algorithm, ...
  Named memory_bytes;    ///< per GPU: weights_bytes, ..., then total_bytes and capacity_bytes
  Named fabric;          ///< cross-check deviations, distinct states. Must not depend on thread count
  std::vector<SchemeResults> schemes;
  std::vector<TimelineRow> timeline;  ///< first replica, every event

  Facts versions;
  Named cost;  ///< of the run: cpu_s, wall_s, memory_peak_bytes, threads, cache hits and misses. Not in the digest
  std::vector<std::string> warnings;
  std::vector<GateOutcome> gates;  ///< of the scenario, checked. Not in the digest
  std::string output_directory;    ///< where the files are, for the report; empty: none written
};

}  // namespace toposim::analysis
