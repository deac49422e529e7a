#pragma once
// What missing replicas change in a prepared phase, found by looking at their own flows only.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/fabric/bottleneck_prepared.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// The flows of a phase by the replica they start in. Eight bytes a flow.
class ReplicaFlows {
 public:
  ReplicaFlows(const Phase& phase, const topology::Placement& placement);

  std::span<const std::uint32_t> of(std::uint32_t replica) const;
  /// For a phase whose flows stay within replicas: those of the missing ones are gone.
  MembershipDelta without(const std::vector<std::uint32_t>& missing) const;

 private:
  std::vector<std::uint32_t> first_, flows_;
};

/// A phase made of rings, in which every GPU sends one flow and receives one.
class Rings {
 public:
  /// Nothing if the phase is not of that kind.
  static std::optional<Rings> find(const Phase& phase, const topology::Placement& placement);

  /// The missing replicas' GPUs leave and their neighbours join hands. `hop_bytes` and `rounds` are the shorter ring's.
  MembershipDelta closed_around(const Phase& phase, const topology::Placement& placement,
                                const std::vector<std::uint32_t>& missing, double hop_bytes, double rounds) const;

 private:
  ReplicaFlows flows_;
  std::vector<std::uint32_t> out_, in_;  // per GPU of the job, by vertex: the flow that leaves, reaches it
  explicit Rings(ReplicaFlows flows) : flows_(std::move(flows)) {}
};

}  // namespace toposim::sim
