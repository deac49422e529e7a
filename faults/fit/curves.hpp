#pragma once
// What a plot of a sample against fitted distributions shows.
#include <span>
#include <vector>

#include "faults/fit/distribution.hpp"
#include "faults/fit/sample.hpp"

namespace toposim::faults {

/// Events over the time spent at risk between two ages: the hazard, assumed constant in between (actuarial estimate).
struct HazardBin {
  double from_h = 0, to_h = 0;
  std::size_t events = 0;
  double rate_per_h = 0;
};

/// At least `hazard_events_min` events a bin where there are so many, at most `hazard_bins_max` bins; edges are times
/// of events. Empty for an empty sample.
std::vector<HazardBin> hazard_bins(const Sample& sample);
inline constexpr std::size_t hazard_events_min = 20, hazard_bins_max = 20;

/// Observed quantiles at (i - 1/2) / m, m the number of times, at most 100 of them.
struct ObservedQuantile {
  double probability = 0, time_h = 0;
};
std::vector<ObservedQuantile> observed_quantiles(std::span<const double> values_h);
inline constexpr std::size_t quantiles_max = 100;

}  // namespace toposim::faults
