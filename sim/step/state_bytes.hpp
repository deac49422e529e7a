#pragma once
// Bytes of training state: what a checkpoint holds, what moves to a rejoining replica, what is lost with one GPU.
#include "sim/step/job_spec.hpp"

namespace toposim::sim {

/// What moves in a checkpoint or to a rejoining replica, bytes. From the model and the ZeRO stage.
struct StateBytes {
  double checkpoint = 0;        ///< weights and optimizer state, once for the whole job
  double per_replica_load = 0;  ///< what one replica must receive to take part again
  double shard_per_gpu = 0;     ///< ZeRO shard that is lost with one GPU, to come back from a peer
  double gradient_elements_per_gpu = 0;
};

/// Mixed-precision Adam: 2-byte weights, and 12 bytes of fp32 master weight and two moments per parameter (arXiv
/// 1910.02054, section 3.1). Gradients are never kept beyond a step.
///
/// checkpoint: 14 bytes per parameter. per_replica_load: the replica's weights and its own share of what ZeRO spreads
/// over replicas. shard_per_gpu: what exists on that GPU only, of the fullest pipeline stage; 0 at ZeRO stage 0, where
/// every replica has everything.
StateBytes state_bytes(const JobSpec& job);

}  // namespace toposim::sim
