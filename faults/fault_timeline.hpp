#pragma once
// One draw of everything that breaks, for one replica of the simulation ("run"): drawn once, replayed by every scheme.
//
// Counter-based (Philox 4x32-10, Random123): the key is (seed, class name), the counter (component, fault number,
// run). So a component's faults depend neither on how many other components or classes there are, nor on the order of
// calls or the number of threads. Drawn times are whole microseconds or more, correctly rounded (gap_distribution.hpp):
// the same on every machine.
#include <cstdint>
#include <vector>

#include "faults/fault_spec.hpp"
#include "faults/gap_distribution.hpp"
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

/// A draw with more events than this is refused.
inline constexpr std::size_t events_per_draw_max = 10'000'000;

/// Components per class and gap distributions, computed once per scenario; draw() then costs a few ns per component
/// plus a microsecond or so per fault.
class FaultModel {
 public:
  /// Throws FaultError listing every problem of the spec. A class whose component the cluster does not have (cores of
  /// a two-tier fabric) has 0 components and never fails.
  FaultModel(const FaultSpec& spec, const topology::Cluster& cluster);
  /// With the number of components of each class given.
  FaultModel(const FaultSpec& spec, std::vector<std::uint32_t> components);

  /// All faults that start in [0, horizon_ns): per component an alternating renewal process of gaps and repairs, up at
  /// time 0, with the age of one long under way. Any thread. Throws FaultError naming the class when there would be
  /// more than events_per_draw_max.
  FaultTimeline draw(std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns) const;

  const FaultSpec& spec() const { return spec_; }
  std::uint32_t components(std::uint32_t fault_class) const { return counts_[fault_class]; }
  std::uint64_t total_components() const;
  /// Faults per second while all components of a class are up: components / mtbf, for either shape of gaps.
  double rate_per_s(std::uint32_t fault_class) const;

 private:
  void draw_class(std::uint32_t fault_class, std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns,
                  FaultTimeline& timeline) const;

  FaultSpec spec_;
  std::vector<std::uint32_t> counts_;
  std::vector<GapDistribution> gaps_;
  std::vector<RepairDistribution> repairs_;
};

/// Keeps each event with probability keep, decided per event by a counter-based draw, so that the sets nest:
/// thin(t, a) is a subset of thin(t, b) for a <= b. Throws FaultError unless 0 <= keep <= 1.
FaultTimeline thin(const FaultTimeline& timeline, double keep, std::uint64_t seed);

}  // namespace toposim::faults
