#pragma once
// A phase prepared once on the healthy fabric, so that each further fabric state costs only what it changes.
//
// A flow keeps its healthy route in any state in which that route is alive (the router salts its hash by attempt, and
// the first attempt does not look at the state), so only flows that cross a dead arc are routed again, and only arcs
// that lose or gain load or bandwidth are looked at. The rest is answered by the healthy order of arcs.
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/fabric/phase.hpp"
#include "topology/router.hpp"

namespace toposim::sim {

/// What members that take no part change in a phase. Flows are named by their index in Phase::flows.
struct MembershipDelta {
  std::vector<std::uint32_t> removed;  ///< each at most once
  std::vector<Flow> added;             ///< with their bytes as they are, not scaled
  double byte_scale = 1;               ///< of every flow and arc flow that stays
  std::optional<double> rounds;        ///< instead of the phase's
  bool none() const { return removed.empty() && added.empty() && byte_scale == 1 && !rounds; }
};

/// The phase that a delta describes: what solve_incremental() must agree with, and what any other model is given.
/// Throws std::invalid_argument for an index that is out of range or removed twice.
Phase apply(const Phase& phase, const MembershipDelta& delta);

/// Immutable; any number of threads may solve from one instance. Keeps a reference to the router. Memory: 12 bytes per
/// arc of the cluster, and about 100 bytes per flow.
class PreparedPhase {
 public:
  /// Routes every flow on the healthy fabric. Throws topology::TopologyError where a flow has no route.
  PreparedPhase(const topology::Router& router, Phase phase);

  const Phase& phase() const { return phase_; }
  const topology::Router& router() const { return *router_; }
  std::span<const topology::ArcId> route(std::uint32_t flow) const;
  std::span<const std::uint32_t> flows_across(topology::ArcId arc) const;
  double load_bytes(topology::ArcId arc) const { return load_bytes_[arc]; }

 private:
  friend PhaseTime solve_incremental(const PreparedPhase&, const topology::FabricState&, const MembershipDelta&);

  struct RatedArc {
    topology::ArcId arc;
    double time_s;  ///< load / bandwidth
  };
  struct LatencyClass {
    double latency_s;
    std::uint32_t count;  ///< of flows and arc flows
  };

  void sort_arcs(std::vector<topology::ArcId> touched);
  void index_flows();
  void classify_latencies(const std::vector<double>& flow_latency_s);

  const topology::Router* router_;
  Phase phase_;
  std::vector<std::uint32_t> route_first_;  // per flow, and an end
  std::vector<topology::ArcId> route_arcs_;
  std::vector<double> load_bytes_;           // per arc
  std::vector<RatedArc> slowest_first_;      // arcs that carry load; ties by arc
  std::vector<std::uint32_t> arc_first_;     // per arc, and an end, into arc_flows_
  std::vector<std::uint32_t> arc_flows_;     // flow indices, ascending within an arc
  std::vector<LatencyClass> latencies_;      // slowest first
  std::vector<std::uint32_t> flow_latency_;  // per flow, index into latencies_
  std::vector<topology::ArcId> streamed_;    // arcs of the phase's arc flows, sorted
};

/// The time of the phase in `state` with `delta`: the same as make_bottleneck_model(router)->solve(apply(phase, delta),
/// state) up to rounding. Throws as the model does; std::invalid_argument for a bad delta.
PhaseTime solve_incremental(const PreparedPhase& prepared, const topology::FabricState& state,
                            const MembershipDelta& delta = {});

}  // namespace toposim::sim
