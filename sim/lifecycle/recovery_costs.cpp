#include "sim/lifecycle/recovery_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace toposim::sim {

std::int64_t to_ns(double seconds, const char* what) {
  const double ns = seconds * 1e9;
  if (!(ns >= 0 && ns < 9.2e18))
    throw std::invalid_argument(fmt::format("{} is {} s: expected 0 or more, and less than 292 years", what, seconds));
  return std::llround(ns);
}

std::int64_t RecoveryCosts::comm_init_ns(std::int64_t replicas) const {
  return comm_init_base_ns +
         std::llround(comm_init_per_rank_s * 1e9 * static_cast<double>(replicas * ranks_per_replica));
}

std::int64_t RecoveryCosts::regroup_ns(std::int64_t replicas) const {
  return comm_init_base_ns + std::llround(comm_init_per_rank_s * 1e9 * static_cast<double>(replicas));
}

double load_time_s(const CheckpointSpec& spec, const StateBytes& bytes, const topology::ParallelLayout& layout,
                   std::int64_t job_nodes) {
  if (spec.load_s >= 0) return spec.load_s;
  const double nodes = static_cast<double>(job_nodes);
  const double held_bytes = bytes.per_replica_load * static_cast<double>(layout.data);
  return std::max(bytes.checkpoint / spec.storage_read_Bps,
                  std::max(bytes.checkpoint, held_bytes) / nodes / spec.node_Bps);
}

double network_Bps_per_gpu(const topology::ClusterSpec& cluster) {
  if (cluster.fabric == topology::FabricKind::single_node) return cluster.nvlink.bandwidth_Bps;
  return cluster.access.bandwidth_Bps * static_cast<double>(cluster.nics_per_node) /
         static_cast<double>(cluster.gpus_per_node);
}

RecoveryCosts resolve_recovery(const RecoverySpec& recovery, const CheckpointSpec& checkpoint, const StateBytes& bytes,
                               const topology::ClusterSpec& cluster, const topology::ParallelLayout& layout) {
  const std::int64_t job_nodes = std::max<std::int64_t>(1, layout.ranks() / cluster.gpus_per_node);
  const double gpu_Bps = network_Bps_per_gpu(cluster);
  RecoveryCosts costs;
  costs.detect_ns = to_ns(recovery.detect_s, "detect_s");
  costs.quorum_ns = to_ns(recovery.quorum_s, "quorum_s");
  costs.reallocate_ns = to_ns(recovery.reallocate_s, "reallocate_s");
  costs.catch_up_ns = to_ns(recovery.catch_up_s, "catch_up_s");
  costs.comm_init_base_ns = to_ns(recovery.comm_init_s, "comm_init_s");
  costs.comm_init_per_rank_s = recovery.comm_init_per_rank_s;
  costs.ranks_per_replica = layout.ranks_per_replica();
  to_ns(recovery.comm_init_per_rank_s * static_cast<double>(layout.ranks()), "comm_init_per_rank_s x ranks");
  costs.load_ns = to_ns(load_time_s(checkpoint, bytes, layout, job_nodes), "load_s");
  costs.peer_load_ns =
      to_ns(bytes.per_replica_load / static_cast<double>(layout.ranks_per_replica()) / gpu_Bps, "peer load");
  costs.shard_load_ns = to_ns(bytes.shard_per_gpu / gpu_Bps, "shard load");
  return costs;
}

}  // namespace toposim::sim
