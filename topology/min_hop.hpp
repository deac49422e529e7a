#pragma once
// The way between two NICs of an imported fabric: the forwarding tables that were read with it, else shortest paths of
// switches, chosen among as in a built fabric. The rules are stated in router.hpp, which decides which NICs a flow
// uses.
#include <cstdint>
#include <optional>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/fabric_state.hpp"
#include "topology/flow_ends.hpp"
#include "topology/path.hpp"

namespace toposim::topology {

class MinHop {
 public:
  /// Keeps a reference to the cluster. Throws TopologyError where two leaves with nodes are further apart than a path
  /// may be.
  MinHop(const Cluster& cluster, std::uint64_t ecmp_seed);

  std::uint32_t node_of(VertexId gpu) const { return cluster_->node_of(gpu); }
  std::uint32_t nic_of(VertexId gpu) const { return cluster_->rail_of_gpu(gpu); }  ///< within its node
  FlowEnds ends(VertexId src, VertexId dst, std::uint64_t label, std::uint32_t exit_nic, std::uint32_t entry_nic) const;
  Path healthy(const FlowEnds& e) const;
  std::optional<Path> broken(const FlowEnds& e, const FabricState& state) const;
  Path over_nvlink(VertexId src, VertexId dst) const;

 private:
  using Distances = std::vector<std::uint8_t>;  // of every switch, counted from the first leaf
  class Walk;

  FlowEnds::Place place(std::uint32_t node, std::uint32_t nic) const;
  std::uint32_t number(VertexId a_switch) const { return a_switch - first_switch_; }
  bool is_switch(VertexId v) const { return v >= first_switch_; }
  /// Hops from every switch to `leaf`, over arcs that are up; past the most that a path may have: 255.
  void fill_distances(VertexId leaf, const FabricState* state, std::uint8_t* hops) const;
  Path by_tables(const FlowEnds& e) const;
  /// Null state: healthy. None where no path is short enough.
  std::optional<Path> shortest(const FlowEnds& e, const FabricState* state) const;
  ArcId* enter(const FlowEnds& e, ArcId* next) const;  ///< from the source to its NIC, and to the leaf where needed
  ArcId* leave(const FlowEnds& e, ArcId* next) const;  ///< from the last leaf to the destination

  const Cluster* cluster_;
  RoutingMode mode_;
  std::uint64_t ecmp_seed_;
  VertexId first_switch_;
  std::uint32_t switches_, gpus_per_nic_;
  std::vector<std::uint32_t> port_;  // of a NIC, counted over the NICs of its leaf
  Distances distances_;              // by leaf, then switch, where nothing is broken
};

}  // namespace toposim::topology
