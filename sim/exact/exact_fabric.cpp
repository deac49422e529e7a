#include "sim/exact/exact_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "topology/error.hpp"

namespace toposim::sim {

using topology::ArcId;
using topology::Cluster;
using topology::VertexId;

ExactFabric::ExactFabric(SimgridEngine& engine, const topology::Router& router) : engine_(engine), router_(router) {
  const Cluster& cluster = router.cluster();
  engine.reserve(cluster.arc_count(), cluster.node_count() + 1);
  for (ArcId arc = 0; arc < cluster.arc_count(); ++arc) set_arc(arc, 1);
  engine.reset_elapsed();
}

ExactFabric::~ExactFabric() {
  for (ArcId arc = 0; arc < router_.cluster().arc_count(); ++arc) engine_.link(arc)->turn_on();
  for (std::uint32_t node = 0; node < router_.cluster().node_count(); ++node) engine_.host(node)->turn_on();
}

std::int64_t ExactFabric::now_ns() const {
  return std::llround(engine_.elapsed_s() * 1e9);
}

void ExactFabric::set_arc(ArcId arc, double factor) {
  if (factor == 0) {
    engine_.link(arc)->turn_off();
  } else {
    engine_.link(arc)->turn_on();
    engine_.link(arc)->set_bandwidth(router_.cluster().bandwidth_Bps(arc) * factor);
  }
}

void ExactFabric::set_node(std::uint32_t node, bool works) {
  if (works)
    engine_.host(node)->turn_on();
  else
    engine_.host(node)->turn_off();
}

ExactFabric::Routes ExactFabric::route(const Phase& phase, const topology::FabricState& state,
                                       const std::vector<std::uint32_t>& node_of_slot) {
  const Cluster& cluster = router_.cluster();
  const auto now_at = [&](VertexId gpu) {
    return cluster.gpu(node_of_slot[cluster.node_of(gpu)], gpu % cluster.gpus_per_node());
  };
  Routes routes;
  double slowest_s = 0;
  const auto add = [&](Route route) {
    double latency_s = 0;
    for (const ArcId arc : route.arcs) latency_s += cluster.latency_s(arc);
    slowest_s = std::max(slowest_s, latency_s);
    routes.flows.push_back(std::move(route));
  };
  for (const Flow& flow : phase.flows) {
    const VertexId src = now_at(flow.src), dst = now_at(flow.dst);
    add({cluster.node_of(src), cluster.node_of(dst), router_.route(src, dst, flow.label, state)});
  }
  for (const ArcFlow& flow : phase.arc_flows) {
    if (state.down(flow.arc))
      throw topology::TopologyError(fmt::format("{} is down and carries traffic", cluster.arc_name(flow.arc)));
    add({cluster.node_count(), cluster.node_count(), {flow.arc}});
  }
  routes.latency_s = phase.rounds * (slowest_s + phase.round_overhead_s);
  return routes;
}

simgrid::s4u::CommPtr ExactFabric::start(const Route& route, double bytes) {
  ++transfers_;
  const auto whole = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(bytes)));
  return engine_.start_transfer(route.arcs, whole, engine_.host(route.from), engine_.host(route.to), 0);
}

}  // namespace toposim::sim
