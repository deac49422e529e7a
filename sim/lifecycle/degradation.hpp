#pragma once
// What slows the job without stopping it, right now: cables that are down or degraded, nodes that compute slowly.
#include <cstdint>
#include <vector>

#include "sim/lifecycle/node_slots.hpp"
#include "sim/lifecycle/outages.hpp"
#include "topology/fabric_state.hpp"

namespace toposim::sim {

class Degradation {
 public:
  void start(std::uint32_t index, const Outages::Fault& fault);
  void end(std::uint32_t index, const Outages::Fault& fault);

  /// Each cable at the worst of the faults on it. Cables are physical ones, and the step prices traffic where the job
  /// was first placed: a spare is charged as if it stood in the place of the node it replaced.
  const topology::FabricState& fabric() const { return fabric_; }
  /// Of the slowest node that stands in a slot for which takes_part(slot); 1 where none is slow.
  template <typename TakesPart>
  double compute_speed(const NodeSlots& nodes, const TakesPart& takes_part) const {
    double slowest = 1;
    for (const Slow& slow : slow_) {
      const std::uint32_t slot = nodes.slot_of(slow.node);
      if (slow.speed < slowest && slot != NodeSlots::none && takes_part(slot)) slowest = slow.speed;
    }
    return slowest;
  }

 private:
  struct Cut {
    std::uint32_t fault;
    Outages::Cable cable;
  };
  struct Slow {
    std::uint32_t fault;
    std::uint32_t node;
    double speed;
  };
  void refresh(const Outages::Cable& cable);

  std::vector<Cut> cuts_;  // of the faults that are on now, sorted by cable
  std::vector<Slow> slow_;
  topology::FabricState fabric_;
};

}  // namespace toposim::sim
