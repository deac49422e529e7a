#include "sim/lifecycle/level_times.hpp"

#include <numeric>

namespace toposim::sim {

std::int64_t LevelTimes::percentile(double share) const {
  const std::int64_t total = std::accumulate(ns_.begin(), ns_.end(), std::int64_t{0});
  const double wanted = share * static_cast<double>(total);
  std::int64_t below = 0;
  for (std::size_t level = 0; level < ns_.size(); ++level) {
    below += ns_[level];
    if (static_cast<double>(below) >= wanted) return static_cast<std::int64_t>(level);
  }
  return static_cast<std::int64_t>(ns_.size()) - 1;
}

std::int64_t LevelTimes::highest() const {
  for (std::size_t level = ns_.size(); level-- > 1;)
    if (ns_[level] > 0) return static_cast<std::int64_t>(level);
  return 0;
}

}  // namespace toposim::sim
