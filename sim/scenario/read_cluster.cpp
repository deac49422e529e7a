#include <fmt/format.h>

#include "sim/scenario/presets.hpp"
#include "sim/scenario/readers.hpp"

namespace toposim::sim {
namespace {

constexpr std::string_view gpu_presets = "sim/presets/gpus.yaml";
constexpr Range bandwidth_range{1, 1e18};
constexpr Range latency_range{0, 1};
constexpr std::int64_t most_nodes = 1'000'000, most_per_node = 256;

using topology::FabricKind;
constexpr std::pair<std::string_view, FabricKind> fabric_words[] = {{"rail_fat_tree", FabricKind::rail_fat_tree},
                                                                    {"leaf_spine", FabricKind::leaf_spine},
                                                                    {"fat_tree", FabricKind::fat_tree},
                                                                    {"single_node", FabricKind::single_node}};

void fill_gpu(Section& section, GpuSpec& gpu) {
  section.quantity(gpu.memory_bytes, "memory", Dimension::size, {1e6, 1e18});
  section.quantity(gpu.memory_bandwidth_Bps, "memory_bandwidth", Dimension::bandwidth, bandwidth_range);
  section.quantity(gpu.bf16_flops, "bf16", Dimension::compute, {1e9, 1e24});
  section.quantity(gpu.fp8_flops, "fp8", Dimension::compute, {1e9, 1e24});
  section.quantity(gpu.nvlink_Bps, "nvlink", Dimension::bandwidth, bandwidth_range);
  section.flag(gpu.nvlink_sharp, "nvlink_sharp");
  section.quantity(gpu.kernel_bandwidth_Bps, "kernel_bandwidth", Dimension::bandwidth, bandwidth_range);
  section.quantity(gpu.kernel_launch_s, "kernel_launch", Dimension::time, latency_range);
  section.text(gpu.source, "source");
  section.finish();
}

/// A preset's name that the user wrote, looked up; reported where there is no such preset.
bool load_gpu_preset(Section& section, std::string_view key, const YamlNode& name, GpuSpec& gpu) {
  const auto names = preset_names(gpu_presets);
  const YamlNode* preset = name.kind == YamlNode::Kind::scalar ? find_preset(gpu_presets, name.text) : nullptr;
  if (preset == nullptr) {
    const std::string near = name.kind == YamlNode::Kind::scalar ? nearest(name.text, names) : "";
    section.complain(key, fmt::format("expected a GPU preset ({}), got {}{}", list_words(names), describe(name),
                                      near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
    return false;
  }
  Section fields(preset, name.text, preset->mark, section.problems());
  gpu.name = name.text;
  fill_gpu(fields, gpu);
  return true;
}

void read_gpu(Section& cluster, GpuSpec& gpu) {
  const YamlEntry* entry = cluster.find("gpu");
  if (entry == nullptr) return;
  if (entry->value.kind != YamlNode::Kind::map) {
    load_gpu_preset(cluster, "gpu", entry->value, gpu);
    return;
  }
  Section own = cluster.section("gpu");
  gpu.name = "custom";
  if (const YamlEntry* base = own.find("extends"); base != nullptr)
    load_gpu_preset(own, "extends", base->value, gpu);
  else
    own.require({{"memory", "its memory, such as 80GB"},
                 {"memory_bandwidth", "its memory's bandwidth, such as 3.35TB/s"},
                 {"bf16", "its dense BF16 rate, such as 989TFLOPS"},
                 {"nvlink", "its NVLink bandwidth per direction, such as 450GB/s"}});
  own.text(gpu.name, "name");
  fill_gpu(own, gpu);
}

void read_link(Section& parent, std::string_view key, topology::LinkSpec& link) {
  Section section = parent.section(key);
  section.quantity(link.bandwidth_Bps, "bandwidth", Dimension::bandwidth, bandwidth_range);
  section.quantity(link.latency_s, "latency", Dimension::time, latency_range);
  section.finish();
}

void read_fabric(Section& section, topology::ClusterSpec& cluster) {
  section.require({{"type", "rail_fat_tree, leaf_spine, fat_tree or single_node"}});
  section.choice<FabricKind>(cluster.fabric, "type", fabric_words);
  if (cluster.fabric == FabricKind::single_node) {
    section.refuse({"access", "uplink", "core_link", "nodes_per_leaf", "nodes_per_pod", "leaf_oversubscription",
                    "spine_oversubscription", "spines", "cores_per_spine", "switch_radix", "routing", "sharp"},
                   "a single_node fabric is one NVSwitch and has no network; remove it");
    section.finish();
    return;
  }
  read_link(section, "access", cluster.access);
  read_link(section, "uplink", cluster.uplink);
  section.whole(cluster.nodes_per_leaf, "nodes_per_leaf", 1, most_nodes);
  section.number(cluster.leaf_oversubscription, "leaf_oversubscription", {0.01, 1000});
  section.whole(cluster.spines, "spines", 1, most_nodes);
  section.whole(cluster.switch_radix, "switch_radix", 2, 1'000'000);
  section.choice<topology::RoutingMode>(cluster.routing, "routing", routing_words);
  section.flag(cluster.fabric_sharp, "sharp");

  const bool may_have_cores = cluster.fabric != FabricKind::leaf_spine;
  if (may_have_cores) section.whole(cluster.nodes_per_pod, "nodes_per_pod", 1, most_nodes);
  if (cluster.fabric == FabricKind::fat_tree)
    section.require({{"nodes_per_pod",
                      "a fat_tree has three tiers: how many nodes a pod has, a multiple of "
                      "nodes_per_leaf (two tiers: leaf_spine)"}});
  if (!may_have_cores) {
    section.refuse({"nodes_per_pod", "core_link", "spine_oversubscription", "cores_per_spine"},
                   "a leaf_spine fabric has no core tier; remove it, or use fat_tree");
  } else if (!section.has("nodes_per_pod") && section.present()) {
    section.refuse({"core_link", "spine_oversubscription", "cores_per_spine"},
                   "there is no core tier without nodes_per_pod; remove it, or say how many nodes a pod has");
  } else {
    read_link(section, "core_link", cluster.core_link);
    section.number(cluster.spine_oversubscription, "spine_oversubscription", {0.01, 1000});
    section.whole(cluster.cores_per_spine, "cores_per_spine", 1, most_nodes);
  }
  section.finish();
}

void read_storage(Section&& section, CheckpointSpec& storage) {
  section.quantity(storage.storage_write_Bps, "write", Dimension::bandwidth, bandwidth_range);
  section.quantity(storage.storage_read_Bps, "read", Dimension::bandwidth, bandwidth_range);
  section.quantity(storage.node_Bps, "per_node", Dimension::bandwidth, bandwidth_range);
  section.finish();
}

}  // namespace

void read_cluster(Section& section, topology::ClusterSpec& cluster, GpuSpec& gpu, CheckpointSpec& storage,
                  const std::string& folder) {
  const bool imported = section.has("import");
  section.require({{"gpu", "a preset (" + list_words(preset_names(gpu_presets)) + ") or a mapping of its sizes"}});
  if (!imported)
    section.require({{"nodes", "how many nodes the job runs on"},
                     {"fabric", "the network that joins the nodes, a mapping with type"}});
  read_gpu(section, gpu);
  cluster.gpu = gpu.name;
  if (gpu.nvlink_Bps > 0) cluster.nvlink.bandwidth_Bps = gpu.nvlink_Bps;
  cluster.nvlink_sharp = gpu.nvlink_sharp;

  section.whole(cluster.nodes, "nodes", 1, most_nodes);
  section.whole(cluster.spares, "spares", 0, most_nodes);
  section.whole(cluster.gpus_per_node, "gpus_per_node", 1, most_per_node);
  cluster.nics_per_node = cluster.gpus_per_node;
  if (!imported) section.whole(cluster.nics_per_node, "nics_per_node", 1, most_per_node);
  Section nvlink = section.section("nvlink");
  nvlink.quantity(cluster.nvlink.bandwidth_Bps, "bandwidth", Dimension::bandwidth, bandwidth_range);
  nvlink.quantity(cluster.nvlink.latency_s, "latency", Dimension::time, latency_range);
  nvlink.flag(cluster.nvlink_sharp, "sharp");
  nvlink.finish();
  read_link(section, "pcie", cluster.pcie);
  section.flag(cluster.port_failover, "port_failover");
  section.number(cluster.price_per_gpu_hour, "price_per_gpu_hour", {0, 1e9});
  if (imported) {
    read_import(section, cluster, folder);
  } else {
    Section fabric = section.section("fabric");
    read_fabric(fabric, cluster);
  }
  read_storage(section.section("storage"), storage);
  section.finish();
}

}  // namespace toposim::sim
