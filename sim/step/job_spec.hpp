#pragma once
// What a scenario's `job` section says: the model, how it is split, and how efficiently it computes.
#include <cstdint>
#include <string>

#include "sim/collectives/collective.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// A GPU preset (sim/presets/gpus.yaml). Dense rates, no sparsity.
struct GpuSpec {
  std::string name;
  double memory_bytes = 0;
  double memory_bandwidth_Bps = 0;
  double bf16_flops = 0;  ///< FLOP/s
  double fp8_flops = 0;   ///< 0: not supported
  double nvlink_Bps = 0;  ///< per GPU, per direction
  bool nvlink_sharp = false;
  double kernel_bandwidth_Bps = 0;  ///< what a copy reaches, as kernels/gpu_check.sh measures it; 0: not measured
  double kernel_launch_s = 5e-6;    ///< of one estimation kernel; assumed where nothing was measured
  std::string source;
};

/// A transformer (sim/presets/models.yaml).
struct ModelSpec {
  std::string name;
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, ffn_hidden = 0, vocabulary = 0, sequence = 0;
  bool gated_ffn = false;  ///< SwiGLU: three matrices instead of two
  bool tied_embedding = false;
  std::int64_t experts = 1, experts_per_token = 1, moe_every = 1;  ///< experts == 1: dense
  std::string source;
};

enum class Precision : std::uint8_t { bf16, fp8 };

struct JobSpec {
  ModelSpec model;
  topology::ParallelLayout layout;
  std::int64_t virtual_pipeline = 1;  ///< interleaved schedule: model chunks per stage
  std::int64_t micro_batch = 1;       ///< sequences
  std::int64_t global_batch = 0;      ///< sequences per step
  Precision precision = Precision::bf16;
  /// FLOP/s over peak while a GPU computes, recomputation included (not MFU of the step: bubbles and exposed
  /// communication come on top). In fp8 attention and logits count against the bf16 peak (compute_time.hpp).
  double compute_efficiency = 0;
  double compute_time_s = 0;  ///< given compute of a step, bubble and communication not included; 0: from FLOPs
  int zero_stage = 1;         ///< 0..3: what is sharded over data-parallel ranks
  bool sequence_parallel = true;
  enum class Recompute : std::uint8_t { none, selective, full } recompute = Recompute::selective;
  double gradient_bytes = 4;    ///< per parameter, in the data-parallel reduction
  double tensor_overlap = 0;    ///< share of tensor-parallel communication hidden under compute
  double data_overlap = 0.9;    ///< share of the backward pass (and next forward) that can hide data-parallel traffic
  double pipeline_overlap = 1;  ///< share of stage-to-stage transfers hidden, interleaved or not
  Algorithm algorithm = Algorithm::automatic;  ///< of the data-parallel collectives
  LatencySpec latency;
};

}  // namespace toposim::sim
