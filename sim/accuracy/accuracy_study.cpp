#include "sim/accuracy/accuracy_study.hpp"

#include "sim/accuracy/collect.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/gradient_points.hpp"
#include "sim/accuracy/training_cells.hpp"

namespace toposim::accuracy {

analysis::AccuracyResults run_accuracy(const AccuracySpec& spec, double available_bytes, int threads,
                                       const StudyHooks& hooks) {
  if (hooks.stage) hooks.stage("reading " + spec.training.workload);
  const auto workload = workloads::make_workload(spec.training.workload, spec.training.data);
  if (hooks.stage) hooks.stage("clustering the training data into domains");
  const DataPlacement placement = place_data(*workload, spec, threads);

  analysis::AccuracyResults results;
  describe_study(*workload, spec, placement, results);
  FaultFreeRun fault_free;
  if (spec.gradient.draws > 0) {
    fault_free = measure_gradients(*workload, spec, placement, available_bytes, threads, hooks);
    collect_gradient(spec, fault_free.points, workload->groups(), results);
  }
  if (spec.seeds > 0) {
    const bool made = !fault_free.result.losses.empty();
    collect_training(spec, train_cells(*workload, spec, placement, made ? &fault_free.result : nullptr, threads, hooks),
                     results);
  }
  return results;
}

void check_accuracy(const AccuracySpec& spec, int threads) {
  const auto workload = workloads::make_workload(spec.training.workload, spec.training.data);
  place_data(*workload, spec, threads);
}

}  // namespace toposim::accuracy
