#include "sim/app/topology_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/number_text.hpp"
#include "analysis/report/report_parts.hpp"
#include "analysis/report/text_layout.hpp"
#include "topology/imported_fabric.hpp"
#include "topology/survey/asymmetries.hpp"
#include "topology/survey/bisection.hpp"
#include "topology/survey/failure_points.hpp"
#include "topology/survey/table_figures.hpp"
#include "topology/survey/tier_figures.hpp"

namespace toposim::sim {
namespace {

using analysis::grouped;
using analysis::ReportStyle;
using topology::Cluster;
using topology::LinkKind;
using topology::VertexKind;
constexpr std::size_t most_lines = 12;  // of one list

std::string tier_name(VertexKind tier, bool several) {
  if (tier == VertexKind::leaf) return several ? "leaves" : "leaf";
  if (tier == VertexKind::spine) return several ? "spines" : "spine";
  return several ? "cores" : "core";
}

/// "1.6 Tbps"; links are sold in bits.
std::string bits_per_s(double Bps) {
  const double Gbps = 8e-9 * Bps;
  return Gbps >= 1000 ? fmt::format("{:.4g} Tbps", Gbps / 1000) : fmt::format("{:.4g} Gbps", Gbps);
}

std::string list(const std::vector<std::string>& lines, const ReportStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < most_lines; ++i)
    text += analysis::wrapped("  ", analysis::printable(lines[i], style), style.columns, 2);
  if (lines.size() > most_lines) text += fmt::format("  and {} more\n", lines.size() - most_lines);
  return text;
}

std::string looks_wrong(const Cluster& cluster, const ReportStyle& style) {
  std::vector<std::string> lines;
  if (const auto& fabric = cluster.spec().import) lines = fabric->warnings;
  const std::vector<std::string> odd = topology::asymmetries(cluster);
  lines.insert(lines.end(), odd.begin(), odd.end());
  return lines.empty() ? "  nothing: every switch is wired as most of its tier are\n" : list(lines, style);
}

std::string inferred(const Cluster& cluster, const ReportStyle& style) {
  const auto& fabric = cluster.spec().import;
  return fabric ? list(fabric->findings, style) : "";
}

std::string cables_in_words(const Cluster& cluster, LinkKind kind) {
  std::map<double, std::size_t> rates;
  for (const topology::ArcId cable : cluster.cables(kind)) ++rates[cluster.bandwidth_Bps(cable)];
  std::string text;
  for (auto rate = rates.rbegin(); rate != rates.rend(); ++rate)
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", grouped(static_cast<double>(rate->second)),
                        bits_per_s(rate->first));
  return text;
}

std::string tables_in_words(const Cluster& cluster) {
  const topology::TableFigures figures = topology::table_figures(cluster);
  std::string text = "those of the forwarding tables";
  if (figures.ways == 0) return text;
  text += figures.detours == 0
              ? ", all of the fewest cables"
              : fmt::format(", {:.1f} % of them over more cables than need be",
                            100 * static_cast<double>(figures.detours) / static_cast<double>(figures.ways));
  return text + fmt::format("; a leaf sends to {} to {} adapters by one uplink", figures.fewest_per_uplink,
                            figures.most_per_uplink);
}

std::string size(const Cluster& cluster, const ReportStyle& style) {
  const auto count = [](std::uint32_t n) { return grouped(n); };
  std::string text = analysis::entry("nodes",
                                     fmt::format("{}, {} GPUs and {} adapters each", count(cluster.node_count()),
                                                 cluster.gpus_per_node(), cluster.nics_per_node()),
                                     style);
  std::string switches = fmt::format("{} leaves, {} spines", count(cluster.leaf_count()), count(cluster.spine_count()));
  if (cluster.core_count() > 0) switches += fmt::format(", {} cores", count(cluster.core_count()));
  std::uint32_t pods = 0;
  for (std::uint32_t leaf = 0; leaf < cluster.leaf_count(); ++leaf)
    pods = std::max(pods, cluster.pod_of(cluster.leaf(leaf)) + 1);
  if (pods > 1) switches += fmt::format(", in {} pods", pods);
  text += analysis::entry("switches", switches, style);
  text += analysis::entry("rails",
                          cluster.shape().rail_optimised
                              ? fmt::format("{}, each on leaves of its own", cluster.nics_per_node())
                              : "none: a leaf serves several adapters of a node",
                          style);
  const std::pair<const char*, LinkKind> kinds[] = {
      {"access", LinkKind::access}, {"uplinks", LinkKind::uplink}, {"to cores", LinkKind::core_link}};
  for (const auto& [label, kind] : kinds)
    if (cluster.cable_count(kind) > 0) text += analysis::entry(label, cables_in_words(cluster, kind), style);
  if (cluster.spec().import)
    text += analysis::entry(
        "routes",
        cluster.has_tables() ? tables_in_words(cluster) : "shortest paths, chosen as cluster.import.routing says",
        style);
  return text;
}

std::string capacity(const Cluster& cluster, const ReportStyle& style) {
  const topology::Bisection half = topology::bisection(cluster);
  std::string text;
  if (half.adapters_Bps > 0)
    text +=
        analysis::entry("bisection",
                        fmt::format("{} each way between two halves of the nodes, {:.0f} % of what the adapters of a "
                                    "half can send",
                                    bits_per_s(half.bandwidth_Bps), 100 * half.bandwidth_Bps / half.adapters_Bps),
                        style);
  for (const topology::Oversubscription& tier : topology::oversubscription(cluster)) {
    std::string words = fmt::format("{:.3g} : 1 down to up", tier.most);
    if (tier.least != tier.most)
      words = fmt::format("{:.3g} : 1 to {:.3g} : 1 down to up, most at {}", tier.least, tier.most,
                          cluster.name(tier.worst));
    text += analysis::entry(tier_name(tier.tier, true), words, style);
  }
  const std::uint32_t hops = topology::diameter_hops(cluster);
  return text + analysis::entry("diameter",
                                hops == 0 ? "one leaf joins any two adapters that can reach each other"
                                          : fmt::format("{} cables between the leaves that are furthest apart", hops),
                                style);
}

/// Components that take the same down are one row.
std::string failures(const Cluster& cluster, const ReportStyle& style) {
  struct Row {
    std::string what;
    topology::BlastRadius blast;
    topology::VertexId first;  ///< of a switch; else 0
    std::vector<std::string> names;
  };
  std::vector<Row> rows;
  std::map<std::pair<std::string, topology::BlastRadius>, std::size_t> row_of;
  for (const topology::FailurePoint& point : topology::failure_points(cluster)) {
    const bool is_switch = point.other == 0;
    const std::string what = is_switch ? tier_name(cluster.graph()[point.a_switch].kind, false) : "lone cable";
    const auto [found, is_new] = row_of.try_emplace({what, point.blast}, rows.size());
    if (is_new) rows.push_back({what, point.blast, is_switch ? point.a_switch : 0, {}});
    rows[found->second].names.push_back(is_switch ? cluster.name(point.a_switch)
                                                  : cluster.name(point.a_switch) + " to " + cluster.name(point.other));
  }
  analysis::TableColumn what{{"dead"}, {}, 0}, count{{"how many"}, {}, 0}, adapters{{"adapters cut"}, {}, 0},
      hit{{"nodes hit"}, {}, 0}, cut{{"nodes cut off"}, {}, 0}, left{{"bisection left, %"}, {}, 0},
      names{{"such as"}, {}, 1};
  const topology::Bisection whole = topology::bisection(cluster);
  for (const Row& row : rows) {
    what.cells.push_back(row.what);
    count.cells.push_back(grouped(static_cast<double>(row.names.size())));
    adapters.cells.push_back(grouped(row.blast.adapters));
    hit.cells.push_back(grouped(row.blast.nodes_hit));
    cut.cells.push_back(grouped(row.blast.nodes_cut));
    left.cells.push_back(
        row.first == 0 || whole.bandwidth_Bps == 0
            ? "-"
            : fmt::format("{:.0f}", 100 * topology::bisection(cluster, row.first).bandwidth_Bps / whole.bandwidth_Bps));
    names.cells.push_back(analysis::shortened(row.names.front(), 40, style));
  }
  if (rows.empty()) return "";
  const bool any_cut = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.blast.nodes_cut > 0; });
  return analysis::table({what, count, adapters, hit, cut, left, names}, style, "  ") +
         (any_cut ? "  A node that is cut off stops; one that is hit goes on only with cluster.port_failover.\n"
                  : "  No switch cuts a node off whole; a node that is hit goes on only with cluster.port_failover.\n");
}

}  // namespace

std::string topology_report(const std::string& title, const Cluster& cluster, const ReportStyle& style) {
  std::string text = analysis::bold(analysis::wrapped("", analysis::printable(title, style), style.columns), style);
  text += analysis::block("LOOKS WRONG", looks_wrong(cluster, style), style);
  text += analysis::block("INFERRED, say otherwise in cluster.import", inferred(cluster, style), style);
  text += analysis::block("SIZE", size(cluster, style), style);
  text += analysis::block("CAPACITY", capacity(cluster, style), style);
  return text + analysis::block("WHAT ONE FAILURE TAKES DOWN", failures(cluster, style), style);
}

}  // namespace toposim::sim
