#pragma once
// The cluster as a typed Boost.Graph: GPUs, NVSwitches, NICs, leaves, spines, cores, and the links between them.
//
// Every cable is two directed arcs, one per direction, because the two directions are separate capacities. The graph is
// immutable; what is broken in it is a FabricState beside it. Parallel cables are parallel arcs.
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/cluster_spec.hpp"

namespace toposim::topology {

using VertexId = std::uint32_t;
using ArcId = std::uint32_t;

enum class VertexKind : std::uint8_t { gpu, nvswitch, nic, leaf, spine, core };
enum class LinkKind : std::uint8_t { nvlink, pcie, access, uplink, core_link };

struct Vertex {
  VertexKind kind{};
  std::uint16_t local = 0;  ///< index within the node (gpu, nic), the rail (leaf of a rail fabric), else 0
  std::uint32_t node = 0;   ///< of a gpu, nvswitch or nic; else index within the kind
  std::uint32_t pod = 0;    ///< pod; 0 where there is one. Cores: 0
};

struct Arc {
  ArcId reverse = 0;  ///< the other direction of the same cable
  LinkKind kind{};
  std::uint16_t link = 0;  ///< index into Cluster::links(): bandwidth and latency
};

using Graph =
    boost::compressed_sparse_row_graph<boost::directedS, Vertex, Arc, boost::no_property, std::uint32_t, std::uint32_t>;

/// Built by build_cluster(); invariants (degrees, reverse arcs, connectedness) hold for every instance.
/// GPUs are vertices 0 .. gpu_count()-1 in (node, local) order, so a GpuId is its vertex.
class Cluster {
 public:
  const Graph& graph() const { return graph_; }
  const ClusterSpec& spec() const { return spec_; }
  std::span<const LinkSpec> links() const { return links_; }

  std::uint32_t node_count() const;
  std::uint32_t gpu_count() const;
  std::uint32_t nic_count() const;
  std::uint32_t leaf_count() const;
  std::uint32_t spine_count() const;
  std::uint32_t core_count() const;
  std::uint32_t vertex_count() const;
  std::uint32_t arc_count() const;

  VertexId gpu(std::uint32_t node, std::uint32_t local) const;
  VertexId nvswitch(std::uint32_t node) const;
  VertexId nic(std::uint32_t node, std::uint32_t local) const;
  VertexId nic_of_gpu(VertexId gpu) const;
  VertexId leaf(std::uint32_t index) const;
  VertexId spine(std::uint32_t index) const;
  VertexId core(std::uint32_t index) const;
  VertexId leaf_of_nic(VertexId nic) const;
  std::uint32_t node_of(VertexId gpu_or_nic) const;
  std::uint32_t rail_of_gpu(VertexId gpu) const;  ///< index of the GPU's NIC within its node

  /// Arcs from u to v: none, one, or several parallel cables, contiguous. O(log out-degree).
  struct ArcRange {
    ArcId first = 0, last = 0;  ///< half open
    std::uint32_t size() const { return last - first; }
  };
  ArcRange arcs_between(VertexId u, VertexId v) const;
  ArcRange out_arcs(VertexId u) const;  ///< sorted by target
  VertexId target(ArcId arc) const;
  VertexId source(ArcId arc) const;
  double bandwidth_Bps(ArcId arc) const;
  double latency_s(ArcId arc) const;
  const Arc& arc(ArcId arc) const;
  /// The cables of one kind, each named by its upward arc, in arc order (component ids of the fault model).
  std::vector<ArcId> cables(LinkKind kind) const;

  std::string name(VertexId v) const;  ///< node0012/gpu3, node0012/nic3, pod1/leaf4, pod1/spine2, core7
  std::string arc_name(ArcId arc) const;

 private:
  friend class ClusterBuilder;
  Graph graph_;
  ClusterSpec spec_;
  std::vector<LinkSpec> links_;
};

/// Builds the fabric the spec names. Throws TopologyError where it cannot be built as asked (ports beyond the radix,
/// leaves without uplinks, spines that do not divide the uplinks), saying what is needed.
Cluster build_cluster(const ClusterSpec& spec);

/// Bytes that build_cluster(spec) would need, without building: to refuse what does not fit in memory.
double estimated_bytes(const ClusterSpec& spec);

}  // namespace toposim::topology
