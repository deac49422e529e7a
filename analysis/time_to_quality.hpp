#pragma once
#include <span>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// How long a run takes until the loss that one without faults has after fault_free_s: that time over the progress per
/// second, in units of the fault-free run's. `progress`: that of each failure history, under the mean of the measured
/// efficiency; `progress_of_seed`: the mean over the histories under the efficiency that each training seed measured,
/// empty where nothing measured is in it.
///
/// Progress is linear in the efficiency, so its mean over histories and seeds is the mean of either list. Histories and
/// seeds are crossed and independent: its variance is that over histories / histories + that over seeds / seeds (the
/// interaction of the two is in both, so the sum is on the safe side), with the degrees of freedom of Welch and
/// Satterthwaite. The mean and the bounds are inverted: the interval is not symmetric. A bound is NaN where progress
/// could be none, or where there is one history only.
TimeToQuality time_to_quality(double fault_free_s, std::span<const double> progress,
                              std::span<const double> progress_of_seed);

}  // namespace toposim::analysis
