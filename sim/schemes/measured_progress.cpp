#include "sim/schemes/measured_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace toposim::sim {

MeasuredProgress::MeasuredProgress(std::vector<Point> points) : points_(std::move(points)) {
  if (points_.empty()) throw std::invalid_argument("measured progress has no points");
  for (const Point& p : points_)
    if (!(p.dead_share > 0 && p.dead_share <= 1 && p.progress >= 0 && std::isfinite(p.progress)))
      throw std::invalid_argument("measured progress has a dead share outside (0, 1] or a progress that is no number");
  points_.push_back({0, 1});
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.dead_share < b.dead_share; });
  for (std::size_t i = 1; i < points_.size(); ++i)
    if (points_[i].dead_share == points_[i - 1].dead_share)
      throw std::invalid_argument("measured progress has two points of one dead share");
}

double MeasuredProgress::at(double dead_share) const {
  // Shares that are the same may have been divided out differently.
  constexpr double rounding = 1e-9;
  const double largest = largest_dead_share();
  if (dead_share > largest + rounding)
    throw UnmeasuredState(fmt::format(
        "the job trains on with {:.4g} % of its replicas missing, and efficiency was measured up to {:.4g} %; measure "
        "more fault cases, raise minimum_replicas so that it stops before, or drop `accuracy` from statistics",
        100 * dead_share, 100 * largest));
  const auto above =
      std::find_if(points_.begin() + 1, points_.end() - 1, [&](const Point& p) { return p.dead_share >= dead_share; });
  const Point &a = *(above - 1), &b = *above;
  const double t = std::min(1.0, (dead_share - a.dead_share) / (b.dead_share - a.dead_share));
  return a.progress + t * (b.progress - a.progress);
}

}  // namespace toposim::sim
