#include "topology/survey/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topology/survey/switch_pairs.hpp"

namespace toposim::topology {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string node_name(const Cluster& cluster, std::uint32_t node) {
  const std::string name = cluster.name(cluster.nvswitch(node));
  return name.substr(0, name.rfind('/'));
}

class Picture {
 public:
  explicit Picture(const Cluster& cluster) : cluster_(cluster), pairs_(switch_pairs(cluster)) {
    std::map<double, std::size_t> rates;
    for (const LinkKind kind : {LinkKind::access, LinkKind::uplink, LinkKind::core_link})
      for (const ArcId cable : cluster.cables(kind)) ++rates[cluster.bandwidth_Bps(cable)];
    for (const auto& [rate, count] : rates)
      if (usual_Bps_ == 0 || count > rates[usual_Bps_]) usual_Bps_ = rate;
  }

  std::string draw() {
    text_ =
        "graph fabric {\n  rankdir=BT;\n  ranksep=1.5;\n  node [shape=box, fontname=\"Helvetica\", fontsize=10];\n"
        "  edge [fontname=\"Helvetica\", fontsize=8, color=gray40];\n";
    if (usual_Bps_ > 0) text_ += fmt::format("  label=\"a line: cables of {:g} Gbps\";\n", 8e-9 * usual_Bps_);
    nodes();
    tier(VertexKind::leaf, "lightblue");
    tier(VertexKind::spine, "lightyellow");
    tier(VertexKind::core, "mistyrose");
    for (const SwitchPair& pair : pairs_)
      line(fmt::format("v{}", pair.lower), fmt::format("v{}", pair.upper), pair.cables, pair.bandwidth_Bps);
    return text_ + "}\n";
  }

 private:
  /// A box for nodes whose adapters are on the same leaves, rail by rail.
  void nodes() {
    std::map<std::vector<VertexId>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t node = 0; node < cluster_.node_count(); ++node) {
      std::vector<VertexId> leaves;
      for (std::uint32_t k = 0; k < cluster_.nics_per_node(); ++k)
        leaves.push_back(cluster_.leaf_of_nic(cluster_.nic(node, k)));
      groups[leaves].push_back(node);
    }
    text_ += "  { rank=same; node [style=rounded];\n";
    std::size_t number = 0;
    for (const auto& [leaves, nodes] : groups) {
      const std::string first = node_name(cluster_, nodes.front()), last = node_name(cluster_, nodes.back());
      text_ +=
          fmt::format("    n{} [label={}];\n", number++,
                      quoted(nodes.size() == 1 ? first : fmt::format("{} to {}, {} nodes", first, last, nodes.size())));
    }
    text_ += "  }\n";
    number = 0;
    for (const auto& [leaves, nodes] : groups) {
      std::map<VertexId, std::pair<std::uint32_t, double>> cables;
      for (const std::uint32_t node : nodes) {
        for (std::uint32_t k = 0; k < cluster_.nics_per_node(); ++k) {
          auto& [count, bandwidth_Bps] = cables[leaves[k]];
          ++count;
          bandwidth_Bps += cluster_.bandwidth_Bps(cluster_.out_arcs(cluster_.nic(node, k)).last - 1);
        }
      }
      for (const auto& [leaf, both] : cables)
        line(fmt::format("n{}", number), fmt::format("v{}", leaf), both.first, both.second);
      ++number;
    }
  }

  void tier(VertexKind kind, const char* colour) {
    std::string switches;
    for (VertexId v = cluster_.leaf(0); v < cluster_.vertex_count(); ++v)
      if (cluster_.graph()[v].kind == kind)
        switches += fmt::format("    v{} [label={}];\n", v, quoted(cluster_.name(v)));
    if (switches.empty()) return;
    text_ += fmt::format("  {{ rank=same; node [style=filled, fillcolor={}];\n{}  }}\n", colour, switches);
  }

  void line(const std::string& from, const std::string& to, std::uint32_t cables, double bandwidth_Bps) {
    const double expected_Bps = usual_Bps_ * cables;
    if (bandwidth_Bps == expected_Bps)
      text_ += fmt::format("  {} -- {} [label=\"{}\"];\n", from, to, cables);
    else
      text_ += fmt::format("  {} -- {} [label=\"{} of {:g} Gbps in all\", color={}];\n", from, to, cables,
                           8e-9 * bandwidth_Bps, bandwidth_Bps < expected_Bps ? "red" : "blue");
  }

  const Cluster& cluster_;
  std::vector<SwitchPair> pairs_;
  double usual_Bps_ = 0;
  std::string text_;
};

}  // namespace

std::string graphviz(const Cluster& cluster) {
  return Picture(cluster).draw();
}

}  // namespace toposim::topology
