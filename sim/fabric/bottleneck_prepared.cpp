#include "sim/fabric/bottleneck_prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/fabric/bottleneck_loads.hpp"
#include "topology/error.hpp"

namespace toposim::sim {

using topology::ArcId;

PreparedPhase::PreparedPhase(const topology::Router& router, Phase phase) : router_(&router), phase_(std::move(phase)) {
  const topology::Cluster& cluster = router.cluster();
  ArcLoads& loads = ArcLoads::start(cluster.arc_count());
  const topology::FabricState healthy;
  std::vector<double> flow_latency_s;
  flow_latency_s.reserve(phase_.flows.size());
  route_first_.reserve(phase_.flows.size() + 1);
  route_first_.push_back(0);
  for (const Flow& flow : phase_.flows) {
    router.append_route(flow.src, flow.dst, flow.label, healthy, route_arcs_);
    double latency_s = 0;
    for (std::size_t i = route_first_.back(); i < route_arcs_.size(); ++i) {
      latency_s += cluster.latency_s(route_arcs_[i]);
      loads.add(route_arcs_[i], flow.bytes);
    }
    flow_latency_s.push_back(latency_s);
    route_first_.push_back(static_cast<std::uint32_t>(route_arcs_.size()));
  }
  for (const ArcFlow& stream : phase_.arc_flows) {
    loads.add(stream.arc, stream.bytes);
    streamed_.push_back(stream.arc);
  }
  std::sort(streamed_.begin(), streamed_.end());

  load_bytes_.assign(cluster.arc_count(), 0);
  for (const ArcId arc : loads.touched()) load_bytes_[arc] = loads.bytes(arc);
  sort_arcs(loads.touched());
  index_flows();
  classify_latencies(flow_latency_s);
}

void PreparedPhase::sort_arcs(std::vector<ArcId> touched) {
  std::sort(touched.begin(), touched.end());
  slowest_first_.reserve(touched.size());
  for (const ArcId arc : touched)
    slowest_first_.push_back({arc, load_bytes_[arc] / router_->cluster().bandwidth_Bps(arc)});
  std::stable_sort(slowest_first_.begin(), slowest_first_.end(),
                   [](const RatedArc& a, const RatedArc& b) { return a.time_s > b.time_s; });
  // Near ties, equal but for the order of a sum, count as ties: lowest arc first.
  for (auto first = slowest_first_.begin(); first != slowest_first_.end();) {
    const auto last = std::find_if(first, slowest_first_.end(),
                                   [&](const RatedArc& a) { return a.time_s < first->time_s * (1 - tie_tolerance); });
    std::sort(first, last, [](const RatedArc& a, const RatedArc& b) { return a.arc < b.arc; });
    first = last;
  }
}

void PreparedPhase::index_flows() {
  arc_first_.assign(load_bytes_.size() + 1, 0);
  for (const ArcId arc : route_arcs_) ++arc_first_[arc + 1];
  for (std::size_t arc = 1; arc < arc_first_.size(); ++arc) arc_first_[arc] += arc_first_[arc - 1];
  arc_flows_.resize(route_arcs_.size());
  std::vector<std::uint32_t> next(arc_first_.begin(), arc_first_.end() - 1);
  for (std::uint32_t flow = 0; flow < phase_.flows.size(); ++flow)
    for (const ArcId arc : route(flow)) arc_flows_[next[arc]++] = flow;
}

void PreparedPhase::classify_latencies(const std::vector<double>& flow_latency_s) {
  std::vector<double> distinct = flow_latency_s;
  for (const ArcFlow& stream : phase_.arc_flows) distinct.push_back(router_->cluster().latency_s(stream.arc));
  const std::vector<double> all = distinct;
  std::sort(distinct.begin(), distinct.end(), std::greater<>());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const double latency_s : distinct) latencies_.push_back({latency_s, 0});
  const auto index_of = [&](double latency_s) {
    return static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), latency_s, std::greater<>()) -
                                      distinct.begin());
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint32_t index = index_of(all[i]);
    ++latencies_[index].count;
    if (i < flow_latency_s.size()) flow_latency_.push_back(index);
  }
}

std::span<const ArcId> PreparedPhase::route(std::uint32_t flow) const {
  return {route_arcs_.data() + route_first_[flow], route_first_[flow + 1] - route_first_[flow]};
}

std::span<const std::uint32_t> PreparedPhase::flows_across(ArcId arc) const {
  return {arc_flows_.data() + arc_first_[arc], arc_first_[arc + 1] - arc_first_[arc]};
}

Phase apply(const Phase& phase, const MembershipDelta& delta) {
  Phase changed{.name = phase.name,
                .flows = {},
                .arc_flows = phase.arc_flows,
                .rounds = delta.rounds.value_or(phase.rounds),
                .round_overhead_s = phase.round_overhead_s};
  std::vector<char> removed(phase.flows.size(), 0);
  for (const std::uint32_t flow : delta.removed) {
    if (flow >= phase.flows.size() || removed[flow])
      throw std::invalid_argument(fmt::format("phase '{}' has {} flows; flow {} cannot be removed{}", phase.name,
                                              phase.flows.size(), flow, flow < phase.flows.size() ? " twice" : ""));
    removed[flow] = 1;
  }
  for (std::size_t i = 0; i < phase.flows.size(); ++i) {
    if (removed[i]) continue;
    changed.flows.push_back(phase.flows[i]);
    changed.flows.back().bytes *= delta.byte_scale;
  }
  for (ArcFlow& stream : changed.arc_flows) stream.bytes *= delta.byte_scale;
  changed.flows.insert(changed.flows.end(), delta.added.begin(), delta.added.end());
  return changed;
}

}  // namespace toposim::sim
