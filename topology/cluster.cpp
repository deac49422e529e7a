#include "topology/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/imported_fabric.hpp"

namespace toposim::topology {

VertexId Cluster::leaf_of_nic(VertexId nic) const {
  const ArcRange out = out_arcs(nic);
  return target(out.last - 1);  // a NIC's largest neighbour: its GPUs come first
}

Cluster::ArcRange Cluster::out_arcs(VertexId u) const {
  const auto& rows = graph_.m_forward.m_rowstart;
  return {rows[u], rows[u + 1]};
}

Cluster::ArcRange Cluster::arcs_between(VertexId u, VertexId v) const {
  const ArcRange out = out_arcs(u);
  const auto& column = graph_.m_forward.m_column;
  const auto [low, high] = std::equal_range(column.begin() + out.first, column.begin() + out.last, v);
  return {static_cast<ArcId>(low - column.begin()), static_cast<ArcId>(high - column.begin())};
}

std::uint32_t Cluster::cable_count(LinkKind kind) const {
  const auto of = [this](LinkKind k) -> std::int64_t {
    switch (k) {
      case LinkKind::nvlink:
        return shape_.nvlink_cables();
      case LinkKind::pcie:
        return shape_.pcie_cables();
      case LinkKind::access:
        return shape_.access_cables();
      case LinkKind::uplink:
        return shape_.uplink_cables();
      case LinkKind::core_link:
        return shape_.core_cables();
    }
    return 0;
  };
  return static_cast<std::uint32_t>(of(kind));
}

ArcId Cluster::cable(LinkKind kind, std::uint32_t index) const {
  if (shape_.counted) {
    if (kind == LinkKind::nvlink) return out_arcs(index).first;
    if (kind == LinkKind::pcie) return out_arcs(index).first + 1;
    if (kind == LinkKind::access) return out_arcs(first(VertexKind::nic) + index).last - 1;
    return switch_cables_[kind == LinkKind::uplink ? 0 : 1][index];
  }
  switch (kind) {
    case LinkKind::nvlink:
      return arc_map_.gpu_to_nvswitch(index);
    case LinkKind::pcie:
      return arc_map_.gpu_to_nic(index);
    case LinkKind::access:
      return arc_map_.nic_to_leaf(index);
    case LinkKind::uplink: {
      const auto per_leaf = static_cast<std::uint32_t>(shape_.leaf_uplinks);
      return arc_map_.leaf_to_spine(index / per_leaf, 0, 0) + index % per_leaf;
    }
    case LinkKind::core_link: {
      const auto per_spine = static_cast<std::uint32_t>(shape_.spine_uplinks);
      return arc_map_.spine_to_core(index / per_spine, 0, 0) + index % per_spine;
    }
  }
  return 0;
}

std::vector<ArcId> Cluster::cables(LinkKind kind) const {
  std::vector<ArcId> result(cable_count(kind));
  for (std::uint32_t i = 0; i < result.size(); ++i) result[i] = cable(kind, i);
  return result;
}

std::string Cluster::name(VertexId v) const {
  const Vertex& vertex = graph_[v];
  if (const ImportedFabric* fabric = spec_.import.get()) {
    if (vertex.kind >= VertexKind::leaf) return fabric->switches[v - first(VertexKind::leaf)].name;
    const std::string& node = fabric->nodes[vertex.node];
    if (vertex.kind == VertexKind::gpu) return fmt::format("{}/gpu{}", node, vertex.local);
    return node + "/" + (vertex.kind == VertexKind::nic ? fabric->rails[vertex.local] : "nvswitch");
  }
  const auto in_pod = [&](const char* kind, std::int64_t per_pod) {
    const std::int64_t index = vertex.node - vertex.pod * per_pod;
    return shape_.pods > 1 ? fmt::format("pod{}/{}{}", vertex.pod, kind, index) : fmt::format("{}{}", kind, index);
  };
  switch (vertex.kind) {
    case VertexKind::gpu:
      return fmt::format("node{:04}/gpu{}", vertex.node, vertex.local);
    case VertexKind::nvswitch:
      return fmt::format("node{:04}/nvswitch", vertex.node);
    case VertexKind::nic:
      return fmt::format("node{:04}/nic{}", vertex.node, vertex.local);
    case VertexKind::leaf:
      return in_pod("leaf", shape_.leaves_per_pod());
    case VertexKind::spine:
      return in_pod("spine", shape_.spines_per_pod);
    case VertexKind::core:
      return fmt::format("core{}", vertex.node);
  }
  return {};
}

std::string Cluster::arc_name(ArcId arc) const {
  const VertexId from = source(arc);
  const VertexId to = target(arc);
  const ArcRange parallel = arcs_between(from, to);
  std::string text = fmt::format("{} -> {}", name(from), name(to));
  if (parallel.size() > 1) text += fmt::format(" #{}", arc - parallel.first);
  return text;
}

}  // namespace toposim::topology
