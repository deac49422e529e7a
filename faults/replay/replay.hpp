#pragma once
// A recorded trace as the faults of a simulated cluster of another size.
#include <cstdint>
#include <string>
#include <vector>

#include "faults/fault_spec.hpp"
#include "faults/fault_timeline.hpp"
#include "faults/replay/replay_spec.hpp"
#include "faults/trace/trace.hpp"

namespace toposim::faults {

class Replay {
 public:
  /// cluster_nodes: of the simulated cluster, spares too. Throws TraceError for a window without faults, faults without
  /// an end where repair_s is 0, or fewer nodes than failed. Faults of unnamed nodes are dealt to all nodes in turn.
  Replay(const Trace& trace, const ReplaySpec& spec, std::uint32_t cluster_nodes);

  /// A class of fault of whole nodes for each class in the window, with the mean rate and repair of the replay.
  const FaultSpec& classes() const { return classes_; }

  /// What starts in [0, horizon_ns), as FaultModel::draw gives it. The same history on several nodes (the cluster is
  /// larger than the trace, or scale > 1) is shifted in time, by an equal part of the window each, so that copies do
  /// not fail together. Faults that overlap on a node are one.
  FaultTimeline draw(std::uint64_t seed, std::uint32_t run, std::int64_t horizon_ns) const;

  /// Of each node of the cluster the node of the trace and the number of its copy, in one run.
  struct Source {
    std::uint32_t history = 0;  ///< in histories
    std::uint32_t copy = 0, copies = 1;
  };
  std::vector<Source> mapping(std::uint64_t seed, std::uint32_t run) const;
  /// Name of a node of the trace; '-' for one that never failed.
  const std::string& history_name(std::uint32_t history) const;

  /// "584 faults in 349 d of 400 nodes, by rank of faults; the worst, x with 14, is node 7 in the first run".
  std::string describe(std::uint64_t seed) const;

 private:
  struct Down {
    std::int64_t start_ns = 0, length_ns = 0;
    std::uint32_t fault_class = 0;
  };
  struct History {
    std::string name;
    std::vector<Down> downs;
  };
  void add_node(std::uint32_t node, const Source& source, std::uint64_t seed, std::uint32_t run,
                std::int64_t horizon_ns, FaultTimeline& timeline) const;

  ReplaySpec spec_;
  std::uint32_t cluster_nodes_;
  std::int64_t period_ns_ = 0;
  std::size_t faults_ = 0;
  std::uint64_t trace_nodes_ = 0;
  std::vector<History> histories_;  ///< those with faults, in the order of the mapping; others are empty
  FaultSpec classes_;
};

}  // namespace toposim::faults
