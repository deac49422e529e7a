#pragma once
// The cluster as a SimGrid platform: a link for every arc, a host for every node, and one more host, which never
// fails, for the actors that run the job.
#include <cstdint>
#include <vector>

#include "sim/fabric/phase.hpp"
#include "sim/fabric/simgrid_engine.hpp"
#include "topology/router.hpp"

namespace toposim::sim {

/// Takes the engine's pool for its lifetime, and gives it back with everything turned on.
class ExactFabric {
 public:
  ExactFabric(SimgridEngine& engine, const topology::Router& router);
  ~ExactFabric();
  ExactFabric(const ExactFabric&) = delete;
  ExactFabric& operator=(const ExactFabric&) = delete;

  SimgridEngine& engine() { return engine_; }
  simgrid::s4u::Host* control() const { return engine_.host(router_.cluster().node_count()); }
  std::int64_t now_ns() const;

  /// Remaining share of an arc's bandwidth, 0: off.
  void set_arc(topology::ArcId arc, double factor);
  void set_node(std::uint32_t node, bool works);

  /// Where the flows of a phase go now. The nodes that the job was placed on stand for its slots: node_of_slot says
  /// which node is in each. Streams inside switches stay where they are. Throws TopologyError where there is no route.
  struct Route {
    std::uint32_t from = 0, to = 0;  ///< nodes
    std::vector<std::uint32_t> arcs;
  };
  struct Routes {
    std::vector<Route> flows;  ///< of phase.flows, then of phase.arc_flows
    double latency_s = 0;      ///< rounds x (slowest route + overhead)
  };
  Routes route(const Phase& phase, const topology::FabricState& state, const std::vector<std::uint32_t>& node_of_slot);

  /// One actor at a time.
  simgrid::s4u::CommPtr start(const Route& route, double bytes);

  std::int64_t transfers() const { return transfers_; }

 private:
  SimgridEngine& engine_;
  const topology::Router& router_;
  std::int64_t transfers_ = 0;
};

}  // namespace toposim::sim
