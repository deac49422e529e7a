#pragma once
// One draw of everything that breaks, for one replica of the simulation ("run"): drawn once, replayed by every scheme.
//
// Counter-based (Philox 4x32-10, Random123), keyed by (seed, run, class name) with the component and the draw number as
// counter: a component's faults do not depend on how many other components or classes there are, nor on thread count.
// Gaps and repairs are rounded to integer nanoseconds, which hides last-bit differences of log and pow between
// machines.
#include <cstdint>
#include <span>
#include <vector>

#include "faults/fault_spec.hpp"
#include "topology/cluster.hpp"

namespace toposim::faults {

struct FaultEvent {
  std::int64_t start_ns = 0;
  std::int64_t repair_ns = 0;     ///< duration until the component works again, > 0
  std::uint32_t fault_class = 0;  ///< index into FaultSpec::classes
  std::uint32_t component = 0;    ///< index within its kind
  std::uint32_t choice = 0;       ///< uniform 32-bit draw for what the class leaves open (job-wide or one node; which)
  friend bool operator==(const FaultEvent&, const FaultEvent&) = default;
};

/// Sorted by (start_ns, fault_class, component). A component's own faults never overlap.
using FaultTimeline = std::vector<FaultEvent>;

/// How many components of a kind the cluster has; spares are components like any other.
std::uint32_t component_count(Component kind, const topology::Cluster& cluster);

/// Components per class and thresholds, computed once per scenario; draw() then costs tens of ns per component.
class FaultModel {
 public:
  FaultModel(const FaultSpec& spec, const topology::Cluster& cluster);

  FaultTimeline draw(std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns) const;

  const FaultSpec& spec() const { return spec_; }
  std::uint32_t components(std::uint32_t fault_class) const { return counts_[fault_class]; }
  std::uint64_t total_components() const;
  /// Faults per second at age zero, all components of a class up (exact for exponential gaps; 1/mean for Weibull).
  double rate_per_s(std::uint32_t fault_class) const;

 private:
  FaultSpec spec_;
  std::vector<std::uint32_t> counts_;
};

/// Keeps each event with probability keep, decided per event by a counter-based draw, so that the sets nest:
/// thin(t, a) is a subset of thin(t, b) for a <= b.
FaultTimeline thin(const FaultTimeline& timeline, double keep, std::uint64_t seed);

}  // namespace toposim::faults
