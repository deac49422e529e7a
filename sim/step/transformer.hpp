#pragma once
// A transformer's size and arithmetic: parameters and FLOPs, of the whole model and of one pipeline stage.
//
// Without gated_ffn a layer is GPT-2 style: biases and layer norms with a shift, learned positions. With gated_ffn it
// is Llama style: neither, root-mean-square norms, rotary positions. Every moe_every-th layer has `experts`
// feed-forward networks and a router instead of one network.
#include "sim/step/job_spec.hpp"

namespace toposim::sim {

/// All parameters, every expert included. arXiv 2104.04473 eq. 2, extended to grouped queries, gated feed-forward
/// networks and experts.
double parameter_count(const ModelSpec& model);
/// Of these, the experts' (0 for a dense model).
double expert_parameter_count(const ModelSpec& model);

/// Forward and backward FLOPs for one token, attention included (Megatron-LM's count, arXiv 2104.04473 eq. 3, extended
/// to grouped queries and gated feed-forward). The causal half of the attention matrix that fused kernels skip is
/// counted, as MLPerf and NVIDIA's tables do. Recomputation is not model FLOPs and is not counted here.
double model_flops_per_token(const ModelSpec& model);

/// Forward FLOPs for one token, by what computes them; model_flops_per_token is three times their sum.
struct ForwardFlops {
  double weights = 0;         ///< products with the layers' weight matrices, routers included
  double attention_core = 0;  ///< scores and their product with V: 4 s h a layer
  double logits = 0;          ///< 2 V h
  double total() const { return weights + attention_core + logits; }
};
ForwardFlops forward_flops_per_token(const ModelSpec& model);

double moe_layers(const ModelSpec& model);

/// What one GPU holds of a pipeline stage. Tensor parallelism splits all of it (norms too: they are below 0.01 %),
/// expert parallelism the experts.
struct StageSize {
  std::int64_t layers = 0;
  double dense_parameters = 0;   ///< replicated over data ranks
  double expert_parameters = 0;  ///< replicated over data / expert ranks
  double parameters() const { return dense_parameters + expert_parameters; }
};

/// Chunks of ceil(layers / (pipeline x virtual)); where that leaves slack, the last and the first chunk, which hold the
/// logits and the embedding, give up a layer first. A tied embedding exists on the first and the last stage.
StageSize stage_size(const JobSpec& job, std::int64_t stage);
/// The stage with the most parameters.
StageSize fullest_stage(const JobSpec& job);

/// Sequences in a replica's step over micro_batch. Throws std::invalid_argument naming what does not divide, what is
/// out of range, or what the model cannot be split into.
std::int64_t micro_batches(const JobSpec& job);

/// Dense peak of a GPU at the job's precision, FLOP/s. Throws std::invalid_argument if it has none.
double peak_flops(const JobSpec& job, const GpuSpec& gpu);
double bf16_peak_flops(const GpuSpec& gpu);

}  // namespace toposim::sim
