#pragma once
// Plain result data, as it goes to files and to the terminal. Knows nothing of fabrics or schemes: a metric is a named
// column of one value per replica, so a new metric needs no change here.
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace toposim::analysis {

enum class Unit : std::uint8_t {
  count,
  duration_ns,
  ratio,
  number
};  ///< duration_ns is written in seconds, 9 decimals

struct Metric {
  std::string name;  ///< with its unit: lost_work_s, ettr, full_recoveries
  Unit unit = Unit::number;
  std::vector<std::int64_t> integers;  ///< count, duration_ns: one per replica
  std::vector<double> reals;           ///< ratio, number
};

struct SchemeResults {
  std::string name;
  std::string kind;
  std::vector<Metric> metrics;                           ///< same order and length for every scheme
  std::vector<std::pair<std::string, double>> settings;  ///< what it ran with: checkpoint_interval_s, load_s, ...
  std::vector<std::string> assumptions;                  ///< labelled inputs that are not measured
};

struct TimelineRow {
  std::string scheme;
  std::int64_t time_ns = 0;
  std::string event, cause;
  std::int64_t node = -1, replica = -1, step = 0, replicas_active = 0, spares_free = 0;
};

using Named = std::vector<std::pair<std::string, double>>;

struct Results {
  std::string scenario_name, scenario_file, scenario_hash;
  std::uint64_t seed = 0;
  std::int64_t replicas_requested = 0, replicas_done = 0;
  bool interrupted = false;
  double duration_s = 0;

  std::vector<std::pair<std::string, std::string>> cluster;  ///< facts in words: gpus, nodes, spares, fabric, ...
  Named step_exposed_s, step_hidden_s, step_shape;           ///< exposed times sum to step_time_s (in step_shape)
  Named memory_bytes;
  Named fabric;  ///< cross-check deviations, distinct states, hits, misses
  Named theory;  ///< closed forms to read beside the simulation: young, daly, meta ETTR
  std::vector<SchemeResults> schemes;
  std::vector<TimelineRow> timeline;  ///< first replica, every event

  std::vector<std::pair<std::string, std::string>> versions;
  Named cost;  ///< of the run: cpu_s, wall_s, memory_peak_bytes, threads. Not part of the digest
  std::vector<std::string> warnings;
};

}  // namespace toposim::analysis
