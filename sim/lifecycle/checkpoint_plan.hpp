#pragma once
// Where checkpoints go and what each costs, resolved to steps and nanoseconds.
#include <cstdint>

#include "sim/lifecycle/recovery_spec.hpp"
#include "topology/cluster_spec.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// A checkpoint after every interval_steps-th step: a fixed grid of step numbers, the same after any rollback.
struct CheckpointPlan {
  std::int64_t interval_steps = 1;
  std::int64_t stall_ns = 0;  ///< the job stands still: the write itself (blocking) or the snapshot (asynchronous)
  /// Asynchronous: from the end of the stall until durable, while the job goes on. A checkpoint that comes due before
  /// the previous one is durable waits for it, as CheckFreq does, and the job with it. Blocking: 0.
  std::int64_t write_ns = 0;
  bool asynchronous = false;
};

/// sqrt(2 w M): Young, CACM 17(9), 1974. w: stall per checkpoint, M: mean time to interrupt.
double young_interval_s(double stall_s, double mtti_s);
/// Daly, FGCS 22, 2006, eq. 37: sqrt(2 w M) (1 + sqrt(w / 2M) / 3 + (w / 2M) / 9) - w for w < 2M, else M.
double daly_interval_s(double stall_s, double mtti_s);

/// Seconds until a checkpoint is durable, from when every node starts to write its share: given, or the slower of the
/// store and a node's own rate, max(bytes / storage_write_Bps, bytes / nodes / node_Bps).
double write_time_s(const CheckpointSpec& spec, const StateBytes& bytes, std::int64_t job_nodes);
/// Stall while each GPU copies its share to host memory over PCIe: given, or bytes / GPUs / pcie bandwidth.
double snapshot_time_s(const CheckpointSpec& spec, const StateBytes& bytes, const topology::ClusterSpec& cluster,
                       std::int64_t ranks);

/// The interval rounds to whole steps, at least one. Young's and Daly's rules take the stall for w and `mtti_s`
/// (infinite: as if the job failed once in a hundred years) for M; with asynchronous writes their interval is then as
/// many whole steps as outlast the write, or more, since checkpoints wait for each other. Throws std::invalid_argument
/// on a fixed interval <= 0.
CheckpointPlan resolve_checkpoints(const CheckpointSpec& spec, const StateBytes& bytes,
                                   const topology::ClusterSpec& cluster, const topology::ParallelLayout& layout,
                                   std::int64_t step_time_ns, double mtti_s);

}  // namespace toposim::sim
