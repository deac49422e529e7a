#pragma once
// Hand-made results of an accuracy study: two fault cases, drop and three schemes, two measured steps, four draws, two
// run lengths, five seeds. Plausible, not measured.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/accuracy_results.hpp"

namespace toposim::analysis {

inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// Four draws around a mean, which is theirs exactly but for rounding.
inline std::vector<double> around(double mean, double spread) {
  return {mean - spread, mean + spread, mean - spread / 2, mean + spread / 2};
}
inline Metric real(std::string name, Unit unit, std::vector<double> values) {
  return {std::move(name), unit, {}, std::move(values), false};
}

struct SampleGradient {
  double ratio, over_noise, population, local_l2, local_cosine, lambda, sum, workers;
};
inline AccuracyCell sample_gradient(std::string faults, std::string scheme, std::uint64_t step,
                                    const SampleGradient& g) {
  const bool is_drop = scheme == drop_scheme;
  const double spread = is_drop ? 0 : 0.04;
  const bool above = faults == "domain_out" && scheme == "shrink";
  return {std::move(faults),
          std::move(scheme),
          step,
          {{"dead", Unit::count, {3, 2, 4, 3}, {}, false},
           {"above_threshold", Unit::count, {0, above ? 1 : 0, 0, 0}, {}, false},
           real("global_error_ratio", Unit::ratio, around(g.ratio, spread)),
           real("global_error_over_noise", Unit::ratio, around(g.over_noise, 0.02)),
           real("population_error_ratio", Unit::ratio, around(g.population, spread / 4)),
           real("population_error_over_noise", Unit::ratio, around(1.02 * g.population, 0.01)),
           real("global_cosine", Unit::ratio, around(0.97, 0.01)),
           real("local_l2", Unit::ratio, around(g.local_l2, 0.05)),
           real("local_cosine", Unit::ratio, around(g.local_cosine, 0.03)),
           real("lambda", Unit::number, around(g.lambda, std::isnan(g.lambda) ? 0 : 0.05)),
           real("coefficient_sum", Unit::number, around(g.sum, 0)),
           real("effective_samples", Unit::number, around(g.workers, 0.7))}};
}

/// Losses of fault_free, seed by seed, times 1 + delta.
inline AccuracyCell sample_training(std::string faults, std::string scheme, std::uint64_t steps,
                                    const std::vector<double>& delta, const std::vector<double>& drop_delta) {
  const std::vector<double> reference = steps == 400 ? std::vector<double>{0.300, 0.304, 0.296, 0.302, 0.298}
                                                     : std::vector<double>{0.410, 0.418, 0.402, 0.415, 0.405};
  std::vector<double> loss, to_fault_free, to_drop, accuracy, worst;
  for (std::size_t s = 0; s < reference.size(); ++s) {
    loss.push_back(reference[s] * (1 + delta[s]));
    to_fault_free.push_back((loss[s] - reference[s]) / reference[s]);
    const double drop = drop_delta.empty() ? no_value : reference[s] * (1 + drop_delta[s]);
    to_drop.push_back((loss[s] - drop) / drop);
    accuracy.push_back(std::isnan(loss[s]) ? no_value : 1.06 - loss[s] / 2);
    worst.push_back(std::isnan(loss[s]) ? no_value : 0.98 - loss[s]);
  }
  const bool faultless = scheme == fault_free;
  return {std::move(faults),
          std::move(scheme),
          steps,
          {real("final_loss", Unit::number, loss), real("final_loss_delta", Unit::ratio, to_fault_free),
           real("final_loss_to_drop", Unit::ratio, to_drop), real("final_metric", Unit::ratio, accuracy),
           real("worst_class_metric", Unit::ratio, worst),
           Metric{"full_recoveries", Unit::count, std::vector<std::int64_t>(5, 0), {}, false},
           Metric{"dead_worker_steps", Unit::count, std::vector<std::int64_t>(5, faultless ? 0 : 1280), {}, false},
           Metric{"compensated_steps", Unit::count, std::vector<std::int64_t>(5, faultless ? 0 : 380), {}, false},
           real("loss_swing", Unit::ratio, std::vector<double>(5, faultless ? 0.031 : 0.042))}};
}

inline AccuracyCell sample_efficiency(std::string faults, std::string scheme, std::vector<double> steps_needed) {
  std::vector<double> efficiency;
  for (const double steps : steps_needed) efficiency.push_back(200 / steps);
  return {std::move(faults),
          std::move(scheme),
          0,
          {real("steps_needed", Unit::number, std::move(steps_needed)),
           real("statistical_efficiency", Unit::ratio, std::move(efficiency))}};
}

inline AccuracyResults sample_accuracy() {
  AccuracyResults r;
  r.scenario_name = "digits_domains";
  r.scenario_file = "scenarios/digits_domains.yaml";
  r.scenario_hash = "fnv1a64:8899aabbccddeeff";
  r.seed = 7;
  r.seeds = {11, 12, 13, 14, 15};
  r.draws = 4;
  r.setting = {{"workload", "digits_mlp, 50,890 parameters, 60,000 training samples"},
               {"workers", "64 in 8 domains of 8, 16 samples each per step"},
               {"data", "clustered by 8 embedding dimensions; 15 % of each batch from all samples"},
               {"training", "400 steps, SGD with momentum 0.9"}};
  r.numbers = {{"parameters", 50890}, {"workers", 64}, {"domains", 8}, {"domain_size", 8}, {"batch_samples", 16}};
  r.metric_name = "accuracy";
  r.fault_cases = {{"transient_5", "each worker in each step with probability 5 %", 0.05},
                   {"domain_out", "6 of the 8 workers of one domain, for good", 0.09375}};
  r.schemes = {{"shrink", "lambda x neighbour mean + (1 - lambda) x survivor mean"},
               {"drop", "mean over the survivors"},
               {"literal", "neighbours weighted by 1 / (1 + cos)"},
               {"zero", "nothing in place of the dead"}};
  const auto scene = [](std::uint64_t step, double c_in, double c_out, double noise) {
    const double iid = 1 / (1 + noise / 16);
    return GradientScene{step,
                         {{"c_in", c_in},
                          {"c_out", c_out},
                          {"angle_in_deg", std::acos(c_in) * 57.29577951308232},
                          {"angle_out_deg", std::acos(c_out) * 57.29577951308232},
                          {"noise_scale_samples", noise},
                          {"batch_over_noise_scale", 16 / noise},
                          {"iid_cosine", iid}},
                         {{"hidden", {{"c_in", c_in - 0.05}, {"c_out", c_out - 0.05}}},
                          {"output", {{"c_in", c_in + 0.1}, {"c_out", c_out + 0.1}}}},
                         std::vector<double>(64, c_out)};
  };
  r.scenes = {scene(20, 0.72, 0.41, 6), scene(400, 0.38, 0.12, 40)};

  const double none = no_value;
  // ratio over drop, over noise, population over drop, local L2, local cosine, lambda, coefficient sum, effective
  // workers
  const std::map<std::string, std::vector<SampleGradient>> gradients{
      {"drop", {{1, 0.23, 1, 0.88, 0.55, none, 1, 60.8}, {1, 0.22, 1, 0.97, 0.31, none, 1, 60.8}}},
      {"shrink", {{0.81, 0.186, 0.98, 0.70, 0.72, 0.71, 1, 58.8}, {0.985, 0.217, 1.001, 0.95, 0.38, 0.18, 1, 60.2}}},
      {"literal", {{0.83, 0.19, 0.985, 0.72, 0.71, none, 1, 57.4}, {1.13, 0.249, 1.04, 1.09, 0.38, none, 1, 57.4}}},
      {"zero", {{0.93, 0.214, 1.01, 1, none, none, 0.951, 60.8}, {0.92, 0.202, 1.03, 1, none, none, 0.951, 60.8}}}};
  for (const FaultCase& faults : r.fault_cases) {
    const double biased = faults.name == "domain_out" ? 0.45 : 1;  // compensation pays here
    for (const char* scheme : {"shrink", "drop", "literal", "zero"})
      for (const std::size_t s : {0, 1}) {
        SampleGradient g = gradients.at(scheme)[s];
        if (std::string(scheme) != "zero" && std::string(scheme) != drop_scheme) g.ratio *= biased;
        r.gradient.push_back(sample_gradient(faults.name, scheme, s == 0 ? 20 : 400, g));
      }
  }

  using Deltas = std::map<std::string, std::vector<double>>;
  const Deltas transient{{"drop", {0.001, 0.004, -0.001, 0.002, 0.003}},
                         {"shrink", {0.002, 0.003, 0.0005, 0.002, 0.002}},
                         {"literal", {0.006, 0.009, 0.005, 0.006, 0.009}},
                         {"zero", {0.10, 0.09, 0.11, 0.10, 0.098}}};
  const Deltas persistent{{"drop", {0.052, 0.047, 0.05, 0.055, 0.046}},
                          {"shrink", {0.021, 0.018, 0.02, 0.024, 0.017}},
                          {"literal", {0.015, 0.013, 0.012, 0.017, 0.014}},
                          {"zero", {0.15, 0.14, no_value, 0.16, 0.15}}};
  for (const std::uint64_t steps : {200, 400}) {
    r.training.push_back(sample_training(no_faults, fault_free, steps, std::vector<double>(5, 0), {}));
    for (const auto& [faults, deltas] : {std::pair{"transient_5", &transient}, std::pair{"domain_out", &persistent}})
      for (const char* scheme : {"shrink", "drop", "literal", "zero"})
        r.training.push_back(sample_training(faults, scheme, steps, deltas->at(scheme), deltas->at("drop")));
  }
  r.efficiency = {sample_efficiency("transient_5", "shrink", {202, 205, 201, 203, 204}),
                  sample_efficiency("transient_5", "drop", {203, 205, 200, 204, 204}),
                  sample_efficiency("domain_out", "shrink", {240, 238, 241, 244, 236}),
                  sample_efficiency("domain_out", "drop", {330, 345, no_value, 360, no_value})};
  for (const std::uint64_t seed : r.seeds)
    r.curves.push_back({"transient_5", "shrink", seed, 200, {2.31, 2.02}, {{0, 2.3}, {100, 0.6}, {200, 0.41}}});
  r.placement = {std::vector<std::uint64_t>(8, 7500),
                 0.31,
                 0.74,
                 {},
                 {"domain 3 holds 82 % of all samples of class 7: losing it loses the class",
                  "domain 5's mean gradient has cosine 0.05 with the others: keep 15 % of each batch global"}};
  r.versions = {{"toposim", "0.1.0"}, {"commit", "0123456"}};
  r.cost = {{"cpu_s", 93.1}, {"wall_s", 48.2}, {"memory_peak_bytes", 310e6}, {"threads", 2}};
  r.output_directory = "out/digits_domains";
  return r;
}

}  // namespace toposim::analysis
