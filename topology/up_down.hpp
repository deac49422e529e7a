#pragma once
// The way between two NICs of a folded Clos fabric: which uplinks, which core, which parallel cables. The rules are
// stated in router.hpp, which decides which NICs a flow uses.
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/fabric_state.hpp"
#include "topology/flow_ends.hpp"
#include "topology/path.hpp"

namespace toposim::topology {

class UpDown {
 public:
  UpDown(const Cluster& cluster, std::uint64_t ecmp_seed);

  std::uint32_t node_of(VertexId gpu) const { return gpus_[gpu].node; }
  std::uint32_t nic_of(VertexId gpu) const { return gpus_[gpu].nic; }  ///< within its node

  /// Needs NICs. Source and destination may share a node, or a NIC.
  FlowEnds ends(VertexId src, VertexId dst, std::uint64_t label, std::uint32_t exit_nic, std::uint32_t entry_nic) const;

  /// The path in a healthy fabric.
  Path healthy(const FlowEnds& e) const;
  /// The path in a broken one; none if these two NICs cannot reach each other, or their GPUs cannot reach them.
  std::optional<Path> broken(const FlowEnds& e, const FabricState& state) const;

  Path over_nvlink(VertexId src, VertexId dst) const;  ///< inside a node

 private:
  // The cables between two leaves; core_* where pods differ.
  struct Hops {
    std::uint32_t spine = 0, up_cable = 0, down_cable = 0;  // spine within its pod
    std::uint32_t core = 0, core_up_cable = 0, core_down_cable = 0;
  };
  struct GpuPlace {
    std::uint32_t node;
    std::uint16_t nic, place;  // within the node; among the GPUs of the NIC
  };
  struct NodePlace {
    std::uint32_t first_leaf, first_port, pod;  // leaf and port of the node's NIC 0
  };

  FlowEnds::Place place(std::uint32_t node, std::uint32_t nic) const;
  VertexId relay(const GpuPlace& gpu, std::uint32_t nic) const;
  std::uint32_t leaf_in_pod(const FlowEnds::Place& p) const { return p.leaf - p.pod * leaves_per_pod_; }
  std::uint32_t spine_of(const FlowEnds::Place& p, const Hops& hops) const {
    return p.pod * spines_per_pod_ + hops.spine;
  }
  std::uint32_t core_of(const Hops& hops, std::uint32_t core_in_plane) const {
    return hops.spine * cores_per_plane_ + core_in_plane;
  }
  // The port of the spine that the flow comes in by.
  std::uint32_t spine_port(const FlowEnds& e, const Hops& hops) const {
    return leaf_in_pod(e.out) * leaf_cables_ + hops.up_cable;
  }
  std::uint32_t port_and_label(const FlowEnds& e) const { return e.out.port + static_cast<std::uint32_t>(e.label); }

  Hops adaptive_hops(const FlowEnds& e) const;
  Hops ecmp_hops(const FlowEnds& e, std::uint32_t attempt) const;
  Path assemble(const FlowEnds& e, const Hops& hops) const;

  std::optional<Hops> surviving_hops(const FlowEnds& e, const FabricState& state) const;
  std::optional<Hops> beyond_leaf(const FlowEnds& e, const FabricState& state, std::uint32_t spine,
                                  std::uint32_t up_cable) const;
  bool choose_core(const FlowEnds& e, const FabricState& state, Hops& hops) const;
  bool core_leads_down(const FlowEnds& e, const FabricState& state, std::uint32_t offset, Hops& hops) const;

  ArcMap arcs_;
  RoutingMode mode_;
  std::uint64_t ecmp_seed_;
  // FabricShape's counts in the width that the arithmetic runs in.
  std::uint32_t gpus_per_node_, nics_per_node_, gpus_per_nic_, leaves_per_pod_, leaf_uplinks_, spines_per_pod_,
      leaf_cables_, spine_uplinks_, cores_per_plane_, core_cables_;
  bool rail_optimised_;
  std::vector<GpuPlace> gpus_;  // tables, because divisions by run-time numbers would be most of a route's cost
  std::vector<NodePlace> nodes_;
};

}  // namespace toposim::topology
