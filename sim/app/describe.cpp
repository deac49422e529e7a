#include "sim/app/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "faults/replay/replay.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::sim {
namespace {

std::string fabric_words(const topology::ClusterSpec& spec, const topology::Cluster& cluster) {
  if (spec.fabric == topology::FabricKind::single_node) return "one node, NVSwitch only";
  if (const topology::ImportedFabric* fabric = spec.import.get()) {
    std::string words =
        fmt::format("{}: {} leaves, {} spines", fabric->file, cluster.leaf_count(), cluster.spine_count());
    if (cluster.core_count() > 0) words += fmt::format(", {} cores", cluster.core_count());
    return words + (cluster.has_tables() ? ", routes from forwarding tables" : "");
  }
  const char* kind = spec.fabric == topology::FabricKind::rail_fat_tree ? "rail_fat_tree"
                     : spec.fabric == topology::FabricKind::leaf_spine  ? "leaf_spine"
                                                                        : "fat_tree";
  std::string words = fmt::format("{}: {} leaves, {} spines", kind, cluster.leaf_count(), cluster.spine_count());
  if (cluster.core_count() > 0) words += fmt::format(", {} cores", cluster.core_count());
  if (spec.leaf_oversubscription != 1) words += fmt::format(", {}:1 at the leaves", spec.leaf_oversubscription);
  if (cluster.core_count() > 0 && spec.spine_oversubscription != 1)
    words += fmt::format(", {}:1 at the spines", spec.spine_oversubscription);
  return words;
}

std::string layout_words(const topology::ParallelLayout& layout) {
  std::string words = fmt::format("TP {} x PP {} x DP {}", layout.tensor, layout.pipeline, layout.data);
  if (layout.context > 1) words += fmt::format(" x CP {}", layout.context);
  if (layout.expert > 1) words += fmt::format(", EP {}", layout.expert);
  return words;
}

std::string range_words(std::uint32_t low, std::uint32_t high) {
  return low == high ? fmt::format("{}", low) : fmt::format("{}-{}", low, high);
}

/// How large domains are, and how far they reach: at TP 8 x PP 16 a domain of 12 replicas is 1,536 GPUs.
std::string domain_words(const topology::Cluster& cluster, const topology::Placement& placement,
                         const topology::Domains& domains) {
  std::uint32_t smallest = domains.size(0), largest = domains.size(0);
  topology::DomainSpan low = topology::span_of(cluster, placement, domains, 0), high = low;
  for (std::uint32_t d = 1; d < domains.count(); ++d) {
    smallest = std::min(smallest, domains.size(d));
    largest = std::max(largest, domains.size(d));
    const topology::DomainSpan span = topology::span_of(cluster, placement, domains, d);
    low = {std::min(low.gpus, span.gpus), std::min(low.nodes, span.nodes), std::min(low.leaves, span.leaves),
           std::min(low.pods, span.pods)};
    high = {std::max(high.gpus, span.gpus), std::max(high.nodes, span.nodes), std::max(high.leaves, span.leaves),
            std::max(high.pods, span.pods)};
  }
  return fmt::format("{} of {} replicas, each {} GPUs on {} nodes, {} leaves, {} pods", domains.count(),
                     range_words(smallest, largest), range_words(low.gpus, high.gpus),
                     range_words(low.nodes, high.nodes), range_words(low.leaves, high.leaves),
                     range_words(low.pods, high.pods));
}

std::string fault_words(const Scenario& scenario) {
  if (scenario.replayed)
    return fmt::format("replay of {}: {}", scenario.replay.file, scenario.replayed->describe(scenario.run.seed));
  if (scenario.faults.preset.empty()) return fmt::format("{} classes given", scenario.faults.classes.size());
  return fmt::format("{}, {} classes", scenario.faults.preset, scenario.faults.classes.size());
}

}  // namespace

analysis::Facts describe(const Scenario& scenario, const topology::Cluster& cluster,
                         const topology::Placement& placement, const topology::Domains& domains) {
  const topology::ClusterSpec& spec = scenario.cluster;
  analysis::Facts facts{{"gpus", fmt::format("{} {}", spec.nodes * spec.gpus_per_node, spec.gpu)},
                        {"nodes", fmt::format("{}", spec.nodes)},
                        {"spares", fmt::format("{}", spec.spares)},
                        {"fabric", fabric_words(spec, cluster)},
                        {"model", scenario.job.model.name},
                        {"layout", layout_words(scenario.job.layout)},
                        {"domains", domain_words(cluster, placement, domains)},
                        {"faults", fault_words(scenario)}};
  if (spec.import) facts.emplace_back("inferred", fmt::format("{}", fmt::join(spec.import->findings, "; ")));
  return facts;
}

}  // namespace toposim::sim
