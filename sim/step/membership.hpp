#pragma once
// What missing replicas change in a prepared phase, found by looking at their own flows only.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/fabric/bottleneck_prepared.hpp"
#include "sim/step/step_state.hpp"
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

/// A prepared phase whose flows stay within replicas, such as stage-to-stage transfers.
class ReplicaPhase {
 public:
  ReplicaPhase(const topology::Router& router, Phase phase, const topology::Placement& placement);

  /// Missing replicas change nothing on a healthy fabric unless they load the busiest arc or have every longest route;
  /// else as solve_incremental().
  PhaseTime incremental(const StepState& state) const;
  /// What is left of the phase.
  Phase without(const std::vector<std::uint32_t>& missing) const {
    return apply(phase_.phase(), flows_.without(missing));
  }

 private:
  const topology::Placement* placement_;
  PreparedPhase phase_;
  ReplicaFlows flows_;
  PhaseTime healthy_;
  std::size_t longest_route_replicas_ = 0;  // that have a flow of the largest latency
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
