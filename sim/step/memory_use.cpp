#include "sim/step/memory_use.hpp"

#include <algorithm>

#include "sim/step/training_bytes.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {
namespace {

/// Bytes per token of what a layer keeps when nothing is recomputed, attention scores apart.
struct KeptPerToken {
  double whole = 0;  ///< on every tensor rank, unless sequence parallelism splits it
  double split = 0;  ///< over tensor ranks
};

KeptPerToken kept_per_token(const ModelSpec& model) {
  const double h = static_cast<double>(model.hidden);
  const double kv = h * static_cast<double>(model.kv_heads) / static_cast<double>(model.heads);
  // A token's feed-forward tensors: its input to the non-linearity and to the second matrix; gated: gate, value, their
  // product. An expert layer keeps them for each expert that the token visits.
  const double moe = moe_layers(model) / static_cast<double>(model.layers);
  const double networks = (1 - moe) + moe * static_cast<double>(model.experts_per_token);
  const double ffn = (model.gated_ffn ? 3 : 2) * static_cast<double>(model.ffn_hidden) * networks;
  const double dropout_masks = model.gated_ffn ? 0 : 2 * h;  // one byte a value; Llama style has no dropout
  KeptPerToken kept;
  // Inputs of both norms, of the query-key-value product and of the feed-forward network.
  kept.whole = activation_bytes * (2 * h + h + h) + dropout_masks;
  // Queries, keys, values and the input of the output projection.
  kept.split = activation_bytes * (2 * h + 2 * kv + ffn);
  return kept;
}

}  // namespace

double activation_bytes_per_layer(const JobSpec& job) {
  const ModelSpec& model = job.model;
  const double tensor = static_cast<double>(job.layout.tensor);
  const double sequence = static_cast<double>(model.sequence) / static_cast<double>(job.layout.context);
  const double tokens = sequence * static_cast<double>(job.micro_batch);
  const double whole_over = job.sequence_parallel ? tensor : 1;
  if (job.recompute == JobSpec::Recompute::full) {
    return tokens * activation_bytes * static_cast<double>(model.hidden) / whole_over;
  }
  const KeptPerToken kept = kept_per_token(model);
  double bytes = tokens * (kept.whole / whole_over + kept.split / tensor);
  if (job.recompute == JobSpec::Recompute::none) {
    // Scores before and after softmax, 2 bytes each, and a dropout mask of 1 byte: 5 a s per token (keys of every
    // context rank pass by).
    const double per_score = model.gated_ffn ? 4 : 5;
    bytes += tokens * per_score * static_cast<double>(model.heads) * static_cast<double>(model.sequence) / tensor;
  }
  return bytes;
}

MemoryUse memory_use(const JobSpec& job, const GpuSpec& gpu) {
  const auto m = static_cast<double>(micro_batches(job));
  const StageSize stage = fullest_stage(job);
  const double replicas = static_cast<double>(job.layout.data * job.layout.context);
  const double expert_replicas = replicas / static_cast<double>(job.layout.expert);
  const double sharded = stage.dense_parameters / replicas + stage.expert_parameters / expert_replicas;
  const double layers = static_cast<double>(stage.layers);

  MemoryUse use;
  use.capacity = gpu.memory_bytes;
  use.optimizer = optimizer_bytes * (job.zero_stage >= 1 ? sharded : stage.parameters());
  use.gradients = job.gradient_bytes * (job.zero_stage >= 2 ? sharded : stage.parameters());
  use.weights = weight_bytes * (job.zero_stage >= 3 ? sharded + stage.parameters() / layers : stage.parameters());

  const double p = static_cast<double>(job.layout.pipeline), v = static_cast<double>(job.virtual_pipeline);
  const double in_flight = std::min(m, v > 1 ? p + (p - 1) / v : p);  // micro-batches, in stages' worth of layers
  use.activations = in_flight * layers * activation_bytes_per_layer(job);
  if (job.recompute == JobSpec::Recompute::full) {  // the layer being recomputed is there in full
    JobSpec kept = job;
    kept.recompute = JobSpec::Recompute::selective;
    use.activations += activation_bytes_per_layer(kept);
  }
  return use;
}

}  // namespace toposim::sim
