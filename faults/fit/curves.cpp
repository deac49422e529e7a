#include "faults/fit/curves.hpp"

#include <algorithm>

namespace toposim::faults {

std::vector<HazardBin> hazard_bins(const Sample& sample) {
  std::vector<double> events = sample.values_h, all = sample.values_h;
  all.insert(all.end(), sample.censored_h.begin(), sample.censored_h.end());
  std::sort(events.begin(), events.end());
  std::sort(all.begin(), all.end());
  if (events.empty()) return {};
  const std::size_t count = std::clamp<std::size_t>(events.size() / hazard_events_min, 1, hazard_bins_max);
  std::vector<HazardBin> bins;
  std::size_t event = 0, left = 0;  // first event of the bin; first of all that ends in it
  double from_h = 0;
  for (std::size_t bin = 0; bin < count; ++bin) {
    HazardBin b;
    b.from_h = from_h;
    b.to_h = events[std::min(events.size() - 1, (bin + 1) * events.size() / count - 1)];
    if (b.to_h <= from_h) continue;  // many equal times
    for (; event < events.size() && events[event] <= b.to_h; ++event) ++b.events;
    double at_risk_h = 0;
    for (; left < all.size() && all[left] <= b.to_h; ++left) at_risk_h += all[left] - b.from_h;
    at_risk_h += static_cast<double>(all.size() - left) * (b.to_h - b.from_h);
    b.rate_per_h = static_cast<double>(b.events) / at_risk_h;
    bins.push_back(b);
    from_h = b.to_h;
  }
  return bins;
}

std::vector<ObservedQuantile> observed_quantiles(std::span<const double> values_h) {
  std::vector<double> sorted(values_h.begin(), values_h.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t count = std::min(sorted.size(), quantiles_max);
  std::vector<ObservedQuantile> quantiles;
  for (std::size_t i = 0; i < count; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    const auto at = static_cast<std::size_t>(p * static_cast<double>(sorted.size()));
    quantiles.push_back({p, sorted[std::min(at, sorted.size() - 1)]});
  }
  return quantiles;
}

}  // namespace toposim::faults
