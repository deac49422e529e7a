#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>
#include <tuple>

#include "topology/error.hpp"
#include "topology/import/graphml_file.hpp"

namespace toposim::topology {
namespace {

void add_data(pugi::xml_node& to, const char* key, const std::string& value) {
  pugi::xml_node data = to.append_child("data");
  data.append_attribute("key") = key;
  data.text() = value.c_str();
}

/// "node0003 nic2": as ibnetdiscover names adapters.
std::string device_name(const Cluster& cluster, VertexId v) {
  std::string name = cluster.name(v);
  if (cluster.graph()[v].kind == VertexKind::nic) name[name.rfind('/')] = ' ';
  return name;
}

}  // namespace

std::string graphml(const Cluster& cluster) {
  if (cluster.nic_count() == 0) throw TopologyError("a node alone has no fabric to write as GraphML");
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("graphml");
  root.append_attribute("xmlns") = "http://graphml.graphdrawing.org/xmlns";
  for (const auto& [name, of, type] :
       {std::tuple("kind", "node", "string"), std::tuple("name", "node", "string"),
        std::tuple("bandwidth_Bps", "edge", "double"), std::tuple("source_port", "edge", "int"),
        std::tuple("target_port", "edge", "int")}) {
    pugi::xml_node key = root.append_child("key");
    key.append_attribute("id") = name;
    key.append_attribute("for") = of;
    key.append_attribute("attr.name") = name;
    key.append_attribute("attr.type") = type;
  }
  pugi::xml_node graph = root.append_child("graph");
  graph.append_attribute("edgedefault") = "undirected";
  const VertexId first = cluster.nic(0, 0);
  for (VertexId v = first; v < cluster.vertex_count(); ++v) {
    pugi::xml_node node = graph.append_child("node");
    node.append_attribute("id") = fmt::format("n{}", v - first).c_str();
    add_data(node, "kind", cluster.graph()[v].kind == VertexKind::nic ? "adapter" : "switch");
    add_data(node, "name", device_name(cluster, v));
  }
  // The port of an arc is its place among those of its source that lead to switches and adapters.
  const auto port = [&](ArcId arc) {
    const VertexId from = cluster.source(arc);
    return cluster.graph()[from].kind == VertexKind::nic ? 1 : arc - cluster.out_arcs(from).first + 1;
  };
  for (VertexId v = first; v < cluster.vertex_count(); ++v) {
    const Cluster::ArcRange out = cluster.out_arcs(v);
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      if (cluster.target(arc) < v) continue;
      pugi::xml_node edge = graph.append_child("edge");
      edge.append_attribute("source") = fmt::format("n{}", v - first).c_str();
      edge.append_attribute("target") = fmt::format("n{}", cluster.target(arc) - first).c_str();
      add_data(edge, "bandwidth_Bps", fmt::format("{}", cluster.bandwidth_Bps(arc)));
      add_data(edge, "source_port", fmt::format("{}", port(arc)));
      add_data(edge, "target_port", fmt::format("{}", port(cluster.arc(arc).reverse)));
    }
  }
  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

}  // namespace toposim::topology
