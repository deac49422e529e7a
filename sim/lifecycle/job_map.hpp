#pragma once
// Which replicas stand on which node slots, as flat arrays. Made once per scenario.
#include <cstdint>
#include <span>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// The job has slots 0 .. slots()-1; physical node s starts in slot s, and the spares are the nodes behind.
class JobMap {
 public:
  JobMap(const topology::Cluster& cluster, const topology::Placement& placement);
  /// Given directly: the replicas on each slot.
  JobMap(std::uint32_t spares, const std::vector<std::vector<std::uint32_t>>& replicas_on_slot);

  std::uint32_t slots() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  std::uint32_t spares() const { return spares_; }
  std::uint32_t nodes() const { return slots() + spares_; }
  std::uint32_t replicas() const { return replicas_; }
  std::span<const std::uint32_t> replicas_on(std::uint32_t slot) const {
    return {replica_.data() + first_[slot], replica_.data() + first_[slot + 1]};
  }

 private:
  void append(const std::vector<std::uint32_t>& replicas);

  std::uint32_t spares_ = 0, replicas_ = 0;
  std::vector<std::uint32_t> first_{0}, replica_;  // replicas of slot s: replica_[first_[s] .. first_[s + 1])
};

}  // namespace toposim::sim
