#pragma once
// Collective operations as phases of flows: which algorithm, which messages, which latencies.
//
// Sizes follow nccl-tests: `bytes` is the size S of the buffer a rank ends up with (all-reduce, all-gather, broadcast)
// or starts from (reduce-scatter, all-to-all, point-to-point). algbw = S/t; busbw = algbw x 2(n-1)/n (all-reduce),
// x (n-1)/n (reduce-scatter, all-gather, all-to-all), x 1 (broadcast, point-to-point).
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/collectives/latency.hpp"
#include "sim/fabric/fabric_model.hpp"
#include "topology/cluster.hpp"

namespace toposim::sim {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  broadcast,       ///< from the first GPU of each group
  all_to_all,      ///< S/n from every GPU to every GPU of its group
  point_to_point,  ///< groups of two: S from the first to the second
};

/// Groups may have any number of GPUs on any number of nodes; a group of one takes no time.
enum class Algorithm : std::uint8_t {
  automatic,   ///< the fastest of those that apply, as NCCL's tuner would take
  ring,        ///< one ring over all ranks of a group
  rail_rings,  ///< a ring over all ranks per rail, each carrying 1/rails of the buffer; equal GPUs per node only
  /// NVLink reduce-scatter, a ring between nodes per shard, NVLink all-gather, one after another. The node with fewest
  /// members sets the number of shards; a node with more hands their data to as many leaders.
  hierarchical,
  hierarchical_pipelined,  ///< the same in chunks: NVLink work against network work, the longer plus a chunk's share
  double_binary_tree,      ///< a chain inside each node, two complementary trees between nodes, half a shard each
  nvls,                    ///< NVSwitch reduces (NVLink SHARP), inside a node
  nvls_tree,               ///< NVLS inside the node, double binary tree between nodes
  sharp,                   ///< leaves, spines and cores reduce (SHARP), NVLS or NVLink rings inside the node
  direct,                  ///< all-to-all and point-to-point: every pair's own flow
};

struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::vector<topology::VertexId>> groups;  ///< of GPUs in rank order, disjoint, all at the same time
  double bytes = 0;
};

/// Phases in order. pipelined: they overlap chunk by chunk, so the collective takes the transfer of the longest phase,
/// 1/chunks of the transfer of the others, and the latency of each once; else the sum of all.
struct CollectivePlan {
  Algorithm algorithm{};
  Protocol protocol{};
  std::vector<Phase> phases;
  bool pipelined = false;
  double chunks = 1;
  double base_s = 0;
};

struct CollectiveTime {
  Algorithm algorithm{};
  Protocol protocol{};
  double total_s = 0;
  double latency_s = 0;                                  ///< of total_s, base_s included
  std::vector<std::pair<std::string, double>> phases_s;  ///< each alone
  double algbw_Bps = 0, busbw_Bps = 0;                   ///< of the largest group; 0 where nothing takes time
};

/// Which algorithms can run this request on this cluster (NVLS needs nvlink_sharp and groups within nodes, ...), in
/// enum order. Throws topology::TopologyError for a malformed request: no groups, empty groups, a GPU twice or beyond
/// the cluster, bytes that are negative or not finite, point-to-point among other than two.
std::vector<Algorithm> applicable(const CollectiveRequest& request, const topology::Cluster& cluster);

/// Throws topology::TopologyError if the algorithm does not apply, or the protocol not to the algorithm. `state`
/// matters to in-network reduction only, whose trees are laid around what is down.
CollectivePlan plan(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                    const LatencySpec& latency, Protocol protocol = Protocol::simple,
                    const topology::FabricState& state = {});

CollectiveTime price(const CollectivePlan& plan, const CollectiveRequest& request, FabricModel& model,
                     const topology::FabricState& state);

/// The time of a plan whose phases take these times, one each in order: what price() does with a model's answers.
CollectiveTime combine(const CollectivePlan& plan, const CollectiveRequest& request,
                       std::span<const PhaseTime> phase_times);

/// The fastest plan of one algorithm (over protocols), or with `automatic` of all that apply, and its time. Ties: enum
/// order. An algorithm that cannot run in this state is passed over; if none can, the first one's error is thrown.
struct PricedPlan {
  CollectivePlan plan;
  CollectiveTime time;
};
PricedPlan best_plan(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                     const LatencySpec& latency, FabricModel& model, const topology::FabricState& state);

/// best_plan()'s time.
CollectiveTime run_collective(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                              const LatencySpec& latency, FabricModel& model, const topology::FabricState& state);

/// busbw / algbw for n ranks.
double bus_factor(CollectiveKind kind, double ranks);

std::string to_string(Algorithm algorithm);
std::string to_string(CollectiveKind kind);

}  // namespace toposim::sim
