#pragma once
// The cluster as a typed Boost.Graph: GPUs, NVSwitches, NICs, leaves, spines, cores, and the links between them.
//
// Every cable is two directed arcs, one per direction, because the two directions are separate capacities. The graph is
// immutable; what is broken in it is a FabricState beside it. Parallel cables are parallel arcs.
#include <array>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/arc_map.hpp"
#include "topology/cluster_spec.hpp"
#include "topology/fabric_shape.hpp"

namespace toposim::topology {

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
/// Vertices are numbered gpus, nvswitches, nics, leaves, spines, cores; GPUs are 0 .. gpu_count()-1 in (node, local)
/// order, so a GpuId is its vertex. Leaves are in (group, rail) order, spines in (pod, index) order, cores by plane; in
/// an imported fabric in the order of ImportedFabric::switches.
class Cluster {
 public:
  const Graph& graph() const { return graph_; }
  const ClusterSpec& spec() const { return spec_; }
  const FabricShape& shape() const { return shape_; }
  const ArcMap& arc_map() const { return arc_map_; }  ///< not of an imported fabric
  /// By LinkKind, then those of an imported fabric that differ; Arc::link is an index here.
  std::span<const LinkSpec> links() const { return links_; }

  std::uint32_t node_count() const { return count(VertexKind::nvswitch); }
  std::uint32_t gpu_count() const { return count(VertexKind::gpu); }
  std::uint32_t nic_count() const { return count(VertexKind::nic); }
  std::uint32_t leaf_count() const { return count(VertexKind::leaf); }
  std::uint32_t spine_count() const { return count(VertexKind::spine); }
  std::uint32_t core_count() const { return count(VertexKind::core); }
  std::uint32_t vertex_count() const { return first_.back(); }
  std::uint32_t arc_count() const { return static_cast<std::uint32_t>(boost::num_edges(graph_)); }

  std::uint32_t gpus_per_node() const { return gpus_per_node_; }
  std::uint32_t nics_per_node() const { return nics_per_node_; }  ///< 0 for single_node

  VertexId gpu(std::uint32_t node, std::uint32_t local) const { return node * gpus_per_node_ + local; }
  VertexId nvswitch(std::uint32_t node) const { return first(VertexKind::nvswitch) + node; }
  VertexId nic(std::uint32_t node, std::uint32_t local) const {
    return first(VertexKind::nic) + node * nics_per_node_ + local;
  }
  VertexId nic_of_gpu(VertexId gpu) const { return nic(node_of(gpu), rail_of_gpu(gpu)); }  ///< needs NICs
  VertexId leaf(std::uint32_t index) const { return first(VertexKind::leaf) + index; }
  VertexId spine(std::uint32_t index) const { return first(VertexKind::spine) + index; }
  VertexId core(std::uint32_t index) const { return first(VertexKind::core) + index; }
  VertexId leaf_of_nic(VertexId nic) const;
  std::uint32_t node_of(VertexId gpu_or_nic) const { return graph_[gpu_or_nic].node; }
  /// Index of the GPU's NIC within its node; 0 for single_node.
  std::uint32_t rail_of_gpu(VertexId gpu) const { return graph_[gpu].local * nics_per_node_ / gpus_per_node_; }
  std::uint32_t pod_of(VertexId v) const { return graph_[v].pod; }

  /// Arcs from u to v: none, one, or several parallel cables, contiguous. O(log out-degree).
  struct ArcRange {
    ArcId first = 0, last = 0;  ///< half open
    std::uint32_t size() const { return last - first; }
  };
  ArcRange arcs_between(VertexId u, VertexId v) const;
  ArcRange out_arcs(VertexId u) const;  ///< sorted by target
  VertexId target(ArcId arc) const { return boost::target(edge(arc), graph_); }
  VertexId source(ArcId arc) const { return target(this->arc(arc).reverse); }
  double bandwidth_Bps(ArcId arc) const { return links_[this->arc(arc).link].bandwidth_Bps; }
  double latency_s(ArcId arc) const { return links_[this->arc(arc).link].latency_s; }
  const Arc& arc(ArcId arc) const { return graph_[edge(arc)]; }

  /// Cables of one kind (the components of the fault model), each named by its upward arc: towards the larger vertex.
  std::uint32_t cable_count(LinkKind kind) const;
  ArcId cable(LinkKind kind, std::uint32_t index) const;  ///< ascending in index; O(1)
  std::vector<ArcId> cables(LinkKind kind) const;

  /// Of an imported fabric with forwarding tables: the arc that a switch sends packets for a NIC by.
  bool has_tables() const { return !table_.empty(); }
  ArcId table_arc(VertexId from_switch, VertexId to_nic) const {
    return table_[std::size_t{from_switch - first(VertexKind::leaf)} * nic_count() + (to_nic - first(VertexKind::nic))];
  }

  /// node0012/gpu3, node0012/nvswitch, node0012/nic3, leaf4, spine2, core7; pod1/leaf4 and pod1/spine2, counted within
  /// the pod, where there are several pods. In an imported fabric the names that it has.
  std::string name(VertexId v) const;
  std::string arc_name(ArcId arc) const;  ///< node0012/nic3 -> leaf3; leaf3 -> spine0 #2 for parallel cable 2

 private:
  friend class ClusterBuilder;
  friend class ImportedBuilder;
  Cluster() = default;

  std::uint32_t count(VertexKind kind) const { return first_[static_cast<std::size_t>(kind) + 1] - first(kind); }
  VertexId first(VertexKind kind) const { return first_[static_cast<std::size_t>(kind)]; }
  static Graph::edge_descriptor edge(ArcId arc) { return {0, arc}; }  // the graph's look-ups need the index only

  Graph graph_;
  ClusterSpec spec_;
  FabricShape shape_;
  ArcMap arc_map_;
  std::vector<LinkSpec> links_;      // by LinkKind; then those of an imported fabric that differ
  std::array<VertexId, 7> first_{};  // first vertex of each kind, and the vertex count
  std::uint32_t gpus_per_node_ = 0, nics_per_node_ = 0;
  // Of an imported fabric: upward arcs of uplinks and core links; where packets for a NIC leave a switch.
  std::array<std::vector<ArcId>, 2> switch_cables_;
  std::vector<ArcId> table_;
};

/// Builds the fabric the spec names. Throws TopologyError where it cannot be built as asked (ports beyond the radix,
/// leaves without uplinks, spines that do not divide the uplinks), saying what is needed.
Cluster build_cluster(const ClusterSpec& spec);

/// Bytes that build_cluster(spec) needs at its peak, without building: to refuse what does not fit in memory. Throws
/// TopologyError where the fabric is impossible.
double estimated_bytes(const ClusterSpec& spec);

/// What build_cluster() checks before it returns: every vertex has the degree its kind asks for, arcs are sorted by
/// target, each arc's reverse leads back with the same kind of link, and everything is connected. Throws
/// std::logic_error: a failure is a mistake in the builder.
void check_invariants(const Graph& graph, const FabricShape& shape);

}  // namespace toposim::topology
