#pragma once
// Three fidelities of one question: how long does a phase take on this fabric in this state?
#include <cstdint>
#include <memory>

#include "sim/fabric/phase.hpp"
#include "topology/router.hpp"

namespace toposim::sim {

/// exact: every flow of every step in SimGrid (sim/exact). flow: one SimGrid max-min solve of a phase. bottleneck: the
/// most loaded arc over its bandwidth; exact for equal sizes starting together, else a lower bound.
enum class Fidelity : std::uint8_t { bottleneck, flow, exact };

class FabricModel {
 public:
  virtual ~FabricModel() = default;
  /// A pure function of its arguments; callable from any thread. Throws topology::TopologyError where a flow has no
  /// route.
  virtual PhaseTime solve(const Phase& phase, const topology::FabricState& state) = 0;
};

/// Both keep a reference to the router and its cluster.
std::unique_ptr<FabricModel> make_bottleneck_model(const topology::Router& router);
std::unique_ptr<FabricModel> make_flow_model(const topology::Router& router);

}  // namespace toposim::sim
