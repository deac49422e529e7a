#pragma once
// Routes between GPUs: NVLink inside a node, rail-aware up/down paths outside.
//
// Ends. In a rail-optimised fabric a flow leaves on the destination's rail: over NVLink to the GPU of that rail first,
// as NCCL's PXN does. Elsewhere it leaves by the source GPU's own NIC and enters by the destination GPU's own NIC.
//
// Choices. A flow goes up only as far as it must. At the leaf it has leaf_uplinks choices, at the spine spine_uplinks;
// the way down is fixed but for parallel cables. Choice c where uplinks go to n switches: switch c mod n, parallel
// cable c / n.
//   adaptive: at the leaf, (port of the source NIC on its leaf + label) mod leaf_uplinks; at the spine, the port that
//     the flow came in by, mod spine_uplinks; down, the same parallel cable as up. So flows that enter a leaf by
//     different ports leave it by different uplinks while there are enough, and traffic in which every source sends the
//     same distance away does not collide on the way down either. A stateless stand-in for adaptive routing, the norm
//     on InfiniBand, which spreads load by queue length.
//   ecmp: mix64(f ^ (tier << 32 | attempt)) scaled to the number of choices, f = mix64(mix64(seed ^ (src << 32 | dst))
//     ^ label); tier 0 leaf up, 1 spine up, 2 core down, 3 spine down. mix64 is SplitMix64's finaliser (mix.hpp).
//
// Imported fabrics. With forwarding tables a flow goes where they send it, from switch to switch. Without, and where a
// table's path is cut, it takes a path of the fewest hops, as OpenSM's minhop engine does; the choices of a switch are
// its cables to switches one hop nearer to the destination, first cables to each before second ones, and are made by
// the rules above (ecmp: tier is the hop's number, attempt 0). A flow whose usual choice is dead takes, of the n live
// choices, number (its rank + number of its leaf) mod n.
//
// Broken links. Only dead ones (share 0) count; degraded ones are used like healthy ones. ecmp: a pick that meets a
// dead arc is repeated with the next attempt as salt, as a real switch re-hashes over its surviving next hops; after 16
// attempts as adaptive. adaptive: the flow keeps its leaf uplink if that still leads to the destination. Else it takes,
// of the n other live uplinks of its leaf, number (port + label + leaf in pod) mod n, which spreads displaced flows; if
// that one leads nowhere, the same among all uplinks that do. A dead core is replaced alike. So every up/down path is
// searched before there is "no route".
// Where the rail's relay or NIC is cut off, the flow tries its own NIC. With ClusterSpec::port_failover it then takes
// any pair of NICs that works: same rail at both ends first (rail-optimised), or one end as before (elsewhere), number
// (destination's place in its node + source node + label) mod n of those that work.
#include <cstdint>
#include <variant>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/fabric_state.hpp"
#include "topology/min_hop.hpp"
#include "topology/path.hpp"
#include "topology/up_down.hpp"

namespace toposim::topology {

class Router {
 public:
  /// Keeps a reference to the cluster. ClusterSpec::routing chooses adaptive or ecmp.
  explicit Router(const Cluster& cluster, std::uint64_t ecmp_seed = 0);

  /// The arcs from src to dst; none for src == dst. A pure function, callable from any thread; tens of ns where nothing
  /// is broken. Throws TopologyError naming both ends if no path is left, or if an end is not a GPU.
  Path path(VertexId src_gpu, VertexId dst_gpu, std::uint64_t label, const FabricState& state) const;

  /// Appends path() to `route` and returns how many arcs.
  std::size_t append_route(VertexId src_gpu, VertexId dst_gpu, std::uint64_t label, const FabricState& state,
                           std::vector<ArcId>& route) const;
  std::vector<ArcId> route(VertexId src_gpu, VertexId dst_gpu, std::uint64_t label, const FabricState& state) const;

  const Cluster& cluster() const { return *cluster_; }

 private:
  template <class Ways>
  Path path_by(const Ways& ways, VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const;
  template <class Ways>
  Path detour(const Ways& ways, VertexId src, VertexId dst, std::uint64_t label, const FabricState& state) const;
  [[noreturn]] void no_route(VertexId src, VertexId dst, const FabricState& state) const;

  const Cluster* cluster_;
  std::variant<UpDown, MinHop> ways_;
  std::uint32_t gpus_, nics_per_node_;
  bool rail_optimised_, port_failover_;
};

}  // namespace toposim::topology
