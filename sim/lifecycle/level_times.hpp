#pragma once
// How long a count stood at each level: percentiles weighted by time.
#include <cstdint>
#include <vector>

namespace toposim::sim {

class LevelTimes {
 public:
  explicit LevelTimes(std::uint32_t highest) : ns_(highest + 1, 0) {}

  void add(std::uint32_t level, std::int64_t dt_ns) { ns_[level] += dt_ns; }
  /// Lowest level at or below which the count stood for at least this share of the time.
  std::int64_t percentile(double share) const;
  std::int64_t highest() const;  ///< at which it stood at all

 private:
  std::vector<std::int64_t> ns_;
};

}  // namespace toposim::sim
