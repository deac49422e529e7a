#pragma once
#include <stdexcept>
#include <vector>

namespace toposim::sim {

/// The job trains with a larger share of its replicas missing than was measured. Says both, and what to do.
class UnmeasuredState : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Progress of one step with a share of the workers dead, over the fault-free step's, as measured in training: a line
/// through (0, 1) and the measured points. Assumes that a step does what training with that share dead on average did
/// per step. Beyond the last point nothing was measured, and nothing is made up.
class MeasuredProgress {
 public:
  struct Point {
    double dead_share = 0;  ///< above 0, at most 1
    double progress = 1;    ///< not negative
  };

  /// Throws std::invalid_argument for no points, values out of range, or two points of one dead share.
  explicit MeasuredProgress(std::vector<Point> points);

  /// Throws UnmeasuredState beyond the last point.
  double at(double dead_share) const;
  double largest_dead_share() const { return points_.back().dead_share; }

 private:
  std::vector<Point> points_;  // by dead_share; the first is (0, 1)
};

}  // namespace toposim::sim
