#pragma once
// What estimators make of thousands of random failures of one step, exactly: an estimate is a vector of coefficients,
// so its error is a quadratic form in the inner products.
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/step_similarities.hpp"

namespace toposim::accuracy {

/// One draw under one estimator. NaN: there is no such value.
struct DrawErrors {
  std::int64_t dead = 0;
  bool above_threshold = false;   ///< the trainer would recover in full instead
  double global_error_ratio = 0;  ///< |applied - full| / |drop - full|; 1 where both are 0
  double global_error_over_noise = 0;
  double population_error_ratio = 0, population_error_over_noise = 0;  ///< against the population gradient
  double global_cosine = 0;
  double local_l2 = 0, local_cosine = 0;  ///< mean over the first few dead: estimate against truth, |e - t| / |t|
  double lambda = 0, coefficient_sum = 0, effective_samples = 0;
  std::vector<double> group_error_ratio;  ///< global_error_ratio by layer group
};

/// Dead workers of a draw whose estimate is compared with the truth one by one.
inline constexpr std::size_t local_errors_max = 4;

struct DrawSpec {
  std::span<const std::uint32_t> domain;  ///< per worker
  std::size_t centroid_width = 0;
  std::span<const float> centroids;
  std::uint32_t draws = 0;
  std::uint64_t seed = 1;
  int threads = 1;
};

/// [scheme][draw]. Every scheme meets the same draws, each with somebody dead. The workers of lasting faults have no
/// history; the others have that of `similarities`. Throws std::invalid_argument for faults that hardly ever kill.
std::vector<std::vector<DrawErrors>> draw_failures(const StepSimilarities& similarities, const FaultCaseSpec& faults,
                                                   std::span<const SchemeSpec> schemes, const DrawSpec& spec);

}  // namespace toposim::accuracy
