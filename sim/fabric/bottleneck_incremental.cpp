// Load of an arc in a changed state: byte_scale x (healthy load - flows that left it) + flows that came to it. Arcs
// that nothing changed keep their healthy order; the slowest of them is the first in that order that is not touched.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/fabric/bottleneck_loads.hpp"
#include "sim/fabric/bottleneck_prepared.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using topology::ArcId;

/// Flows that no longer take their healthy route, once each. Per thread; never cleared, as in ArcLoads.
class FlowMarks {
 public:
  static FlowMarks& start(std::size_t flow_count) {
    thread_local FlowMarks marks;
    if (marks.epochs_.size() < flow_count) marks.epochs_.resize(flow_count, 0);
    if (++marks.epoch_ == 0) {
      std::fill(marks.epochs_.begin(), marks.epochs_.end(), 0);
      marks.epoch_ = 1;
    }
    return marks;
  }
  /// False if it is marked already.
  bool mark(std::uint32_t flow) {
    if (epochs_[flow] == epoch_) return false;
    epochs_[flow] = epoch_;
    return true;
  }

 private:
  std::vector<std::uint32_t> epochs_;
  std::uint32_t epoch_ = 0;
};

}  // namespace

PhaseTime solve_incremental(const PreparedPhase& prepared, const topology::FabricState& state,
                            const MembershipDelta& delta) {
  const Phase& phase = prepared.phase_;
  const topology::Router& router = *prepared.router_;
  const topology::Cluster& cluster = router.cluster();

  ArcLoads& change = ArcLoads::start(cluster.arc_count());
  FlowMarks& gone = FlowMarks::start(phase.flows.size());
  thread_local std::vector<PreparedPhase::LatencyClass> latencies;
  thread_local std::vector<std::uint32_t> rerouted;
  latencies = prepared.latencies_;
  rerouted.clear();

  const auto leave = [&](std::uint32_t flow) {
    change.add(prepared.route(flow), -delta.byte_scale * phase.flows[flow].bytes);
    --latencies[prepared.flow_latency_[flow]].count;
  };
  for (const std::uint32_t flow : delta.removed) {
    if (flow >= phase.flows.size() || !gone.mark(flow))
      throw std::invalid_argument(fmt::format("phase '{}' has {} flows; flow {} cannot be removed{}", phase.name,
                                              phase.flows.size(), flow, flow < phase.flows.size() ? " twice" : ""));
    leave(flow);
  }
  if (phase.arc_flows.empty() && delta.added.empty() && delta.removed.size() == phase.flows.size()) return {};
  for (const auto& [arc, factor] : state.entries()) {
    if (factor > 0) continue;
    if (std::binary_search(prepared.streamed_.begin(), prepared.streamed_.end(), arc))
      throw topology::TopologyError(
          fmt::format("phase '{}' streams over {}, which is down", phase.name, cluster.arc_name(arc)));
    for (const std::uint32_t flow : prepared.flows_across(arc)) {
      if (!gone.mark(flow)) continue;
      leave(flow);
      rerouted.push_back(flow);
    }
  }

  double slowest_route_s = 0;
  const auto join = [&](const Flow& flow, double bytes) {
    double latency_s = 0;
    for (const ArcId arc : router.path(flow.src, flow.dst, flow.label, state)) {
      latency_s += cluster.latency_s(arc);
      change.add(arc, bytes);
    }
    slowest_route_s = std::max(slowest_route_s, latency_s);
  };
  for (const std::uint32_t flow : rerouted) join(phase.flows[flow], delta.byte_scale * phase.flows[flow].bytes);
  for (const Flow& flow : delta.added) join(flow, flow.bytes);
  const auto slowest_kept = std::find_if(latencies.begin(), latencies.end(), [](const auto& c) { return c.count > 0; });
  if (slowest_kept != latencies.end()) slowest_route_s = std::max(slowest_route_s, slowest_kept->latency_s);

  LargestArc slowest;
  const auto load = [&](ArcId arc) { return delta.byte_scale * prepared.load_bytes_[arc] + change.bytes(arc); };
  const auto kept = std::find_if(prepared.slowest_first_.begin(), prepared.slowest_first_.end(),
                                 [&](const auto& rated) { return !change.has(rated.arc); });
  if (kept != prepared.slowest_first_.end()) slowest.offer(kept->arc, delta.byte_scale * kept->time_s);
  for (const ArcId arc : change.touched()) slowest.offer(arc, load(arc) / cluster.bandwidth_Bps(arc));
  for (const auto& [arc, factor] : state.entries())  // slower than it was just counted
    if (factor > 0) slowest.offer(arc, load(arc) / (cluster.bandwidth_Bps(arc) * factor));

  return {.transfer_s = slowest.value(),
          .latency_s = delta.rounds.value_or(phase.rounds) * (slowest_route_s + phase.round_overhead_s),
          .busiest_arc = slowest.arc()};
}

}  // namespace toposim::sim
