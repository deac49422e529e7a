// The most loaded arc over its bandwidth. With equal sizes that start together this is max-min fair sharing exactly:
// every flow across the most loaded arc gets its fair share there, which is the smallest anywhere, and finishes last.
// With unequal sizes it is a lower bound.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "sim/fabric/bottleneck_loads.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

/// Dead arcs of a state as a table, for as long as it lives; per thread, all zero between solves.
class DeadArcs {
 public:
  DeadArcs(const topology::FabricState& state, std::uint32_t arc_count) : state_(state) {
    if (table().size() < arc_count) table().resize(arc_count, 0);
    mark(1);
  }
  ~DeadArcs() { mark(0); }
  DeadArcs(const DeadArcs&) = delete;
  DeadArcs& operator=(const DeadArcs&) = delete;

  bool operator()(topology::ArcId arc) const { return table_[arc] != 0; }

 private:
  static std::vector<char>& table() {
    thread_local std::vector<char> dead;
    return dead;
  }
  void mark(char value) {
    for (const auto& [arc, factor] : state_.entries())
      if (factor == 0) table()[arc] = value;
    table_ = table().data();
  }
  const topology::FabricState& state_;
  const char* table_ = nullptr;
};

class BottleneckModel final : public FabricModel {
 public:
  explicit BottleneckModel(const topology::Router& router)
      : router_(&router), links_(router.cluster().links().begin(), router.cluster().links().end()) {
    const topology::Cluster& cluster = router.cluster();
    link_of_.reserve(cluster.arc_count());
    for (topology::ArcId arc = 0; arc < cluster.arc_count(); ++arc) link_of_.push_back(cluster.arc(arc).link);
  }

  PhaseTime solve(const Phase& phase, const topology::FabricState& state) override {
    if (phase.empty()) return {};
    ArcLoads& loads = ArcLoads::start(router_->cluster().arc_count());
    const DeadArcs dead(state, router_->cluster().arc_count());
    // An arc's bytes only grow, so the fullest arc of each kind of link is known when the last flow is added.
    thread_local std::vector<LargestArc> fullest;
    fullest.assign(links_.size(), {});
    double slowest_route_s = 0;
    for (const Flow& flow : phase.flows) {
      double latency_s = 0;
      for (const topology::ArcId arc : path(flow, state, dead)) {
        const std::uint16_t link = link_of_[arc];
        latency_s += links_[link].latency_s;
        fullest[link].offer(arc, loads.add(arc, flow.bytes));
      }
      if (latency_s > slowest_route_s) slowest_route_s = latency_s;
    }
    for (const ArcFlow& stream : phase.arc_flows) {
      if (dead(stream.arc))
        throw topology::TopologyError(fmt::format("phase '{}' streams over {}, which is down", phase.name,
                                                  router_->cluster().arc_name(stream.arc)));
      const std::uint16_t link = link_of_[stream.arc];
      if (links_[link].latency_s > slowest_route_s) slowest_route_s = links_[link].latency_s;
      fullest[link].offer(stream.arc, loads.add(stream.arc, stream.bytes));
    }

    LargestArc slowest;
    for (std::size_t link = 0; link < links_.size(); ++link)
      slowest.offer(fullest[link].arc(), fullest[link].value() / links_[link].bandwidth_Bps);
    for (const auto& [arc, factor] : state.entries())  // a degraded arc is slower than it was just counted
      if (factor > 0) slowest.offer(arc, loads.bytes(arc) / (links_[link_of_[arc]].bandwidth_Bps * factor));
    return {.transfer_s = slowest.value(),
            .latency_s = phase.rounds * (slowest_route_s + phase.round_overhead_s),
            .busiest_arc = slowest.arc()};
  }

 private:
  /// A flow keeps its healthy path while that is alive; finding out from the table is several times faster than asking
  /// the router about the state.
  topology::Path path(const Flow& flow, const topology::FabricState& state, const DeadArcs& dead) const {
    const topology::Path usual = router_->path(flow.src, flow.dst, flow.label, healthy_);
    if (std::none_of(usual.begin(), usual.end(), std::cref(dead))) return usual;
    return router_->path(flow.src, flow.dst, flow.label, state);
  }

  const topology::Router* router_;
  const topology::FabricState healthy_;
  std::vector<topology::LinkSpec> links_;  // kinds of link
  std::vector<std::uint16_t> link_of_;     // per arc, index into links_: small enough to stay in the cache
};

}  // namespace

std::unique_ptr<FabricModel> make_bottleneck_model(const topology::Router& router) {
  return std::make_unique<BottleneckModel>(router);
}

}  // namespace toposim::sim
