// One builder for every fabric: vertices by kind, then each vertex's arcs in order of target.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "topology/build_imported.hpp"
#include "topology/cluster.hpp"
#include "topology/error.hpp"
#include "topology/imported_fabric.hpp"
#include "topology/narrow.hpp"

namespace toposim::topology {
namespace {

LinkKind link_between(VertexKind lower, VertexKind upper) {
  switch (upper) {
    case VertexKind::nvswitch:
      return LinkKind::nvlink;
    case VertexKind::nic:
      return LinkKind::pcie;
    case VertexKind::leaf:
      return LinkKind::access;
    case VertexKind::spine:
      return LinkKind::uplink;
    case VertexKind::core:
      return LinkKind::core_link;
    case VertexKind::gpu:
      break;
  }
  throw std::logic_error(fmt::format("no link goes up from kind {} to a GPU", static_cast<int>(lower)));
}

}  // namespace

void check_size(const ClusterSpec& spec, const FabricShape& shape) {
  constexpr std::int64_t limit = std::numeric_limits<std::uint32_t>::max() / 2;
  if (shape.arcs() > limit || shape.vertices() > limit) {
    throw TopologyError(
        fmt::format("cluster: {} GPUs make {} vertices and {} arcs, {:.1f} GB; at most {} of either fit", shape.gpus(),
                    shape.vertices(), shape.arcs(), estimated_bytes(spec) / 1e9, limit));
  }
}

class ClusterBuilder {
 public:
  explicit ClusterBuilder(const ClusterSpec& spec) : shape_(shape_of(spec)) {
    check_size(spec, shape_);
    cluster_.spec_ = spec;
    cluster_.shape_ = shape_;
    cluster_.arc_map_ = ArcMap(shape_);
    cluster_.links_ = {spec.nvlink, spec.pcie, spec.access, spec.uplink, spec.core_link};
    cluster_.gpus_per_node_ = u32(shape_.gpus_per_node);
    cluster_.nics_per_node_ = u32(shape_.nics_per_node);
    const std::int64_t counts[] = {shape_.gpus(),   shape_.nodes,    shape_.nics(),
                                   shape_.leaves(), shape_.spines(), shape_.cores()};
    for (std::size_t kind = 0; kind < 6; ++kind) {
      cluster_.first_[kind + 1] = cluster_.first_[kind] + u32(counts[kind]);
    }
  }

  Cluster build() {
    arcs_.reserve(static_cast<std::size_t>(shape_.arcs()));
    add_node_arcs();
    add_leaf_arcs();
    add_spine_arcs();
    add_core_arcs();
    cluster_.graph_ = Graph(boost::edges_are_sorted, arcs_.begin(), arcs_.end(), cluster_.vertex_count(),
                            u32(static_cast<std::int64_t>(arcs_.size())));
    arcs_ = {};
    describe_vertices();
    describe_arcs();
    check_invariants(cluster_.graph_, shape_);
    return std::move(cluster_);
  }

 private:
  void add(VertexId from, VertexId to, std::int64_t cables = 1) {
    for (std::int64_t i = 0; i < cables; ++i) arcs_.emplace_back(from, to);
  }
  VertexId leaf_of(std::int64_t node, std::int64_t nic) const {
    const std::int64_t group = node / shape_.nodes_per_group;
    return cluster_.leaf(u32(group * shape_.leaves_per_group + (shape_.rail_optimised ? nic : 0)));
  }

  void add_node_arcs() {
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      for (std::uint32_t g = 0; g < shape_.gpus_per_node; ++g) {
        add(cluster_.gpu(node, g), cluster_.nvswitch(node));
        if (shape_.nics_per_node > 0) add(cluster_.gpu(node, g), cluster_.nic(node, u32(g / shape_.gpus_per_nic())));
      }
    }
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      for (std::uint32_t g = 0; g < shape_.gpus_per_node; ++g) add(cluster_.nvswitch(node), cluster_.gpu(node, g));
    }
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      for (std::uint32_t k = 0; k < shape_.nics_per_node; ++k) {
        const VertexId nic = cluster_.nic(node, k);
        for (std::int64_t g = 0; g < shape_.gpus_per_nic(); ++g) {
          add(nic, cluster_.gpu(node, u32(k * shape_.gpus_per_nic() + g)));
        }
        add(nic, leaf_of(node, k));
      }
    }
  }

  void add_leaf_arcs() {
    for (std::int64_t leaf = 0; leaf < shape_.leaves(); ++leaf) {
      const VertexId v = cluster_.leaf(u32(leaf));
      const std::int64_t group = leaf / shape_.leaves_per_group;
      const std::int64_t rail = leaf % shape_.leaves_per_group;  // 0 where a leaf holds every NIC of its nodes
      for (std::int64_t i = 0; i < shape_.nodes_in_group(group); ++i) {
        for (std::int64_t k = 0; k < shape_.nics_per_leaf_of_node(); ++k) {
          add(v, cluster_.nic(u32(group * shape_.nodes_per_group + i), u32(rail + k)));
        }
      }
      const std::int64_t pod = group / shape_.groups_per_pod;
      for (std::int64_t j = 0; j < shape_.spines_per_pod; ++j) {
        add(v, cluster_.spine(u32(pod * shape_.spines_per_pod + j)), shape_.cables_per_leaf_spine);
      }
    }
  }

  void add_spine_arcs() {
    for (std::int64_t spine = 0; spine < shape_.spines(); ++spine) {
      const VertexId v = cluster_.spine(u32(spine));
      const std::int64_t pod = spine / shape_.spines_per_pod;
      const std::int64_t plane = spine % shape_.spines_per_pod;
      for (std::int64_t i = 0; i < shape_.groups_in_pod(pod) * shape_.leaves_per_group; ++i) {
        add(v, cluster_.leaf(u32(pod * shape_.leaves_per_pod() + i)), shape_.cables_per_leaf_spine);
      }
      for (std::int64_t i = 0; i < shape_.cores_per_plane; ++i) {
        add(v, cluster_.core(u32(plane * shape_.cores_per_plane + i)), shape_.cables_per_spine_core);
      }
    }
  }

  void add_core_arcs() {
    for (std::int64_t core = 0; core < shape_.cores(); ++core) {
      const std::int64_t plane = core / shape_.cores_per_plane;
      for (std::int64_t pod = 0; pod < shape_.pods; ++pod) {
        add(cluster_.core(u32(core)), cluster_.spine(u32(pod * shape_.spines_per_pod + plane)),
            shape_.cables_per_spine_core);
      }
    }
  }

  void describe_vertices() {
    const std::int64_t nodes_per_pod = shape_.nics_per_node > 0 ? shape_.nodes_per_group * shape_.groups_per_pod : 1;
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      const std::uint32_t pod = u32(node / nodes_per_pod);
      describe(cluster_.nvswitch(node), VertexKind::nvswitch, 0, node, pod);
      for (std::uint32_t g = 0; g < shape_.gpus_per_node; ++g) {
        describe(cluster_.gpu(node, g), VertexKind::gpu, g, node, pod);
      }
      for (std::uint32_t k = 0; k < shape_.nics_per_node; ++k) {
        describe(cluster_.nic(node, k), VertexKind::nic, k, node, pod);
      }
    }
    for (std::uint32_t i = 0; i < shape_.leaves(); ++i) {
      describe(cluster_.leaf(i), VertexKind::leaf, u32(i % shape_.leaves_per_group), i,
               u32(i / shape_.leaves_per_pod()));
    }
    for (std::uint32_t i = 0; i < shape_.spines(); ++i) {
      describe(cluster_.spine(i), VertexKind::spine, 0, i, u32(i / shape_.spines_per_pod));
    }
    for (std::uint32_t i = 0; i < shape_.cores(); ++i) describe(cluster_.core(i), VertexKind::core, 0, i, 0);
  }
  void describe(VertexId v, VertexKind kind, std::uint32_t local, std::uint32_t node, std::uint32_t pod) {
    cluster_.graph_[v] = {kind, static_cast<std::uint16_t>(local), node, pod};
  }

  // The graph is symmetric and arcs are sorted, so the n-th arc into a vertex, in arc order, is the reverse of the n-th
  // arc out of it: one pass with a cursor per vertex.
  void describe_arcs() {
    const auto& rows = cluster_.graph_.m_forward.m_rowstart;
    std::vector<ArcId> cursor(rows.begin(), rows.end() - 1);
    for (VertexId from = 0; from < cluster_.vertex_count(); ++from) {
      for (ArcId arc = rows[from]; arc < rows[from + 1]; ++arc) {
        const VertexId to = cluster_.target(arc);
        const auto [low, high] = std::minmax(from, to);
        const LinkKind kind = link_between(cluster_.graph_[low].kind, cluster_.graph_[high].kind);
        cluster_.graph_[Cluster::edge(arc)] = {cursor[to]++, kind, static_cast<std::uint16_t>(kind)};
      }
    }
  }

  FabricShape shape_;
  Cluster cluster_;
  std::vector<std::pair<VertexId, VertexId>> arcs_;
};

Cluster build_cluster(const ClusterSpec& spec) {
  if (spec.fabric == FabricKind::imported) return build_imported(spec);
  return ClusterBuilder(spec).build();
}

double estimated_bytes(const ClusterSpec& spec) {
  const FabricShape shape = shape_of(spec);
  // Kept: a vertex and its row start; an arc, its target. While building also each arc's two ends, then (after those
  // are gone, and smaller) a cursor per vertex.
  const double vertex_bytes = sizeof(Vertex) + sizeof(ArcId);
  const double arc_bytes = sizeof(Arc) + sizeof(VertexId) + sizeof(std::pair<VertexId, VertexId>);
  const double tables =
      spec.import && !spec.import->next.empty()
          ? static_cast<double>(shape.leaves() + shape.spines() + shape.cores()) * static_cast<double>(shape.nics())
          : 0;
  return static_cast<double>(shape.vertices()) * vertex_bytes + static_cast<double>(shape.arcs()) * arc_bytes +
         tables * sizeof(ArcId);
}

}  // namespace toposim::topology
