#pragma once
// The same failure histories once more for every training seed of a measurement: what its spread does to the result.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/results.hpp"
#include "sim/app/measured_statistics.hpp"
#include "sim/app/world.hpp"
#include "sim/lifecycle/lifecycle.hpp"

namespace toposim::sim {

class QualityRuns {
 public:
  /// `measured`: of each scheme of the world's scenario. The world must outlive it.
  QualityRuns(World& world, const std::vector<std::optional<MeasuredStatistics>>& measured);

  /// One history of a scheme, under the progress of each seed; from any thread, once per replica and scheme. Throws
  /// UnmeasuredState.
  void run(std::int64_t replica, std::size_t scheme, const Outages& outages);

  /// runs: of the scheme, under the mean progress, replica by replica from 0. None where no scheme is measured, or
  /// where this one's progress is assumed.
  std::optional<analysis::TimeToQuality> time_to_quality(std::size_t scheme,
                                                         const std::vector<LifecycleResult>& runs) const;

 private:
  struct OfScheme {
    std::vector<std::unique_ptr<Scheme>> of_seed;
    std::vector<std::vector<double>> progress;  ///< per replica, per seed
    std::string measured_on, source;
  };
  World& world_;
  std::vector<OfScheme> schemes_;
  bool any_ = false;
};

}  // namespace toposim::sim
