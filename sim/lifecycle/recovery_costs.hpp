#pragma once
// The parts of a recovery resolved to nanoseconds.
#include <cstdint>

#include "sim/lifecycle/recovery_spec.hpp"
#include "topology/cluster_spec.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

struct RecoveryCosts {
  std::int64_t detect_ns = 0, quorum_ns = 0, reallocate_ns = 0, catch_up_ns = 0;
  std::int64_t comm_init_base_ns = 0;
  double comm_init_per_rank_s = 0;
  std::int64_t ranks_per_replica = 1;
  std::int64_t load_ns = 0;  ///< the whole job from a checkpoint
  // For replicas that come and go while the job runs.
  std::int64_t peer_load_ns = 0;     ///< a rejoining replica receives its state from a peer, in the background
  std::int64_t shard_load_ns = 0;    ///< the survivors receive what only the lost GPUs held, before they go on
  std::int64_t rejoin_stall_ns = 0;  ///< the job waits while a replica rejoins, beside comm-init and catch-up

  /// Every process starts again: base + per rank x ranks of these replicas.
  std::int64_t comm_init_ns(std::int64_t replicas) const;
  /// Survivors keep their processes and the communicators inside a replica, and build those between replicas anew, all
  /// at once; each has one rank per replica (as in torchft): base + per rank x replicas.
  std::int64_t regroup_ns(std::int64_t replicas) const;
};

/// Seconds to load a checkpoint on every node at once: given, or the slowest of the store (every byte leaves it once;
/// replicas pass it on), a node's share of the checkpoint at node_Bps, and what a node's replicas must hold at
/// node_Bps.
double load_time_s(const CheckpointSpec& spec, const StateBytes& bytes, const topology::ParallelLayout& layout,
                   std::int64_t job_nodes);

/// A GPU's share of its node's network, bytes/s: NICs x access bandwidth / GPUs; NVLink where the cluster has no NICs.
double network_Bps_per_gpu(const topology::ClusterSpec& cluster);

/// peer_load_ns is per_replica_load spread over the replica's GPUs, each at its share of the network; shard_load_ns is
/// shard_per_gpu at that rate, for all lost GPUs at once. rejoin_stall_ns is left 0: it belongs to the scheme.
RecoveryCosts resolve_recovery(const RecoverySpec& recovery, const CheckpointSpec& checkpoint, const StateBytes& bytes,
                               const topology::ClusterSpec& cluster, const topology::ParallelLayout& layout);

/// Nearest nanosecond. Throws std::invalid_argument below 0, beyond 292 years or for NaN, naming `what`.
std::int64_t to_ns(double seconds, const char* what);

}  // namespace toposim::sim
