#pragma once
// The gradient part of a study: at some steps of the fault-free run, the gradients as they are and what estimators make
// of random failures.
#include <cstdint>
#include <vector>

#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/failure_draws.hpp"
#include "sim/accuracy/gradient_scene.hpp"
#include "sim/accuracy/study_hooks.hpp"
#include "sim/emulator/training_run.hpp"

namespace toposim::accuracy {

struct GradientPoint {
  Scene scene;
  std::vector<std::vector<std::vector<DrawErrors>>> draws;  ///< [fault case][scheme][draw]
};

struct FaultFreeRun {
  emulator::RunResult result;  ///< of the first seed and full length; of no steps where no training was asked for
  std::vector<GradientPoint> points;
};

/// The scene of one step, and all fault cases and schemes on it.
GradientPoint measure_point(const StepSimilarities& similarities, const AccuracySpec& spec,
                            const DataPlacement& placement, std::uint32_t batch, int threads, const StudyHooks& hooks);

/// Earlier steps whose gradients, and whose sketches, the schemes look at.
struct Lookback {
  std::size_t gradients = 0, sketches = 0;
};
Lookback lookback_of(const AccuracySpec& spec);
bool any_int8(const AccuracySpec& spec);

/// Throws AccuracyError where the gradients do not fit into available_bytes.
FaultFreeRun measure_gradients(const workloads::Workload& workload, const AccuracySpec& spec,
                               const DataPlacement& placement, double available_bytes, int threads,
                               const StudyHooks& hooks);

/// The steps that spec.gradient.at names: rising, without repetition.
std::vector<std::uint64_t> measured_steps(const AccuracySpec& spec);

}  // namespace toposim::accuracy
