// cluster.import: the files of a fabric are read here, since what they say of nodes and adapters decides the rest.
#include <fmt/format.h>

#include <filesystem>

#include "sim/scenario/readers.hpp"
#include "topology/import/host_list.hpp"
#include "topology/import/import_error.hpp"
#include "topology/import/import_fabric.hpp"

namespace toposim::sim {
namespace {

using topology::ImportSpec;
constexpr std::size_t most_names = 256;

void read_latency(Section& import, std::string_view key, topology::LinkSpec& link) {
  Section section = import.section(key);
  section.quantity(link.latency_s, "latency", Dimension::time, {0, 1});
  section.refuse({"bandwidth"}, "the file says it; remove it, or give import.link_rate");
  section.finish();
}

void read_hosts(Section& import, ImportSpec& spec) {
  std::string text;
  if (!import.text(text, "hosts")) return;
  try {
    spec.hosts = topology::expand_host_list(text);
  } catch (const topology::TopologyError& error) {
    import.complain("hosts", error.what());
  }
}

/// A list of names, each once.
void read_names(Section& import, std::vector<std::string>& names, std::string_view key, std::string_view such_as) {
  const YamlEntry* entry = import.find(key);
  if (entry == nullptr) return;
  const YamlNode& list = entry->value;
  bool right = list.kind == YamlNode::Kind::list && !list.items.empty() && list.items.size() <= most_names;
  for (std::size_t i = 0; right && i < list.items.size(); ++i) {
    right = list.items[i].kind == YamlNode::Kind::scalar;
    for (std::size_t j = 0; right && j < i; ++j) right = list.items[j].text != list.items[i].text;
  }
  if (!right)
    return import.complain(key,
                           fmt::format("expected a list of 1 to {} names, each once, such as {}", most_names, such_as));
  for (const YamlNode& item : list.items) names.push_back(item.text);
}

std::string from_folder(const std::string& path, const std::string& folder) {
  if (path.empty() || std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(folder) / path).string();
}

void check_counts(Section& cluster_section, const topology::ClusterSpec& cluster, std::int64_t adapters) {
  if (cluster.gpus_per_node % adapters == 0) return;
  cluster_section.complain(
      "gpus_per_node", fmt::format("{} GPUs do not share the {} adapters of a node evenly; take {}, "
                                   "or pick the adapters with import.rails",
                                   cluster.gpus_per_node, adapters, (cluster.gpus_per_node / adapters + 1) * adapters));
}

}  // namespace

void read_import(Section& cluster_section, topology::ClusterSpec& cluster, const std::string& folder) {
  Section import = cluster_section.section("import");
  const std::size_t before = import.problems().count();
  ImportSpec spec;
  import.require({{ "file", "what ibnetdiscover printed of the fabric, plain or gzip" }});
  import.text(spec.file, "file");
  import.text(spec.tables, "tables");
  import.quantity(spec.link_rate_Bps, "link_rate", Dimension::bandwidth, {1, 1e18});
  read_hosts(import, spec);
  read_names(import, spec.rails, "rails", "[mlx5_0, mlx5_1]");
  read_names(import, spec.without, "without", "[spine-1, leaf-3 port 12]");
  read_latency(import, "access", cluster.access);
  read_latency(import, "uplink", cluster.uplink);
  read_latency(import, "core_link", cluster.core_link);
  if (import.has("tables"))
    import.refuse({"routing", "without"},
                  "the tables are the routes, computed for the fabric as it is in the file; remove one of the two");
  else
    import.choice<topology::RoutingMode>(cluster.routing, "routing", routing_words);
  import.flag(cluster.fabric_sharp, "sharp");
  import.finish();
  cluster_section.refuse({"fabric", "nics_per_node"}, "the imported fabric says it; remove it, or cluster.import");
  if (!import.present() || import.problems().count() > before || spec.file.empty()) return;

  spec.file = from_folder(spec.file, folder);
  spec.tables = from_folder(spec.tables, folder);
  try {
    const topology::ClusterSpec asked = cluster;
    topology::use_fabric(std::make_shared<const topology::ImportedFabric>(topology::import_fabric(spec)), cluster);
    const std::int64_t adapters = cluster.nics_per_node;
    cluster.spares = asked.spares;
    cluster.nodes = cluster_section.has("nodes") ? asked.nodes : cluster.nodes - asked.spares;
    if (cluster_section.has("gpus_per_node")) cluster.gpus_per_node = asked.gpus_per_node;
    check_counts(cluster_section, cluster, adapters);
  } catch (const topology::ImportError& error) {
    for (const std::string& problem : error.problems()) import.complain("file", problem);
  }
}

}  // namespace toposim::sim
