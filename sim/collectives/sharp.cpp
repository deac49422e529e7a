// In-network reduction (SHARP: Graham et al. 2016). Per channel the leaders send S/channels up; each switch on the way
// adds what comes in and sends one stream on; the result comes down the same tree. So every link of the tree carries
// S/channels once per direction, half of what a ring sends.
//
// The tree: all leaves that leaders hang on; if more than one, a spine per pod that reaches all of the pod's; if more
// than one pod, a core that reaches all of those spines. Which one, among those that are up: by a hash of (group,
// channel), then the next in order, as a subnet manager spreads and repairs its trees.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "sim/collectives/planner.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using topology::ArcId;
using topology::Cluster;
using topology::FabricState;
using topology::VertexId;

class TreeBuilder {
 public:
  TreeBuilder(const PlanInput& in, std::uint64_t salt, double bytes, std::vector<ArcFlow>& streams)
      : in_(in), salt_(salt), bytes_(bytes), streams_(streams) {}

  /// Lays one tree and returns the latency of its longest way up.
  double lay(const std::vector<VertexId>& leaders) {
    std::map<std::uint32_t, std::vector<VertexId>> leaves_by_pod;
    double access_s = 0;
    for (const VertexId gpu : leaders) {
      const VertexId nic = in_.cluster.nic_of_gpu(gpu), leaf = in_.cluster.leaf_of_nic(nic);
      access_s = std::max(access_s, join(gpu, nic) + join(nic, leaf));
      auto& leaves = leaves_by_pod[in_.cluster.graph()[leaf].pod];
      if (std::find(leaves.begin(), leaves.end(), leaf) == leaves.end()) leaves.push_back(leaf);
    }
    if (leaves_by_pod.size() == 1 && leaves_by_pod.begin()->second.size() == 1) return access_s;
    const std::vector<VertexId> spines = pick_spines(leaves_by_pod);
    double up_s = 0, core_s = 0;
    std::size_t pod = 0;
    for (const auto& [number, leaves] : leaves_by_pod) {
      for (const VertexId leaf : leaves) up_s = std::max(up_s, join(leaf, spines[pod]));
      ++pod;
    }
    if (spines.size() > 1) {
      const VertexId core = *common_parent(spines);
      for (const VertexId spine : spines) core_s = std::max(core_s, join(spine, core));
    }
    return access_s + up_s + core_s;
  }

 private:
  /// The first cable between two vertices that is up in both directions.
  std::optional<ArcId> live_cable(VertexId from, VertexId to) const {
    const auto arcs = in_.cluster.arcs_between(from, to);
    for (ArcId arc = arcs.first; arc < arcs.last; ++arc)
      if (!in_.state.down(arc) && !in_.state.down(in_.cluster.arc(arc).reverse)) return arc;
    return std::nullopt;
  }

  double join(VertexId from, VertexId to) {
    const auto arc = live_cable(from, to);
    if (!arc)
      throw topology::TopologyError(fmt::format("no cable that is up from {} to {} for the reduction tree",
                                                in_.cluster.name(from), in_.cluster.name(to)));
    streams_.push_back({*arc, bytes_});
    streams_.push_back({in_.cluster.arc(*arc).reverse, bytes_});
    return in_.cluster.latency_s(*arc);
  }

  /// A switch above all of `children`, if one is reachable by live cables.
  std::optional<VertexId> common_parent(const std::vector<VertexId>& children) const {
    std::vector<VertexId> candidates;
    const auto out = in_.cluster.out_arcs(children.front());
    const auto level = in_.cluster.graph()[children.front()].kind;
    for (ArcId arc = out.first; arc < out.last; ++arc) {
      const VertexId above = in_.cluster.target(arc);
      if (in_.cluster.graph()[above].kind <= level) continue;
      if (candidates.empty() || candidates.back() != above) candidates.push_back(above);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const VertexId above = candidates[(salt_ + i) % candidates.size()];
      if (std::all_of(children.begin(), children.end(), [&](VertexId c) { return live_cable(c, above).has_value(); }))
        return above;
    }
    return std::nullopt;
  }

  /// One spine per pod; with several pods all of them under one core, so of one plane.
  std::vector<VertexId> pick_spines(const std::map<std::uint32_t, std::vector<VertexId>>& leaves_by_pod) {
    const auto& [first_pod, first_leaves] = *leaves_by_pod.begin();
    const auto out = in_.cluster.out_arcs(first_leaves.front());
    std::size_t planes = 0;
    for (ArcId arc = out.first; arc < out.last; ++arc)
      if (in_.cluster.graph()[in_.cluster.target(arc)].kind == topology::VertexKind::spine) ++planes;
    for (std::size_t attempt = 0; attempt < std::max<std::size_t>(planes, 1); ++attempt, ++salt_) {
      std::vector<VertexId> spines;
      for (const auto& [pod, leaves] : leaves_by_pod)
        if (const auto spine = common_parent(leaves)) spines.push_back(*spine);
      if (spines.size() != leaves_by_pod.size()) break;
      if (spines.size() == 1 || common_parent(spines)) return spines;
    }
    throw topology::TopologyError(
        fmt::format("no switch that is up above all leaves of a reduction tree of {} in pod {}",
                    in_.cluster.name(first_leaves.front()), first_pod));
  }

  const PlanInput& in_;
  std::uint64_t salt_;
  double bytes_;
  std::vector<ArcFlow>& streams_;
};

}  // namespace

CollectivePlan plan_sharp(const PlanInput& in) {
  Phase fabric{.name = "sharp", .flows = {}, .arc_flows = {}, .rounds = 2, .round_overhead_s = 0};
  double way_up_s = 0;
  for (std::size_t g = 0; g < in.shapes.size(); ++g) {
    const GroupShape& group = in.shapes[g];
    if (group.nodes() == 1) continue;
    std::vector<std::vector<VertexId>> leaders;
    for (std::uint32_t node = 0; node < group.nodes(); ++node) leaders.push_back(group.leaders(node));
    const std::uint32_t channels = group.smallest_node();
    for (std::uint32_t channel = 0; channel < channels; ++channel) {
      std::vector<VertexId> of_channel;
      for (const auto& of_node : leaders) of_channel.push_back(of_node[channel]);
      TreeBuilder tree(in, 7 * g + channel, in.on_network(in.request.bytes / channels), fabric.arc_flows);
      way_up_s = std::max(way_up_s, tree.lay(of_channel));
    }
  }
  double slowest_link_s = 0;  // what the phase charges per round by itself
  for (const ArcFlow& stream : fabric.arc_flows)
    slowest_link_s = std::max(slowest_link_s, in.cluster.latency_s(stream.arc));
  fabric.round_overhead_s = way_up_s - slowest_link_s + in.latency.switch_reduction_s;
  return {.phases = {in.cluster.spec().nvlink_sharp ? nvls_phase(in, in.latency.nvls_efficiency)
                                                    : nvlink_reduce_scatter_and_all_gather(in),
                     std::move(fabric)},
          .pipelined = true,
          .chunks = std::max(1.0, in.request.bytes / in.latency.pipeline_chunk_bytes)};
}

}  // namespace toposim::sim
