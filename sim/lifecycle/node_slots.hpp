#pragma once
// Which physical node stands in which slot of the job, which are idle spares, which are under repair.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/lifecycle/job_map.hpp"

namespace toposim::sim {

/// A node that goes down leaves its slot; when all its faults are repaired it joins the idle spares, at the end of the
/// line. Vacant slots are filled in the order in which they fell vacant, by the spare that has been idle longest: an
/// order in which node numbers play no part.
class NodeSlots {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit NodeSlots(const JobMap& job);

  /// One more fault on the node. Returns the slot it leaves, none if it stood in none.
  std::uint32_t fail(std::uint32_t node);
  /// One fault less. Returns whether the node works again and has become an idle spare.
  bool repair(std::uint32_t node);
  /// Puts a spare into a vacant slot; none if there is no spare or no vacant slot.
  std::uint32_t fill();

  std::uint32_t count() const { return static_cast<std::uint32_t>(slot_of_.size()); }
  std::uint32_t slot_of(std::uint32_t node) const { return slot_of_[node]; }
  std::uint32_t idle() const { return static_cast<std::uint32_t>(idle_.size()); }
  std::uint32_t spares_in_use() const { return spares_ - std::min(spares_, idle()); }

 private:
  std::uint32_t spares_;
  std::vector<std::uint32_t> slot_of_;  // by node
  std::vector<std::uint32_t> faults_;   // by node: how many are on it now
  std::vector<std::uint32_t> idle_;     // nodes, longest idle first
  std::vector<std::uint32_t> vacant_;   // slots, longest vacant first
};

}  // namespace toposim::sim
