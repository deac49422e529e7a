#include "sim/app/collect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/collectives/collective.hpp"

namespace toposim::sim {
namespace {

using analysis::Metric;
using analysis::Unit;

template <typename Value>
Metric integers(const std::vector<LifecycleResult>& runs, std::string name, Unit unit, const Value& value) {
  Metric metric{.name = std::move(name), .unit = unit, .integers = {}, .reals = {}};
  metric.integers.reserve(runs.size());
  for (const LifecycleResult& run : runs) metric.integers.push_back(value(run));
  return metric;
}

template <typename Value>
Metric reals(const std::vector<LifecycleResult>& runs, std::string name, Unit unit, const Value& value) {
  Metric metric{.name = std::move(name), .unit = unit, .integers = {}, .reals = {}};
  metric.reals.reserve(runs.size());
  for (const LifecycleResult& run : runs) metric.reals.push_back(value(run));
  return metric;
}

}  // namespace

std::vector<Metric> lifecycle_metrics(const std::vector<LifecycleResult>& runs, std::int64_t nominal_step_ns,
                                      double price_per_hour) {
  std::vector<Metric> metrics;
  using Run = const LifecycleResult&;
  const auto count = [&](const char* name, std::int64_t LifecycleResult::*member) {
    metrics.push_back(integers(runs, name, Unit::count, [member](Run run) { return run.*member; }));
  };
  metrics.push_back(reals(runs, "ettr", Unit::ratio, [](Run run) { return ettr(run); }));
  metrics.push_back(
      reals(runs, "goodput_steps", Unit::ratio, [&](Run run) { return goodput_steps(run, nominal_step_ns); }));
  metrics.push_back(
      reals(runs, "goodput_samples", Unit::ratio, [&](Run run) { return goodput_samples(run, nominal_step_ns); }));
  metrics.push_back(
      reals(runs, "goodput_progress", Unit::ratio, [&](Run run) { return goodput_progress(run, nominal_step_ns); }));
  metrics.push_back(integers(runs, "wall_s", Unit::duration_ns, [](Run run) { return run.wall_ns; }));
  for (std::size_t i = 0; i < bucket_count; ++i) {
    const auto bucket = static_cast<Bucket>(i);
    metrics.push_back(integers(runs, fmt::format("{}_s", to_string(bucket)), Unit::duration_ns,
                               [bucket](Run run) { return run.bucket(bucket); }));
    metrics.back().bucket = true;
  }
  metrics.push_back(integers(runs, "recompute_s", Unit::duration_ns, [](Run run) { return run.recompute_ns; }));
  count("kept_steps", &LifecycleResult::kept_steps);
  count("lost_steps", &LifecycleResult::lost_steps);
  metrics.push_back(reals(runs, "kept_batches", Unit::number, [](Run run) { return run.kept_samples; }));
  count("faults", &LifecycleResult::faults);
  count("faults_felt", &LifecycleResult::faults_felt);
  count("faults_in_recovery", &LifecycleResult::faults_in_recovery);
  count("full_recoveries", &LifecycleResult::full_recoveries);
  count("replica_losses", &LifecycleResult::replica_losses);
  count("rejoins", &LifecycleResult::rejoins);
  count("checkpoints", &LifecycleResult::checkpoints);
  count("spares_in_use_p50", &LifecycleResult::spares_in_use_p50);
  count("spares_in_use_p99", &LifecycleResult::spares_in_use_p99);
  count("spares_in_use_max", &LifecycleResult::spares_in_use_max);
  metrics.push_back(
      reals(runs, "replicas_missing_mean", Unit::number, [](Run run) { return run.replicas_missing_mean; }));
  if (price_per_hour > 0) {
    metrics.push_back(reals(runs, "price_per_1000_kept_steps", Unit::number, [price_per_hour](Run run) {
      const double hours = static_cast<double>(run.wall_ns) / 3.6e12;
      // A run that kept none is priced as if it had kept one: what it cost at least.
      return 1000 * price_per_hour * hours / static_cast<double>(std::max<std::int64_t>(1, run.kept_steps));
    }));
  }
  return metrics;
}

void collect_step(const StepBreakdown& step, analysis::Results& results) {
  results.step_exposed_s = {{"compute_s", step.compute_s},
                            {"tensor_parallel_s", step.tensor_parallel_s},
                            {"pipeline_bubble_s", step.pipeline_bubble_s},
                            {"pipeline_transfer_s", step.pipeline_transfer_s},
                            {"expert_parallel_s", step.expert_parallel_s},
                            {"context_parallel_s", step.context_parallel_s},
                            {"data_parallel_s", step.data_parallel_s},
                            {"optimizer_s", step.optimizer_s},
                            {"straggler_wait_s", step.straggler_wait_s}};
  results.step_hidden_s = {{"tensor_parallel_s", step.hidden_tensor_parallel_s},
                           {"pipeline_transfer_s", step.hidden_pipeline_s},
                           {"context_parallel_s", step.hidden_context_parallel_s},
                           {"data_parallel_s", step.hidden_data_parallel_s}};
  results.step_shape = {{"step_time_s", step.step_time_s},
                        {"mfu", step.mfu},
                        {"model_flops", step.model_flops},
                        {"micro_batches", static_cast<double>(step.micro_batches)},
                        {"data_parallel_busbw_Bps", step.data_parallel_busbw_Bps}};
  results.step_choices = {{"data_parallel_algorithm", to_string(step.data_parallel_algorithm)}};
}

void collect_memory(const MemoryUse& memory, analysis::Results& results) {
  results.memory_bytes = {{"weights_bytes", memory.weights},     {"gradients_bytes", memory.gradients},
                          {"optimizer_bytes", memory.optimizer}, {"activations_bytes", memory.activations},
                          {"total_bytes", memory.total()},       {"capacity_bytes", memory.capacity}};
}

std::vector<analysis::TimelineRow> timeline_rows(const std::string& scheme, const std::vector<LifecycleEvent>& events) {
  std::vector<analysis::TimelineRow> rows;
  rows.reserve(events.size());
  for (const LifecycleEvent& event : events) {
    rows.push_back({.scheme = scheme,
                    .time_ns = event.time_ns,
                    .event = event.event,
                    .cause = event.cause,
                    .node = event.node,
                    .replica = event.replica,
                    .step = event.step,
                    .replicas_active = event.replicas_active,
                    .spares_free = event.spares_free});
  }
  return rows;
}

}  // namespace toposim::sim
