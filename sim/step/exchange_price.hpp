#pragma once
// The price of one exchange in any state: prepared once on the healthy fabric, then as a difference to it.
//
// The algorithm and protocol are chosen once, on the healthy fabric with everybody present, as NCCL's tuner does from
// sizes and ranks, and kept in every state; only where the algorithm does not fit the groups that a loss leaves is the
// choice made again.
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "sim/fabric/bottleneck_prepared.hpp"
#include "sim/step/communication.hpp"
#include "sim/step/membership.hpp"
#include "sim/step/step_state.hpp"

namespace toposim::sim {

/// What every exchange of a job shares; outlives them.
struct ExchangeSite {
  const topology::Router& router;
  const topology::Placement& placement;
  const LatencySpec& latency;
  FabricModel& bottleneck;
  const topology::Cluster& cluster() const { return router.cluster(); }
};

/// Once. Transfer scales with the bytes, latency does not.
struct ExchangeTime {
  double transfer_s = 0, latency_s = 0;
  double total_s() const { return transfer_s + latency_s; }
};

/// Groups that lie inside nodes (tensor parallelism). Nodes share no link and are all alike, so one healthy group and
/// those with a broken NVLink stand for all: the slowest sets the pace.
class NodeExchange {
 public:
  NodeExchange(CollectiveRequest request, Algorithm algorithm, const ExchangeSite& site);

  const CollectiveTime& healthy() const { return healthy_; }
  ExchangeTime incremental(const StepState& state) const;
  ExchangeTime full(const StepState& state, FabricModel& model) const;

 private:
  /// The groups on nodes with a broken NVLink, and one more.
  CollectiveRequest representatives(const StepState& state) const;

  const ExchangeSite* site_;
  CollectiveRequest request_;
  CollectivePlan plan_;  // of the first group
  CollectiveTime healthy_;
};

/// Groups that span nodes. A state costs what it changes where a missing replica takes whole groups with it, or where
/// every group is one ring over one GPU per node, in which the neighbours of the lost member join hands; else the
/// surviving groups are planned and solved afresh.
class FabricExchange {
 public:
  FabricExchange(CollectiveRequest request, Membership membership, PricedPlan best, const ExchangeSite& site);

  const CollectiveTime& healthy() const { return healthy_; }
  ExchangeTime incremental(const StepState& state) const;
  ExchangeTime full(const StepState& state, FabricModel& model) const;

  /// Whether another collective over the same groups, so planned, sends the same messages at another size, in any
  /// state: a gather does after a reduce-scatter by the same ring. Its time follows from this one's.
  bool same_messages(const CollectiveRequest& request, const CollectivePlan& plan) const;

 private:
  /// One per phase of phases_, or nothing where the loss is no small change.
  std::optional<std::vector<MembershipDelta>> deltas(const std::vector<std::uint32_t>& missing) const;

  const ExchangeSite* site_;
  CollectiveRequest request_;
  Membership membership_{};
  CollectivePlan plan_;
  CollectiveTime healthy_;
  bool streams_ = false;  // some phase reduces in switches: its trees depend on the state
  // One of these per phase of the plan, in order:
  std::vector<ReplicaPhase> replica_phases_;  // within_replica
  std::vector<PreparedPhase> phases_;         // otherwise; and, where every group is one ring over one GPU per node,
  std::vector<Rings> rings_;
};

using PricedExchange = std::variant<NodeExchange, FabricExchange>;
PricedExchange price_exchange(const Exchange& exchange, Algorithm algorithm, const ExchangeSite& site);

/// Stage-to-stage transfers (pipeline_phase), all boundaries once.
class PipelineTransfer {
 public:
  PipelineTransfer(Phase phase, const ExchangeSite& site) : phase_(site.router, std::move(phase), site.placement) {}

  ExchangeTime incremental(const StepState& state) const;
  ExchangeTime full(const StepState& state, FabricModel& model) const;

 private:
  ReplicaPhase phase_;
};

}  // namespace toposim::sim
