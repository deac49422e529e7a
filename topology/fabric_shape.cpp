#include "topology/fabric_shape.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "topology/error.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::topology {
namespace {

// Far above any machine, and low enough that no product below overflows 63 bits.
constexpr std::int64_t kMaxNodes = 1'000'000;
constexpr std::int64_t kMaxPerNode = 256;
constexpr double kMaxUplinks = 65'536;

[[noreturn]] void fail(const std::string& message) {
  throw TopologyError("cluster: " + message);
}

void check_count(const char* key, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) fail(fmt::format("{} is {}; it must be {} to {}", key, value, low, high));
}

void check_link(const char* key, const LinkSpec& link) {
  if (!std::isfinite(link.bandwidth_Bps) || link.bandwidth_Bps <= 0) {
    fail(fmt::format("{} has a bandwidth of {} bytes/s; it must be positive and finite", key, link.bandwidth_Bps));
  }
  if (!std::isfinite(link.latency_s) || link.latency_s < 0) {
    fail(fmt::format("{} has a latency of {} s; it must be finite and not negative", key, link.latency_s));
  }
}

// Cables up that carry `down` cables of the tier below at this oversubscription. The 1e-9 absorbs the rounding of a
// quotient that is a whole number on paper.
std::int64_t uplinks(const char* tier, std::int64_t down, double down_Bps, double up_Bps, double oversubscription) {
  if (!std::isfinite(oversubscription) || oversubscription <= 0) {
    fail(fmt::format("{}_oversubscription is {}; it must be positive and finite (1 is non-blocking)", tier,
                     oversubscription));
  }
  const double exact = static_cast<double>(down) * down_Bps / (up_Bps * oversubscription);
  if (exact > kMaxUplinks) {
    fail(fmt::format(
        "a {} with {} ports of {} bytes/s down needs {:.0f} uplinks of {} bytes/s at {}_oversubscription {};"
        " at most {:.0f} are supported",
        tier, down, down_Bps, exact, up_Bps, tier, oversubscription, kMaxUplinks));
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(exact * (1 - 1e-9))));
}

std::string divisors(std::int64_t n) {
  std::string text;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", d);
  }
  return text;
}

// Switches of the upper tier that share `cables` uplinks evenly; asked == 0 takes one switch per cable.
std::int64_t spread(const char* key, const char* lower, std::int64_t asked, std::int64_t cables) {
  if (asked == 0) return cables;
  if (asked < 0 || asked > cables || cables % asked != 0) {
    fail(fmt::format("{} is {}, which does not divide the {} uplinks of a {}; take one of {}, or 0 for one each", key,
                     asked, cables, lower, divisors(cables)));
  }
  return asked;
}

void check_radix(const FabricShape& s, std::int64_t radix) {
  if (radix == 0) return;
  if (radix < 0) fail(fmt::format("switch_radix is {}; it must be positive, or 0 to leave ports unchecked", radix));
  std::string problems;
  const auto check = [&](const char* tier, std::int64_t down, std::int64_t up) {
    if (down + up <= radix) return;
    problems +=
        fmt::format("{}a {} needs {} ports ({} down + {} up)", problems.empty() ? "" : "; ", tier, down + up, down, up);
  };
  check("leaf", s.nodes_per_group * s.nics_per_leaf_of_node(), s.leaf_uplinks);
  check("spine", s.leaves_per_pod() * s.cables_per_leaf_spine, s.spine_uplinks);
  if (s.cores() > 0) check("core", s.pods * s.cables_per_spine_core, 0);
  if (!problems.empty()) {
    fail(
        fmt::format("switches have {} ports (switch_radix), but {}; use fewer nodes_per_leaf or nodes_per_pod, more "
                    "oversubscription or more spines",
                    radix, problems));
  }
}

FabricShape single_node(const ClusterSpec& spec) {
  if (spec.total_nodes() != 1) {
    fail(
        fmt::format("fabric single_node is one node without a network, but nodes + spares is {}; use leaf_spine or "
                    "rail_fat_tree",
                    spec.total_nodes()));
  }
  FabricShape s;
  s.nodes = 1;
  s.gpus_per_node = spec.gpus_per_node;
  return s;
}

FabricShape imported(const ClusterSpec& spec) {
  const ImportedFabric& fabric = *spec.import;
  if (spec.total_nodes() > static_cast<std::int64_t>(fabric.nodes.size())) {
    fail(fmt::format("nodes + spares is {}, and {} has {} nodes; lower nodes or spares", spec.total_nodes(),
                     fabric.file, fabric.nodes.size()));
  }
  FabricShape s;
  s.nodes = spec.total_nodes();
  s.gpus_per_node = spec.gpus_per_node;
  s.nics_per_node = spec.nics_per_node;
  s.rail_optimised = fabric.rail_optimised;
  FabricShape::Counted counted;
  for (const ImportedFabric::Switch& one : fabric.switches) {
    (one.tier == ImportedFabric::Tier::leaf    ? counted.leaves
     : one.tier == ImportedFabric::Tier::spine ? counted.spines
                                               : counted.cores)++;
  }
  for (const ImportedFabric::Cable& cable : fabric.cables)
    (fabric.is_core_cable(cable) ? counted.core_cables : counted.uplink_cables)++;
  s.counted = counted;
  return s;
}

void check_nodes(const ClusterSpec& spec) {
  check_count("nodes", spec.nodes, 1, kMaxNodes);
  check_count("spares", spec.spares, 0, kMaxNodes);
  check_count("gpus_per_node", spec.gpus_per_node, 1, kMaxPerNode);
  check_link("nvlink", spec.nvlink);
}

void check_adapters(const ClusterSpec& spec) {
  check_count("nics_per_node", spec.nics_per_node, 1, kMaxPerNode);
  if (spec.gpus_per_node % spec.nics_per_node != 0) {
    fail(fmt::format("nics_per_node is {}, which does not divide gpus_per_node, {}; take one of {}", spec.nics_per_node,
                     spec.gpus_per_node, divisors(spec.gpus_per_node)));
  }
  check_link("pcie", spec.pcie);
}

void check_network(const ClusterSpec& spec) {
  check_adapters(spec);
  check_link("access", spec.access);
  check_link("uplink", spec.uplink);
  check_count("nodes_per_leaf", spec.nodes_per_leaf, 1, kMaxNodes);
  check_count("nodes_per_pod", spec.nodes_per_pod, 0, kMaxNodes);
  if (spec.fabric == FabricKind::fat_tree && spec.nodes_per_pod == 0) {
    fail("fabric fat_tree has three tiers and needs nodes_per_pod; use leaf_spine for two tiers");
  }
  if (spec.fabric == FabricKind::leaf_spine && spec.nodes_per_pod != 0) {
    fail(fmt::format("fabric leaf_spine has two tiers, but nodes_per_pod is {}; leave it out, or use fat_tree",
                     spec.nodes_per_pod));
  }
  if (spec.nodes_per_pod % spec.nodes_per_leaf != 0) {
    fail(fmt::format("nodes_per_pod is {}, which is not a multiple of nodes_per_leaf, {}; {} or {} would be",
                     spec.nodes_per_pod, spec.nodes_per_leaf,
                     std::max<std::int64_t>(1, spec.nodes_per_pod / spec.nodes_per_leaf) * spec.nodes_per_leaf,
                     (spec.nodes_per_pod / spec.nodes_per_leaf + 1) * spec.nodes_per_leaf));
  }
}

}  // namespace

FabricShape shape_of(const ClusterSpec& spec) {
  check_nodes(spec);
  if (spec.fabric == FabricKind::single_node) return single_node(spec);
  if (spec.fabric == FabricKind::imported) {
    check_adapters(spec);
    return imported(spec);
  }
  check_network(spec);

  FabricShape s;
  s.nodes = spec.total_nodes();
  s.gpus_per_node = spec.gpus_per_node;
  s.nics_per_node = spec.nics_per_node;
  s.rail_optimised = spec.fabric == FabricKind::rail_fat_tree;
  s.nodes_per_group = std::min(spec.nodes_per_leaf, s.nodes);
  s.groups = (s.nodes + s.nodes_per_group - 1) / s.nodes_per_group;
  s.leaves_per_group = s.rail_optimised ? s.nics_per_node : 1;
  const bool three_tiers = spec.nodes_per_pod > 0;
  s.groups_per_pod = three_tiers ? std::min(spec.nodes_per_pod / spec.nodes_per_leaf, s.groups) : s.groups;
  s.pods = (s.groups + s.groups_per_pod - 1) / s.groups_per_pod;

  s.leaf_uplinks = uplinks("leaf", s.nodes_per_group * s.nics_per_leaf_of_node(), spec.access.bandwidth_Bps,
                           spec.uplink.bandwidth_Bps, spec.leaf_oversubscription);
  s.spines_per_pod = spread("spines", "leaf", spec.spines, s.leaf_uplinks);
  s.cables_per_leaf_spine = s.leaf_uplinks / s.spines_per_pod;
  if (three_tiers) {
    check_link("core_link", spec.core_link);
    s.spine_uplinks = uplinks("spine", s.leaves_per_pod() * s.cables_per_leaf_spine, spec.uplink.bandwidth_Bps,
                              spec.core_link.bandwidth_Bps, spec.spine_oversubscription);
    s.cores_per_plane = spread("cores_per_spine", "spine", spec.cores_per_spine, s.spine_uplinks);
    s.cables_per_spine_core = s.spine_uplinks / s.cores_per_plane;
  } else if (spec.cores_per_spine != 0) {
    fail(fmt::format("cores_per_spine is {}, but without nodes_per_pod there is no core tier", spec.cores_per_spine));
  }
  check_radix(s, spec.switch_radix);
  return s;
}

}  // namespace toposim::topology
