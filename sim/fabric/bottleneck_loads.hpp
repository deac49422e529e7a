#pragma once
// Working memory of a bottleneck solve: bytes per arc, per thread, never cleared. An arc's sum counts only if its epoch
// is the current one, so that starting over costs nothing and an exception leaves nothing behind.
#include <cstdint>
#include <span>
#include <vector>

#include "topology/cluster.hpp"

namespace toposim::sim {

/// Arcs whose times differ by less than this, relatively, tie: sums in another order must not name another arc.
inline constexpr double tie_tolerance = 1e-12;

class ArcLoads {
 public:
  /// This thread's instance, empty, for arcs 0 .. arc_count-1.
  static ArcLoads& start(std::uint32_t arc_count);

  /// Returns the arc's bytes so far.
  double add(topology::ArcId arc, double bytes) {
    Slot& slot = slots_[arc];
    if (slot.epoch != epoch_) {
      slot = {bytes, epoch_};
      touched_.push_back(arc);
    } else {
      slot.bytes += bytes;
    }
    return slot.bytes;
  }
  void add(std::span<const topology::ArcId> arcs, double bytes) {
    for (const topology::ArcId arc : arcs) add(arc, bytes);
  }
  bool has(topology::ArcId arc) const { return slots_[arc].epoch == epoch_; }
  double bytes(topology::ArcId arc) const { return has(arc) ? slots_[arc].bytes : 0; }
  const std::vector<topology::ArcId>& touched() const { return touched_; }

 private:
  struct Slot {
    double bytes = 0;
    std::uint32_t epoch = 0;
  };
  std::vector<Slot> slots_;
  std::vector<topology::ArcId> touched_;
  std::uint32_t epoch_ = 0;
};

/// The arc with the largest value (time, or bytes among arcs of one bandwidth) seen so far; of those that tie, the
/// lowest.
class LargestArc {
 public:
  void offer(topology::ArcId arc, double value) {
    if (value > value_ * (1 + tie_tolerance)) {
      value_ = value;
      arc_ = arc;
    } else if (value >= value_ * (1 - tie_tolerance) && value > 0) {
      if (arc < arc_) arc_ = arc;
      if (value > value_) value_ = value;
    }
  }
  double value() const { return value_; }
  topology::ArcId arc() const { return arc_; }

 private:
  double value_ = 0;
  topology::ArcId arc_ = 0;
};

}  // namespace toposim::sim
