// The `flow` fidelity: route the phase, let SimGrid share the arcs, add latencies.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/fabric/fabric_model.hpp"
#include "sim/fabric/flow_problem.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using topology::ArcId;
using topology::FabricState;
using Crossing = MaxMinProblem::Crossing;

/// A phase's flows as a max-min problem: one link for each arc that carries traffic and each direction of a cable.
class RoutedPhase {
 public:
  RoutedPhase(const topology::Cluster& cluster, const FabricState& state)
      : cluster_(cluster), state_(state), link_of_(cluster.arc_count(), none) {}

  void add(std::span<const ArcId> route, double bytes) {
    double latency_s = 0;
    row_.clear();
    for (const ArcId arc : route) {
      latency_s += cluster_.latency_s(arc);
      if (bytes > 0) row_.push_back({link(arc), 1});
    }
    slowest_latency_s_ = std::max(slowest_latency_s_, latency_s);
    if (row_.empty()) return;
    for (const Crossing& c : row_) load_[c.link] += bytes;
    problem_.add_flow(bytes, row_);
  }

  const MaxMinProblem& problem() const { return problem_; }
  double slowest_latency_s() const { return slowest_latency_s_; }

  /// The arc with the longest bytes / bandwidth; the first of equals.
  ArcId busiest_arc() const {
    ArcId busiest = 0;
    double longest_s = 0;
    for (std::size_t l = 0; l < arcs_.size(); ++l) {
      const double time_s = load_[l] / problem_.capacity_Bps[l];
      if (time_s > longest_s || (time_s == longest_s && arcs_[l] < busiest)) {
        longest_s = time_s;
        busiest = arcs_[l];
      }
    }
    return busiest;
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t link(ArcId arc) {
    if (link_of_[arc] == none) {
      link_of_[arc] = static_cast<std::uint32_t>(arcs_.size());
      const double factor = state_.healthy() ? 1 : state_.factor(arc);
      if (factor == 0)
        throw topology::TopologyError(fmt::format("{} is down and carries traffic", cluster_.arc_name(arc)));
      arcs_.push_back(arc);
      load_.push_back(0);
      problem_.capacity_Bps.push_back(cluster_.bandwidth_Bps(arc) * factor);
    }
    return link_of_[arc];
  }

  const topology::Cluster& cluster_;
  const FabricState& state_;
  std::vector<std::uint32_t> link_of_;  // by arc
  std::vector<ArcId> arcs_;             // by link
  std::vector<double> load_;            // bytes, by link
  std::vector<Crossing> row_;
  double slowest_latency_s_ = 0;
  MaxMinProblem problem_;
};

class FlowModel : public FabricModel {
 public:
  explicit FlowModel(const topology::Router& router) : router_(router) {}

  PhaseTime solve(const Phase& phase, const FabricState& state) override {
    RoutedPhase routed(router_.cluster(), state);
    std::vector<ArcId> route;
    for (const Flow& flow : phase.flows) {
      route.clear();
      router_.append_route(flow.src, flow.dst, flow.label, state, route);
      routed.add(route, flow.bytes);
    }
    for (const ArcFlow& flow : phase.arc_flows) routed.add({&flow.arc, 1}, flow.bytes);

    PhaseTime time;
    time.transfer_s = last_completion_s(routed.problem());
    if (!phase.empty()) time.latency_s = phase.rounds * (routed.slowest_latency_s() + phase.round_overhead_s);
    time.busiest_arc = routed.busiest_arc();
    return time;
  }

 private:
  const topology::Router& router_;
};

}  // namespace

std::unique_ptr<FabricModel> make_flow_model(const topology::Router& router) {
  return std::make_unique<FlowModel>(router);
}

}  // namespace toposim::sim
