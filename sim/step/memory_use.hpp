#pragma once
// Whether a job fits: bytes per GPU on the fullest pipeline stage.
#include "sim/step/job_spec.hpp"

namespace toposim::sim {

struct MemoryUse {  // bytes per GPU, the fullest stage
  double weights = 0, gradients = 0, optimizer = 0, activations = 0;
  double total() const { return weights + gradients + optimizer + activations; }
  double capacity = 0;
  bool fits() const { return total() <= capacity; }
};

/// Mixed-precision Adam (arXiv 1910.02054, section 3.1): 2-byte weights, gradient_bytes of gradient, 12 bytes of fp32
/// master weight and two moments per parameter. ZeRO spreads the optimizer state (stage 1), the gradients too (2), the
/// weights too (3) over data x context ranks, experts over data x context / expert; at stage 3 the weights of one layer
/// are whole at a time.
///
/// Activations: arXiv 2205.05198, with grouped queries and gated networks counted tensor by tensor (see
/// activation_bytes_per_layer). 1F1B keeps min(pipeline, micro-batches) micro-batches on the first stage; the
/// interleaved schedule 1 + (pipeline - 1) / (pipeline x virtual) times as many (their section 4.2.3).
///
/// Not counted: CUDA and NCCL workspaces, fragmentation, fp8 copies of the weights. They take several GB, so a job
/// within a few percent of the capacity may not run.
MemoryUse memory_use(const JobSpec& job, const GpuSpec& gpu);

/// What one layer keeps for the backward pass of one micro-batch on one GPU, bytes. A dense GPT layer: s b h (10 + 24/t
/// + 5 a s / (h t)), all of it over t with sequence parallelism, without the last term under selective recomputation,
/// and 2 s b h under full (arXiv 2205.05198, equations 2, 4, 6 and Table 2); s is the sequence over context ranks.
double activation_bytes_per_layer(const JobSpec& job);

}  // namespace toposim::sim
