#pragma once
// Routes between GPUs: NVLink inside a node, rail-aware up/down ECMP outside.
//
// Across nodes a flow leaves on the destination's rail where the fabric is rail-optimised (over NVLink to the GPU of
// that rail first, as NCCL's PXN does), goes up only as far as it must, and picks each cable by a hash of (source,
// destination, label, tier, attempt). A pick that meets a dead or removed link is repeated with the next attempt as
// salt, as a real switch re-hashes over its surviving next hops; after the attempts, every up/down path is searched.
#include <cstdint>
#include <vector>

#include "topology/cluster.hpp"
#include "topology/fabric_state.hpp"

namespace toposim::topology {

class Router {
 public:
  explicit Router(const Cluster& cluster, std::uint64_t ecmp_seed = 0);

  /// Appends the arcs from src to dst to `route` and returns how many. Nothing is appended for src == dst.
  /// Throws TopologyError naming both ends if no up/down path is left.
  std::size_t append_route(VertexId src_gpu, VertexId dst_gpu, std::uint64_t label, const FabricState& state,
                           std::vector<ArcId>& route) const;
  std::vector<ArcId> route(VertexId src_gpu, VertexId dst_gpu, std::uint64_t label, const FabricState& state) const;

  const Cluster& cluster() const { return *cluster_; }

 private:
  const Cluster* cluster_;
  std::uint64_t ecmp_seed_;
};

}  // namespace toposim::topology
