#include "sim/step/exchange_price.hpp"

#include <algorithm>
#include <utility>

namespace toposim::sim {
namespace {

using topology::Cluster;
using topology::FabricState;
using topology::VertexId;

ExchangeTime split(const CollectiveTime& time) {
  return {time.total_s - time.latency_s, time.latency_s};
}

/// Plans a request as it was planned on the healthy fabric; where a loss has left groups that this algorithm cannot
/// serve, chooses again. Nobody left to talk to: no time.
ExchangeTime replanned(const CollectiveRequest& request, const CollectivePlan& healthy, const ExchangeSite& site,
                       const FabricState& state, FabricModel& model) {
  if (request.groups.empty()) return {};
  const std::vector<Algorithm> fit = applicable(request, site.cluster());
  if (std::find(fit.begin(), fit.end(), healthy.algorithm) == fit.end()) {
    return split(run_collective(request, Algorithm::automatic, site.cluster(), site.latency, model, state));
  }
  const CollectivePlan again = plan(request, healthy.algorithm, site.cluster(), site.latency, healthy.protocol, state);
  return split(price(again, request, model, state));
}

bool inside_nodes(const CollectiveRequest& request, const Cluster& cluster) {
  return std::all_of(request.groups.begin(), request.groups.end(), [&](const auto& group) {
    return std::all_of(group.begin(), group.end(),
                       [&](VertexId gpu) { return cluster.node_of(gpu) == cluster.node_of(group.front()); });
  });
}

bool one_gpu_per_node(const CollectiveRequest& request, const Cluster& cluster) {
  std::vector<std::uint32_t> nodes;
  for (const auto& group : request.groups) {
    nodes.clear();
    for (const VertexId gpu : group) nodes.push_back(cluster.node_of(gpu));
    std::sort(nodes.begin(), nodes.end());
    if (std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end()) return false;
  }
  return true;
}

}  // namespace

NodeExchange::NodeExchange(CollectiveRequest request, Algorithm algorithm, const ExchangeSite& site)
    : site_(&site), request_(std::move(request)) {
  const CollectiveRequest first{request_.kind, {request_.groups.front()}, request_.bytes};
  PricedPlan best = best_plan(first, algorithm, site.cluster(), site.latency, site.bottleneck, {});
  plan_ = std::move(best.plan);
  healthy_ = std::move(best.time);
}

CollectiveRequest NodeExchange::representatives(const StepState& state) const {
  const Cluster& cluster = site_->cluster();
  std::vector<std::uint32_t> broken_nodes;
  for (const FabricState::Entry& entry : state.fabric.entries()) {
    if (cluster.arc(entry.arc).kind == topology::LinkKind::nvlink) {
      broken_nodes.push_back(cluster.node_of(cluster.source(entry.arc)));
    }
  }
  std::sort(broken_nodes.begin(), broken_nodes.end());
  CollectiveRequest some{request_.kind, {}, request_.bytes};
  bool have_healthy = false;
  for (const auto& group : request_.groups) {
    const VertexId gpu = group.front();
    const bool broken = std::binary_search(broken_nodes.begin(), broken_nodes.end(), cluster.node_of(gpu));
    if (!broken && have_healthy) continue;
    const std::uint32_t replica = site_->placement.replica_of_gpu(gpu);
    if (std::binary_search(state.missing_replicas.begin(), state.missing_replicas.end(), replica)) continue;
    some.groups.push_back(group);
    have_healthy = have_healthy || !broken;
  }
  return some;
}

ExchangeTime NodeExchange::incremental(const StepState& state) const {
  const auto& entries = state.fabric.entries();
  const bool nvlink_broken = std::any_of(entries.begin(), entries.end(), [&](const FabricState::Entry& entry) {
    return site_->cluster().arc(entry.arc).kind == topology::LinkKind::nvlink;
  });
  return nvlink_broken ? full(state, site_->bottleneck) : split(healthy_);
}

ExchangeTime NodeExchange::full(const StepState& state, FabricModel& model) const {
  return replanned(representatives(state), plan_, *site_, state.fabric, model);
}

FabricExchange::FabricExchange(CollectiveRequest request, Membership membership, PricedPlan best,
                               const ExchangeSite& site)
    : site_(&site),
      request_(std::move(request)),
      membership_(membership),
      plan_(std::move(best.plan)),
      healthy_(std::move(best.time)) {
  streams_ = std::any_of(plan_.phases.begin(), plan_.phases.end(),
                         [](const Phase& phase) { return !phase.arc_flows.empty(); });
  if (streams_) return;
  const bool rings = membership_ == Membership::all_replicas && one_gpu_per_node(request_, site.cluster());
  for (const Phase& phase : plan_.phases) {
    if (membership_ == Membership::within_replica) {
      replica_phases_.emplace_back(site.router, phase, site.placement);
      continue;
    }
    phases_.emplace_back(site.router, phase);
    if (!rings) continue;
    if (auto found = Rings::find(phase, site.placement)) rings_.push_back(std::move(*found));
  }
  if (rings_.size() != phases_.size()) rings_.clear();
}

bool FabricExchange::same_messages(const CollectiveRequest& request, const CollectivePlan& plan) const {
  if (rings_.empty() || plan.pipelined || plan_.pipelined || plan.phases.size() != 1 || plan_.phases.size() != 1 ||
      plan.algorithm != plan_.algorithm || plan.protocol != plan_.protocol || request.groups != request_.groups) {
    return false;
  }
  const Phase &theirs = plan.phases.front(), &ours = plan_.phases.front();
  return theirs.rounds == ours.rounds && theirs.round_overhead_s == ours.round_overhead_s &&
         bus_factor(request.kind, static_cast<double>(request.groups.front().size())) ==
             bus_factor(request_.kind, static_cast<double>(request.groups.front().size()));
}

std::optional<std::vector<MembershipDelta>> FabricExchange::deltas(const std::vector<std::uint32_t>& missing) const {
  std::vector<MembershipDelta> deltas(phases_.size());
  if (missing.empty()) return deltas;
  if (rings_.empty()) return std::nullopt;
  // All groups shrink alike: one of them, planned afresh, tells the bytes of a hop and the rounds of all.
  const CollectiveRequest one{request_.kind, {request_.groups.front()}, request_.bytes};
  const CollectiveRequest left = surviving(one, site_->placement, missing);
  if (left.groups.empty()) return std::nullopt;
  const CollectivePlan shorter =
      plan(left, plan_.algorithm, site_->cluster(), site_->latency, plan_.protocol, FabricState{});
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const Phase& phase = shorter.phases[i];
    const double hop_bytes = phase.flows.empty() ? 0 : phase.flows.front().bytes;
    deltas[i] = rings_[i].closed_around(phases_[i].phase(), site_->placement, missing, hop_bytes, phase.rounds);
  }
  return deltas;
}

ExchangeTime FabricExchange::incremental(const StepState& state) const {
  if (state.missing_replicas.empty() && state.fabric.healthy()) return split(healthy_);
  if (streams_) return full(state, site_->bottleneck);
  std::vector<PhaseTime> times;
  if (membership_ == Membership::within_replica) {
    for (const ReplicaPhase& phase : replica_phases_) times.push_back(phase.incremental(state));
    return split(combine(plan_, request_, times));
  }
  const auto changes = deltas(state.missing_replicas);
  if (!changes) return full(state, site_->bottleneck);
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    times.push_back(solve_incremental(phases_[i], state.fabric, (*changes)[i]));
  }
  return split(combine(plan_, request_, times));
}

ExchangeTime FabricExchange::full(const StepState& state, FabricModel& model) const {
  return replanned(surviving(request_, site_->placement, state.missing_replicas), plan_, *site_, state.fabric, model);
}

PricedExchange price_exchange(const Exchange& exchange, Algorithm algorithm, const ExchangeSite& site) {
  if (exchange.membership == Membership::within_replica && inside_nodes(exchange.request, site.cluster())) {
    return NodeExchange(exchange.request, algorithm, site);
  }
  return FabricExchange(exchange.request, exchange.membership,
                        best_plan(exchange.request, algorithm, site.cluster(), site.latency, site.bottleneck, {}),
                        site);
}

ExchangeTime PipelineTransfer::incremental(const StepState& state) const {
  const PhaseTime time = phase_.incremental(state);
  return {time.transfer_s, time.latency_s};
}

ExchangeTime PipelineTransfer::full(const StepState& state, FabricModel& model) const {
  const PhaseTime time = model.solve(phase_.without(state.missing_replicas), state.fabric);
  return {time.transfer_s, time.latency_s};
}

}  // namespace toposim::sim
