#include "sim/accuracy/accuracy_study.hpp"

#include "sim/accuracy/collect.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/gradient_points.hpp"
#include "sim/accuracy/recorded_study.hpp"
#include "sim/accuracy/training_cells.hpp"

namespace toposim::accuracy {

namespace {

std::vector<std::string> names_of(const auto& groups) {
  std::vector<std::string> names;
  for (const auto& group : groups) names.push_back(group.name);
  return names;
}

analysis::AccuracyResults run_recorded(const AccuracySpec& spec, double available_bytes, int threads,
                                       const StudyHooks& hooks) {
  if (hooks.stage) hooks.stage("reading the headers of " + spec.recorded.path);
  const auto recording = recorded::RecordedGradients::open(spec.recorded.path);
  const DataPlacement placement = place_recorded(recording, spec);
  analysis::AccuracyResults results;
  describe_recording(recording, spec, placement, results);
  collect_gradient(spec, measure_recorded(recording, spec, placement, available_bytes, threads, hooks),
                   names_of(recording.groups()), results);
  return results;
}

}  // namespace

analysis::AccuracyResults run_accuracy(const AccuracySpec& spec, double available_bytes, int threads,
                                       const StudyHooks& hooks) {
  if (!spec.recorded.path.empty()) return run_recorded(spec, available_bytes, threads, hooks);
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
  return results;
}

void check_accuracy(const AccuracySpec& spec, int threads) {
  if (!spec.recorded.path.empty()) {
    place_recorded(recorded::RecordedGradients::open(spec.recorded.path), spec);
    return;
  }
  const auto workload = workloads::make_workload(spec.training.workload, spec.training.data);
  place_data(*workload, spec, threads);
}

}  // namespace toposim::accuracy
