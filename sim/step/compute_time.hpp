#pragma once
// The part of a step that needs no network: arithmetic, the pipeline bubble, the optimizer.
#include <cstdint>

#include "sim/step/job_spec.hpp"

namespace toposim::sim {

/// Seconds that a GPU computes for one micro-batch, all its layers, forward and backward.
struct ComputeTime {
  double forward_s = 0;
  double backward_s = 0;  ///< twice the forward and what is recomputed
  double total_s() const { return forward_s + backward_s; }
  double attention_core_s = 0;  ///< forward and backward, of both: what a ring exchange of keys and values hides under
};

/// FLOPs of the step / (ranks x peak x compute_efficiency), over its micro-batches; or compute_time_s where the job
/// gives it (recomputation included in it).
///
/// Assumes that layers and logits are spread evenly over stages and that backward takes twice forward (arXiv
/// 2104.04473, appendix). Recomputation costs time and is not model FLOPs: full is one more forward pass of every
/// layer, selective one more of the attention core (arXiv 2205.05198, section 5). In fp8 only products with weights run
/// at the fp8 rate; attention core and logits stay in 16 bits (NVIDIA Transformer Engine's default on H100). Throws
/// std::invalid_argument for a job without efficiency in (0, 1] and without compute_time_s.
ComputeTime compute_per_micro_batch(const JobSpec& job, const GpuSpec& gpu);

/// Share of the time of all micro-batches that a stage waits for the pipeline to fill and drain: (p - 1) / (v m), 1F1B
/// or interleaved (arXiv 2104.04473, sections 2.2.1 and 2.2.2).
double bubble_share(const JobSpec& job, std::int64_t micro_batches);

/// Micro-batches per surviving replica. redistribute: survivors share the lost ones, in whole micro-batches:
/// ceil(m D / (D - k)), which is m D / (D - k) (ReCoVer's rule) where that is whole. Else m.
/// Throws std::invalid_argument if nobody is left.
std::int64_t surviving_micro_batches(const JobSpec& job, std::int64_t missing, bool redistribute);

/// Adam reads and writes fp32 master weight and two moments (24 bytes), reads the gradient, writes the 2-byte weight:
/// bound by memory bandwidth, one shard per GPU from ZeRO stage 1 on. `replicas`: data ranks that share the shards.
double optimizer_time_s(const JobSpec& job, const GpuSpec& gpu, std::int64_t replicas);

}  // namespace toposim::sim
