#pragma once
// What a study found, as the named columns of results.
#include <vector>

#include "analysis/accuracy_results.hpp"
#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/gradient_points.hpp"
#include "sim/accuracy/training_cells.hpp"
#include "sim/recorded/recorded_gradients.hpp"

namespace toposim::accuracy {

/// Fills scenes, gradient and draws.
void collect_gradient(const AccuracySpec& spec, const std::vector<GradientPoint>& points,
                      const std::vector<std::string>& groups, analysis::AccuracyResults& results);

/// Fills seeds, metric_name, training, efficiency and curves.
void collect_training(const AccuracySpec& spec, const std::vector<TrainingCell>& cells,
                      analysis::AccuracyResults& results);

/// Fills setting, numbers, fault_cases, schemes and placement: what was asked for, in words.
void describe_study(const workloads::Workload& workload, const AccuracySpec& spec, const DataPlacement& placement,
                    analysis::AccuracyResults& results);
void describe_recording(const recorded::RecordedGradients& recording, const AccuracySpec& spec,
                        const DataPlacement& placement, analysis::AccuracyResults& results);

}  // namespace toposim::accuracy
