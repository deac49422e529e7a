// The most loaded arc over its bandwidth. With equal sizes that start together this is max-min fair sharing exactly:
// every flow across the most loaded arc gets its fair share there, which is the smallest anywhere, and finishes last.
// With unequal sizes it is a lower bound.
#include <fmt/format.h>

#include <vector>

#include "sim/fabric/bottleneck_loads.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

class BottleneckModel final : public FabricModel {
 public:
  explicit BottleneckModel(const topology::Router& router) : router_(&router) {
    const topology::Cluster& cluster = router.cluster();
    bandwidth_Bps_.reserve(cluster.arc_count());
    latency_s_.reserve(cluster.arc_count());
    for (topology::ArcId arc = 0; arc < cluster.arc_count(); ++arc) {
      bandwidth_Bps_.push_back(cluster.bandwidth_Bps(arc));
      latency_s_.push_back(cluster.latency_s(arc));
    }
  }

  PhaseTime solve(const Phase& phase, const topology::FabricState& state) override {
    if (phase.empty()) return {};
    ArcLoads& loads = ArcLoads::start(router_->cluster().arc_count());
    const double slowest_route_s = load(phase, state, loads);

    SlowestArc slowest;
    for (const topology::ArcId arc : loads.touched()) slowest.offer(arc, loads.bytes(arc) / bandwidth_Bps_[arc]);
    for (const auto& [arc, factor] : state.entries())  // a degraded arc is slower than it was just counted
      if (factor > 0 && loads.has(arc)) slowest.offer(arc, loads.bytes(arc) / (bandwidth_Bps_[arc] * factor));

    return {.transfer_s = slowest.time_s(),
            .latency_s = phase.rounds * (slowest_route_s + phase.round_overhead_s),
            .busiest_arc = slowest.arc()};
  }

 private:
  /// Adds the phase's bytes and returns the latency of the slowest route.
  double load(const Phase& phase, const topology::FabricState& state, ArcLoads& loads) const {
    double slowest_route_s = 0;
    for (const Flow& flow : phase.flows) {
      double latency_s = 0;
      for (const topology::ArcId arc : router_->path(flow.src, flow.dst, flow.label, state)) {
        latency_s += latency_s_[arc];
        loads.add(arc, flow.bytes);
      }
      if (latency_s > slowest_route_s) slowest_route_s = latency_s;
    }
    for (const ArcFlow& stream : phase.arc_flows) {
      if (!state.healthy() && state.down(stream.arc))
        throw topology::TopologyError(fmt::format("phase '{}' streams over {}, which is down", phase.name,
                                                  router_->cluster().arc_name(stream.arc)));
      if (latency_s_[stream.arc] > slowest_route_s) slowest_route_s = latency_s_[stream.arc];
      loads.add(stream.arc, stream.bytes);
    }
    return slowest_route_s;
  }

  const topology::Router* router_;
  std::vector<double> bandwidth_Bps_, latency_s_;  // per arc
};

}  // namespace

std::unique_ptr<FabricModel> make_bottleneck_model(const topology::Router& router) {
  return std::make_unique<BottleneckModel>(router);
}

}  // namespace toposim::sim
