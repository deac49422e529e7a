#include "sim/step/membership.hpp"

#include <algorithm>

namespace toposim::sim {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

}  // namespace

ReplicaFlows::ReplicaFlows(const Phase& phase, const topology::Placement& placement)
    : first_(placement.replicas() + 1, 0), flows_(phase.flows.size()) {
  for (const Flow& flow : phase.flows) ++first_[placement.replica_of_gpu(flow.src) + 1];
  for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < phase.flows.size(); ++i) {
    flows_[next[placement.replica_of_gpu(phase.flows[i].src)]++] = i;
  }
}

std::span<const std::uint32_t> ReplicaFlows::of(std::uint32_t replica) const {
  return {flows_.data() + first_[replica], first_[replica + 1] - first_[replica]};
}

MembershipDelta ReplicaFlows::without(const std::vector<std::uint32_t>& missing) const {
  MembershipDelta delta;
  for (const std::uint32_t replica : missing) {
    const auto flows = of(replica);
    delta.removed.insert(delta.removed.end(), flows.begin(), flows.end());
  }
  return delta;
}

ReplicaPhase::ReplicaPhase(const topology::Router& router, Phase phase, const topology::Placement& placement)
    : placement_(&placement),
      phase_(router, std::move(phase)),
      flows_(phase_.phase(), placement),
      healthy_(solve_incremental(phase_, topology::FabricState{})) {
  double longest_s = -1;
  for (std::uint32_t replica = 0; replica < placement.replicas(); ++replica) {
    double longest_here_s = -1;
    for (const std::uint32_t flow : flows_.of(replica)) {
      double latency_s = 0;
      for (const topology::ArcId arc : phase_.route(flow)) latency_s += router.cluster().latency_s(arc);
      longest_here_s = std::max(longest_here_s, latency_s);
    }
    if (longest_here_s < longest_s) continue;
    longest_route_replicas_ = longest_here_s > longest_s ? 1 : longest_route_replicas_ + 1;
    longest_s = longest_here_s;
  }
}

PhaseTime ReplicaPhase::incremental(const StepState& state) const {
  const auto& missing = state.missing_replicas;
  if (state.fabric.healthy() && missing.size() < longest_route_replicas_) {
    const auto busiest = phase_.flows_across(healthy_.busiest_arc);
    if (std::none_of(busiest.begin(), busiest.end(), [&](std::uint32_t flow) {
          const std::uint32_t replica = placement_->replica_of_gpu(phase_.phase().flows[flow].src);
          return std::binary_search(missing.begin(), missing.end(), replica);
        })) {
      return healthy_;
    }
  }
  return solve_incremental(phase_, state.fabric, flows_.without(missing));
}

std::optional<Rings> Rings::find(const Phase& phase, const topology::Placement& placement) {
  if (!phase.arc_flows.empty()) return std::nullopt;
  Rings rings(ReplicaFlows(phase, placement));
  rings.out_.assign(placement.ranks(), none);
  rings.in_.assign(placement.ranks(), none);
  for (std::uint32_t i = 0; i < phase.flows.size(); ++i) {
    std::uint32_t& out = rings.out_[placement.rank_of_gpu(phase.flows[i].src)];
    std::uint32_t& in = rings.in_[placement.rank_of_gpu(phase.flows[i].dst)];
    if (out != none || in != none) return std::nullopt;
    out = in = i;
  }
  for (std::size_t rank = 0; rank < rings.out_.size(); ++rank) {
    if ((rings.out_[rank] == none) != (rings.in_[rank] == none)) return std::nullopt;
  }
  return rings;
}

MembershipDelta Rings::closed_around(const Phase& phase, const topology::Placement& placement,
                                     const std::vector<std::uint32_t>& missing, double hop_bytes, double rounds) const {
  MembershipDelta delta = flows_.without(missing);
  delta.rounds = rounds;
  const auto gone = [&](topology::VertexId gpu) {
    return std::binary_search(missing.begin(), missing.end(), placement.replica_of_gpu(gpu));
  };
  const std::size_t leaving = delta.removed.size();
  for (std::size_t i = 0; i < leaving; ++i) {
    // Each run of missing GPUs is found from its first: the one that somebody present sends to.
    const Flow& from_first = phase.flows[delta.removed[i]];
    const std::uint32_t into = in_[placement.rank_of_gpu(from_first.src)];
    const topology::VertexId before = phase.flows[into].src;
    if (gone(before)) continue;
    topology::VertexId after = from_first.dst;
    while (gone(after)) after = phase.flows[out_[placement.rank_of_gpu(after)]].dst;
    delta.removed.push_back(into);
    if (after != before) delta.added.push_back({before, after, hop_bytes, phase.flows[into].label});
  }
  if (!phase.flows.empty() && phase.flows.front().bytes > 0) {
    delta.byte_scale = hop_bytes / phase.flows.front().bytes;
  }
  return delta;
}

}  // namespace toposim::sim
