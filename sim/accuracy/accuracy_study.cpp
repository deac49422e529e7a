#include "sim/accuracy/accuracy_study.hpp"

#include "sim/accuracy/collect.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/diagnostics.hpp"
#include "sim/accuracy/gradient_points.hpp"
#include "sim/accuracy/recorded_study.hpp"
#include "sim/accuracy/timeline_file.hpp"
#include "sim/accuracy/training_cells.hpp"

namespace toposim::accuracy {

namespace {

std::vector<std::string> names_of(const auto& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) names.push_back(group.name);
  return names;
}

/// The absences of timelines, read from their files.
AccuracySpec with_timelines(const AccuracySpec& spec, std::uint32_t workers) {
  AccuracySpec filled = spec;
  for (FaultCaseSpec& faults : filled.faults) {
    if (faults.faults.pattern != emulator::FaultPattern::timeline) continue;
    faults.faults.absences = worker_absences(read_timeline(faults.timeline, faults.timeline_scheme), workers);
    faults.faults.steps = spec.training.steps;
  }
  return filled;
}

analysis::AccuracyResults run_recorded(const AccuracySpec& asked, double available_bytes, int threads,
                                       const StudyHooks& hooks) {
  if (hooks.stage) hooks.stage("reading the headers of " + asked.recorded.path);
  const auto recording = recorded::RecordedGradients::open(asked.recorded.path);
  const AccuracySpec spec = with_timelines(asked, static_cast<std::uint32_t>(recording.workers()));
  const DataPlacement placement = place_recorded(recording, spec);
  analysis::AccuracyResults results;
  describe_recording(recording, spec, placement, results);
  collect_gradient(spec, measure_recorded(recording, spec, placement, available_bytes, threads, hooks),
                   names_of(recording.groups()), results);
  add_advice(spec, placement, recorded_batch(recording, spec), results);
  return results;
}

}  // namespace

analysis::AccuracyResults run_accuracy(const AccuracySpec& asked, double available_bytes, int threads,
                                       const StudyHooks& hooks) {
  if (!asked.recorded.path.empty()) return run_recorded(asked, available_bytes, threads, hooks);
  const AccuracySpec spec = with_timelines(asked, asked.training.workers);
  if (hooks.stage) hooks.stage("reading " + spec.training.workload);
  const auto workload = workloads::make_workload(spec.training.workload, spec.training.data);
  if (hooks.stage) hooks.stage("clustering the training data into domains");
  const DataPlacement placement = place_data(*workload, spec, threads);

  analysis::AccuracyResults results;
  describe_study(*workload, spec, placement, results);
  FaultFreeRun fault_free;
  if (spec.gradient.draws > 0) {
    fault_free = measure_gradients(*workload, spec, placement, available_bytes, threads, hooks);
    collect_gradient(spec, fault_free.points, names_of(workload->groups()), results);
  }
  if (spec.seeds > 0) {
    const bool made = !fault_free.result.losses.empty();
    collect_training(spec, train_cells(*workload, spec, placement, made ? &fault_free.result : nullptr, threads, hooks),
                     results);
  }
  add_advice(spec, placement, spec.training.batch, results);
  return results;
}

void check_accuracy(const AccuracySpec& asked, int threads) {
  if (!asked.recorded.path.empty()) {
    const auto recording = recorded::RecordedGradients::open(asked.recorded.path);
    place_recorded(recording, with_timelines(asked, static_cast<std::uint32_t>(recording.workers())));
    return;
  }
  const AccuracySpec spec = with_timelines(asked, asked.training.workers);
  const auto workload = workloads::make_workload(spec.training.workload, spec.training.data);
  place_data(*workload, spec, threads);
}

}  // namespace toposim::accuracy
