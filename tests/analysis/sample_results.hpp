#pragma once
// Hand-made results of three schemes over four replicas of 1,000,000 s each, small enough to check by hand.
#include "analysis/results.hpp"

namespace toposim::analysis {

inline Metric count(std::string name, std::vector<std::int64_t> values) {
  return {std::move(name), Unit::count, std::move(values), {}, false};
}
inline Metric ratio(std::string name, std::vector<double> values) {
  return {std::move(name), Unit::ratio, {}, std::move(values), false};
}
/// Whole seconds.
inline Metric seconds(std::string name, std::vector<std::int64_t> values, bool bucket) {
  for (std::int64_t& v : values) v *= 1'000'000'000;
  return {std::move(name), Unit::duration_ns, std::move(values), {}, bucket};
}

/// productive_s, lost_work_s, checkpoint_s and detect_s, plus what is left of 1,000,000 s as load_s.
inline SchemeResults sample_scheme(std::string name, std::string kind, std::vector<std::int64_t> productive_s,
                                   std::vector<std::int64_t> lost_s, std::vector<double> samples) {
  SchemeResults s;
  s.name = std::move(name);
  s.kind = std::move(kind);
  std::vector<double> ettr;
  std::vector<std::int64_t> load_s;
  for (std::size_t i = 0; i < productive_s.size(); ++i) {
    ettr.push_back(static_cast<double>(productive_s[i]) / 1e6);
    load_s.push_back(1'000'000 - productive_s[i] - lost_s[i] - 6'000);
  }
  const std::size_t n = productive_s.size();
  s.metrics = {ratio("ettr", ettr),
               ratio("goodput_steps", ettr),
               ratio("goodput_samples", samples),
               ratio("goodput_progress", samples),
               seconds("wall_s", std::vector<std::int64_t>(n, 1'000'000), false),
               seconds("productive_s", std::move(productive_s), true),
               seconds("lost_work_s", std::move(lost_s), true),
               seconds("overhead_s", std::vector<std::int64_t>(n, 0), true),
               seconds("checkpoint_s", std::vector<std::int64_t>(n, 2'000), true),
               seconds("detect_s", std::vector<std::int64_t>(n, 4'000), true),
               seconds("load_s", std::move(load_s), true),
               count("full_recoveries", {90, 94, 86, 90}),
               count("replica_losses", {0, 0, 0, 0}),
               count("spares_in_use_p99", {3, 4, 3, 4}),
               count("spares_in_use_max", {6, 5, 7, 6})};
  return s;
}

inline Results sample_results() {
  Results r;
  r.scenario_name = "llama3_16k";
  r.scenario_file = "scenarios/llama3_16k.yaml";
  r.scenario_hash = "fnv1a64:0011223344556677";
  r.seed = 7;
  r.replicas_requested = r.replicas_done = 4;
  r.duration_s = 1'000'000;
  r.cluster = {{"gpus", "16,384 H100"},     {"nodes", "2,048"},       {"spares", "32"},
               {"fabric", "rail_fat_tree"}, {"model", "llama3-405b"}, {"layout", "TP 8, PP 16, DP 128"}};
  r.step_exposed_s = {{"compute_s", 9},         {"tensor_parallel_s", 0.5}, {"pipeline_bubble_s", 0.25},
                      {"expert_parallel_s", 0}, {"data_parallel_s", 0.245}, {"optimizer_s", 0.005}};
  r.step_hidden_s = {{"data_parallel_s", 1.2}, {"pipeline_s", 0.3}};
  r.step_shape = {{"step_time_s", 10}, {"mfu", 0.41}, {"data_parallel_busbw_Bps", 46.1e9}, {"micro_batches", 16}};
  r.step_choices = {{"data_parallel_algorithm", "rail_rings"}};
  r.memory_bytes = {{"weights_bytes", 6.4e9},    {"gradients_bytes", 12.8e9}, {"optimizer_bytes", 0.8e9},
                    {"activations_bytes", 41e9}, {"total_bytes", 61e9},       {"capacity_bytes", 80e9}};
  r.fabric = {{"healthy_deviation", 0}, {"broken_states_max_deviation", 0.0031}, {"distinct_states", 412}};

  r.schemes = {sample_scheme("checkpoint_restart", "checkpoint_restart", {930'000, 928'000, 932'000, 930'000},
                             {40'000, 42'000, 38'000, 40'000}, {0.93, 0.928, 0.932, 0.93}),
               sample_scheme("drop_replica", "drop_replica", {981'000, 980'000, 982'000, 981'000},
                             {8'000, 8'500, 7'500, 8'000}, {0.971, 0.97, 0.972, 0.971}),
               sample_scheme("compensate", "compensate", {981'000, 980'100, 982'000, 980'900},
                             {8'000, 8'500, 7'500, 8'000}, {0.971, 0.97, 0.972, 0.971})};
  for (std::size_t s : {1, 2}) {
    r.schemes[s].metrics[11] = count("full_recoveries", {12, 14, 13, 13});
    r.schemes[s].metrics[12] = count("replica_losses", {78, 80, 73, 77});
    r.schemes[s].assumptions = {"progress of a step with missing replicas: B_noise >> B, learning rate kept"};
  }
  r.schemes[0].settings = {{"checkpoint_interval_s", 738}, {"snapshot_s", 2.5}, {"detect_s", 30}};
  r.schemes[0].closed_forms = {{"Daly's exact form", 0.93274, "Daly 2006, eq. 20"},
                               {"Meta's quotient", 0.93212, "arXiv 2410.21680"},
                               {"first order", 0.93068, "losses added up"}};
  r.schemes[1].settings =
      r.schemes[2].settings = {{"checkpoint_interval_s", 1500}, {"rejoin_stall_s", 5}, {"detect_s", 30}};
  r.schemes[2].assumptions.push_back("no progress lost to estimation beyond the missing samples");

  r.timeline = {{"checkpoint_restart", 1'234'567'890'123, "fault", "hbm3", 17, -1, 120, 128, 32},
                {"checkpoint_restart", 1'264'567'890'123, "detect", "", -1, -1, 120, 127, 32}};
  r.versions = {{"toposim", "0.1.0"}, {"commit", "0123456"}};
  r.cost = {{"cpu_s", 1.83}, {"wall_s", 1.02}, {"memory_peak_bytes", 123e6}, {"threads", 2}};
  r.output_directory = "out/llama3_16k";
  return r;
}

/// The first n replicas only.
inline void keep_replicas(Results& r, std::ptrdiff_t n) {
  r.replicas_done = n;
  for (SchemeResults& s : r.schemes)
    for (Metric& m : s.metrics) {
      if (!m.integers.empty()) m.integers.erase(m.integers.begin() + n, m.integers.end());
      if (!m.reals.empty()) m.reals.erase(m.reals.begin() + n, m.reals.end());
    }
}

}  // namespace toposim::analysis
