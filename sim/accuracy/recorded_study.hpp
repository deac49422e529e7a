#pragma once
// The gradient part of a study on gradients that were recorded in somebody's own training.
#include <vector>

#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/gradient_points.hpp"
#include "sim/accuracy/study_hooks.hpp"
#include "sim/recorded/recorded_gradients.hpp"

namespace toposim::accuracy {

/// Domains as recorded, or of placement.domain_size; centroids where embeddings were recorded. Nothing is known of the
/// samples. Throws AccuracyError where recording and scenario do not fit together.
DataPlacement place_recorded(const recorded::RecordedGradients& recording, const AccuracySpec& spec);

/// At the recorded steps that gradient.at names, as shares of their list. Earlier gradients are known where the steps
/// just before were recorded too. Reads pieces of all workers' gradients at a time, so that a recording may be larger
/// than available_bytes; throws AccuracyError where their inner products do not fit.
std::vector<GradientPoint> measure_recorded(const recorded::RecordedGradients& recording, const AccuracySpec& spec,
                                            const DataPlacement& placement, double available_bytes, int threads,
                                            const StudyHooks& hooks);

/// Samples behind one worker's gradient: as in the scenario, else as recorded, else 1 (noise scales are then in
/// batches).
std::uint32_t recorded_batch(const recorded::RecordedGradients& recording, const AccuracySpec& spec);

}  // namespace toposim::accuracy
