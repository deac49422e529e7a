#pragma once
// Collective operations as phases of flows: which algorithm, which messages, which latencies.
//
// Sizes follow nccl-tests: `bytes` is the size S of the buffer a rank ends up with (all-reduce, all-gather, broadcast)
// or starts from (reduce-scatter, all-to-all). algbw = S/t; busbw = algbw x 2(n-1)/n (all-reduce), x (n-1)/n
// (reduce-scatter, all-gather, all-to-all), x 1 (broadcast, point-to-point).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/fabric/fabric_model.hpp"
#include "topology/cluster.hpp"

namespace toposim::sim {

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  reduce_scatter,
  all_gather,
  broadcast,
  all_to_all,
  point_to_point
};

enum class Algorithm : std::uint8_t {
  automatic,               ///< the fastest of those that apply, as NCCL's tuner would take
  ring,                    ///< one ring over all ranks of a group
  rail_rings,              ///< one ring per rail, each carrying 1/rails of the buffer
  hierarchical,            ///< NVLink reduce-scatter, a ring per rail, NVLink all-gather, one after another
  hierarchical_pipelined,  ///< the same, chunked: the longest phase plus one chunk of the others
  double_binary_tree,      ///< two complementary trees, half the buffer each; about 2 log2 n latencies
  nvls,                    ///< NVSwitch reduces (NVLink SHARP), inside a node
  nvls_tree,               ///< NVLS inside the node, double binary tree between nodes
  sharp,                   ///< leaves and spines reduce (SHARP), NVLink inside the node
  direct,                  ///< all-to-all and point-to-point: every pair's own flow
};

/// Software latency per dependent message, by algorithm and where the hop goes. Defaults and their sources:
/// latency.cpp.
struct LatencySpec {
  double nvlink_round_s = 0;
  double network_round_s = 0;
  double tree_round_s = 0;
  double switch_reduction_s = 0;
  double base_s = 0;  ///< once per collective: kernel launch and protocol start
};

struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::vector<std::vector<topology::VertexId>> groups;  ///< of GPUs in rank order, disjoint, all at the same time
  double bytes = 0;
};

/// Phases in order. pipelined: they overlap chunk by chunk, so the collective takes the longest phase plus the share of
/// a chunk of the others; else their sum.
struct CollectivePlan {
  Algorithm algorithm{};
  std::vector<Phase> phases;
  bool pipelined = false;
  double chunks = 1;
  double base_s = 0;
};

struct CollectiveTime {
  Algorithm algorithm{};
  double total_s = 0;
  double latency_s = 0;  ///< of total_s
  std::vector<std::pair<std::string, double>> phases_s;
  double algbw_Bps = 0, busbw_Bps = 0;  ///< of the largest group
};

/// Which algorithms can run this request on this cluster (NVLS needs nvlink_sharp and groups within nodes, ...).
std::vector<Algorithm> applicable(const CollectiveRequest& request, const topology::Cluster& cluster);

/// Throws topology::TopologyError if the algorithm does not apply.
CollectivePlan plan(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                    const LatencySpec& latency);

CollectiveTime price(const CollectivePlan& plan, const CollectiveRequest& request, FabricModel& model,
                     const topology::FabricState& state);

/// plan and price; `automatic` tries each that applies and takes the fastest (ties: enum order).
CollectiveTime run_collective(const CollectiveRequest& request, Algorithm algorithm, const topology::Cluster& cluster,
                              const LatencySpec& latency, FabricModel& model, const topology::FabricState& state);

std::string to_string(Algorithm algorithm);
std::string to_string(CollectiveKind kind);

}  // namespace toposim::sim
