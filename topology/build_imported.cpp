// A cluster from a list of cables: both directions of each, sorted. Nodes are as in every other fabric.
#include "topology/build_imported.hpp"

#include <algorithm>
#include <numeric>

#include "topology/error.hpp"
#include "topology/imported_fabric.hpp"
#include "topology/narrow.hpp"

namespace toposim::topology {

class ImportedBuilder {
 public:
  explicit ImportedBuilder(const ClusterSpec& spec) : fabric_(*spec.import), shape_(shape_of(spec)) {
    check_size(spec, shape_);
    cluster_.spec_ = spec;
    cluster_.shape_ = shape_;
    cluster_.links_ = {spec.nvlink, spec.pcie, spec.access, spec.uplink, spec.core_link};
    cluster_.gpus_per_node_ = u32(shape_.gpus_per_node);
    cluster_.nics_per_node_ = u32(shape_.nics_per_node);
    const std::int64_t counts[] = {shape_.gpus(),   shape_.nodes,    shape_.nics(),
                                   shape_.leaves(), shape_.spines(), shape_.cores()};
    for (std::size_t kind = 0; kind < 6; ++kind) cluster_.first_[kind + 1] = cluster_.first_[kind] + u32(counts[kind]);
  }

  Cluster build() {
    cables_.reserve(static_cast<std::size_t>(shape_.cables()));
    add_node_cables();
    const auto first_switch_cable = u32(static_cast<std::int64_t>(cables_.size()));
    for (const ImportedFabric::Cable& c : fabric_.cables) {
      const LinkKind kind = fabric_.is_core_cable(c) ? LinkKind::core_link : LinkKind::uplink;
      cables_.push_back({cluster_.leaf(c.lower), cluster_.leaf(c.upper), kind, link(kind, c.bandwidth_Bps)});
    }
    lay_arcs();
    describe_vertices();
    for (std::size_t i = first_switch_cable; i < cables_.size(); ++i)
      cluster_.switch_cables_[cables_[i].kind == LinkKind::uplink ? 0 : 1].push_back(up_[i]);
    fill_tables(first_switch_cable);
    check_invariants(cluster_.graph_, shape_);
    return std::move(cluster_);
  }

 private:
  struct Cable {
    VertexId low, high;
    LinkKind kind;
    std::uint16_t link;
  };

  /// The link of a kind with this bandwidth: the kind's own, or one beside it.
  std::uint16_t link(LinkKind kind, double bandwidth_Bps) {
    std::vector<LinkSpec>& links = cluster_.links_;
    const LinkSpec own = links[static_cast<std::size_t>(kind)];
    if (own.bandwidth_Bps == bandwidth_Bps) return static_cast<std::uint16_t>(kind);
    for (std::size_t i = 5; i < links.size(); ++i)
      if (links[i].bandwidth_Bps == bandwidth_Bps && links[i].latency_s == own.latency_s)
        return static_cast<std::uint16_t>(i);
    if (links.size() > 0xffff)
      throw TopologyError(fabric_.file + ": links of more than 65,000 different bandwidths; at most that many fit");
    links.push_back({bandwidth_Bps, own.latency_s});
    return static_cast<std::uint16_t>(links.size() - 1);
  }

  void add_node_cables() {
    const std::uint32_t gpus = cluster_.gpus_per_node_, nics = cluster_.nics_per_node_;
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      for (std::uint32_t g = 0; g < gpus; ++g) {
        const VertexId gpu = cluster_.gpu(node, g);
        cables_.push_back({gpu, cluster_.nvswitch(node), LinkKind::nvlink, 0});
        cables_.push_back({gpu, cluster_.nic(node, g / u32(shape_.gpus_per_nic())), LinkKind::pcie, 1});
      }
      for (std::uint32_t k = 0; k < nics; ++k) {
        const ImportedFabric::Access& access = fabric_.access[std::size_t{node} * nics + k];
        cables_.push_back({cluster_.nic(node, k), cluster_.leaf(access.leaf), LinkKind::access,
                           link(LinkKind::access, access.bandwidth_Bps)});
      }
    }
  }

  /// Arcs sorted by (source, target, cable), so that parallel cables are in the same order in both directions.
  void lay_arcs() {
    const std::size_t cables = cables_.size();
    std::vector<std::uint32_t> order(2 * cables);  // 2 i: cable i up; 2 i + 1: down
    std::iota(order.begin(), order.end(), 0);
    const auto from = [&](std::uint32_t a) { return a % 2 == 0 ? cables_[a / 2].low : cables_[a / 2].high; };
    const auto to = [&](std::uint32_t a) { return a % 2 == 0 ? cables_[a / 2].high : cables_[a / 2].low; };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (from(a) != from(b)) return from(a) < from(b);
      return to(a) != to(b) ? to(a) < to(b) : a < b;
    });
    std::vector<std::pair<VertexId, VertexId>> ends;
    ends.reserve(order.size());
    std::vector<ArcId> place(order.size());
    for (const std::uint32_t a : order) {
      place[a] = u32(static_cast<std::int64_t>(ends.size()));
      ends.emplace_back(from(a), to(a));
    }
    cluster_.graph_ = Graph(boost::edges_are_sorted, ends.begin(), ends.end(), cluster_.vertex_count(),
                            u32(static_cast<std::int64_t>(ends.size())));
    up_.resize(cables);
    for (std::uint32_t i = 0; i < cables; ++i) {
      const ArcId up = place[std::size_t{2} * i], down = place[std::size_t{2} * i + 1];
      up_[i] = up;
      cluster_.graph_[Cluster::edge(up)] = {down, cables_[i].kind, cables_[i].link};
      cluster_.graph_[Cluster::edge(down)] = {up, cables_[i].kind, cables_[i].link};
    }
  }

  void describe_vertices() {
    for (std::uint32_t node = 0; node < shape_.nodes; ++node) {
      const std::uint32_t pod = fabric_.switches[fabric_.access[std::size_t{node} * cluster_.nics_per_node_].leaf].pod;
      cluster_.graph_[cluster_.nvswitch(node)] = {VertexKind::nvswitch, 0, node, pod};
      for (std::uint16_t g = 0; g < shape_.gpus_per_node; ++g)
        cluster_.graph_[cluster_.gpu(node, g)] = {VertexKind::gpu, g, node, pod};
      for (std::uint16_t k = 0; k < shape_.nics_per_node; ++k)
        cluster_.graph_[cluster_.nic(node, k)] = {VertexKind::nic, k, node, pod};
    }
    std::uint32_t seen[3] = {};
    for (std::uint32_t i = 0; i < fabric_.switches.size(); ++i) {
      const ImportedFabric::Switch& one = fabric_.switches[i];
      const auto tier = static_cast<std::size_t>(one.tier);
      const auto kind = static_cast<VertexKind>(static_cast<std::size_t>(VertexKind::leaf) + tier);
      cluster_.graph_[cluster_.leaf(i)] = {kind, one.rail, seen[tier]++, one.pod};
    }
  }

  /// The table names adapters of all nodes of the fabric; the cluster may have fewer.
  void fill_tables(std::uint32_t first_switch_cable) {
    if (fabric_.next.empty()) return;
    const std::uint32_t nics = cluster_.nic_count();
    cluster_.table_.resize(fabric_.switches.size() * nics);
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      for (std::uint32_t nic = 0; nic < nics; ++nic) {
        const std::uint32_t cable = fabric_.next[s * fabric_.adapters() + nic];
        ArcId& arc = cluster_.table_[std::size_t{s} * nics + nic];
        if (cable == ImportedFabric::deliver) {
          arc = cluster_.arc(cluster_.cable(LinkKind::access, nic)).reverse;
          continue;
        }
        const ArcId up = up_[first_switch_cable + cable];
        arc = fabric_.cables[cable].lower == s ? up : cluster_.arc(up).reverse;
      }
    }
  }

  const ImportedFabric& fabric_;
  FabricShape shape_;
  Cluster cluster_;
  std::vector<Cable> cables_;
  std::vector<ArcId> up_;  // of each cable
};

Cluster build_imported(const ClusterSpec& spec) {
  return ImportedBuilder(spec).build();
}

}  // namespace toposim::topology
