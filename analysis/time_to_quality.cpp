#include "analysis/time_to_quality.hpp"

#include <limits>

#include "analysis/compare/welch.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double inverted(double fault_free_s, double progress) {
  return progress > 0 ? fault_free_s / progress : unknown;
}

}  // namespace

TimeToQuality time_to_quality(double fault_free_s, std::span<const double> progress,
                              std::span<const double> progress_of_seed) {
  TimeToQuality made;
  made.fault_free_s = fault_free_s;
  made.seeds = static_cast<std::int64_t>(progress_of_seed.size());
  made.mean_s = made.ci95_low_s = made.ci95_high_s = unknown;
  for (const double p : progress) made.per_run_s.push_back(inverted(fault_free_s, p));
  if (progress.empty()) return made;
  const Summary<double> histories = summarise(progress);
  made.mean_s = inverted(fault_free_s, histories.mean);
  if (!histories.interval) return made;
  Interval interval = *histories.interval;
  if (!progress_of_seed.empty()) {
    const Summary<double> seeds = summarise(progress_of_seed);
    if (!seeds.sd) return made;
    // That of a difference of two means whose second is zero, but for its spread.
    interval =
        welch_interval({histories.n, histories.mean, *histories.sd}, {seeds.n, 0, *seeds.sd}, default_confidence);
  }
  made.ci95_low_s = inverted(fault_free_s, interval.high);
  made.ci95_high_s = inverted(fault_free_s, interval.low);
  return made;
}

}  // namespace toposim::analysis
