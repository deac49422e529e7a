#include "sim/schemes/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace toposim::sim {

double step_progress(const StatisticsSpec& spec, double global_batch_samples, double share) {
  if (share >= 1) return 1;
  if (share <= 0) return 0;
  double s = 1;
  if (spec.learning_rate == StatisticsSpec::LearningRate::linear) s = share;
  if (spec.learning_rate == StatisticsSpec::LearningRate::sqrt) s = std::sqrt(share);
  const double noise = spec.noise_scale_samples / global_batch_samples;
  const double variance = spec.noise_scale_samples < 0 ? 1 / share : (1 + noise / share) / (1 + noise);
  return std::max(0.0, 2 * s - s * s * variance);
}

}  // namespace toposim::sim
