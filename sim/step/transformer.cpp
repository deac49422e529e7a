#include "sim/step/transformer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace toposim::sim {
namespace {

double kv_width(const ModelSpec& model) {
  return static_cast<double>(model.hidden) * static_cast<double>(model.kv_heads) / static_cast<double>(model.heads);
}

/// Query, key, value and output projections.
double attention_parameters(const ModelSpec& model) {
  const double h = static_cast<double>(model.hidden), kv = kv_width(model);
  const double biases = model.gated_ffn ? 0 : 2 * h + 2 * kv;
  return 2 * h * h + 2 * h * kv + biases;
}

/// One feed-forward network: of a dense layer, or one expert.
double ffn_parameters(const ModelSpec& model) {
  const double h = static_cast<double>(model.hidden), f = static_cast<double>(model.ffn_hidden);
  return model.gated_ffn ? 3 * h * f : 2 * h * f + f + h;
}

double norm_parameters(const ModelSpec& model) {
  return (model.gated_ffn ? 1.0 : 2.0) * static_cast<double>(model.hidden);
}

double router_parameters(const ModelSpec& model) {
  return static_cast<double>(model.hidden) * static_cast<double>(model.experts);
}

double embedding_parameters(const ModelSpec& model) {
  return static_cast<double>(model.vocabulary) * static_cast<double>(model.hidden);
}

double position_parameters(const ModelSpec& model) {
  return model.gated_ffn ? 0 : static_cast<double>(model.sequence) * static_cast<double>(model.hidden);
}

double moe_share(const ModelSpec& model) {
  return moe_layers(model) / static_cast<double>(model.layers);
}

/// Of `layers` layers, experts apart.
double dense_layer_parameters(const ModelSpec& model, double layers) {
  const double moe = layers * moe_share(model);
  return layers * (attention_parameters(model) + 2 * norm_parameters(model)) + (layers - moe) * ffn_parameters(model) +
         moe * router_parameters(model);
}

double expert_layer_parameters(const ModelSpec& model, double layers) {
  return layers * moe_share(model) * static_cast<double>(model.experts) * ffn_parameters(model);
}

/// Layers of each model chunk, in the order a token passes them; chunk j sits on stage j mod pipeline.
std::vector<std::int64_t> chunk_layers(const JobSpec& job) {
  const std::int64_t chunks = job.layout.pipeline * job.virtual_pipeline;
  const std::int64_t full = (job.model.layers + chunks - 1) / chunks;
  std::vector<std::int64_t> layers(static_cast<std::size_t>(chunks), full);
  std::int64_t slack = full * chunks - job.model.layers, front = 0, back = chunks - 1;
  while (slack > 0) {
    --layers[static_cast<std::size_t>(back--)];
    if (--slack > 0 && front <= back) {
      --layers[static_cast<std::size_t>(front++)];
      --slack;
    }
  }
  return layers;
}

void require(bool condition, const std::string& message) {
  if (!condition) throw std::invalid_argument("job: " + message);
}

}  // namespace

double moe_layers(const ModelSpec& model) {
  const std::int64_t whole_groups = model.layers / model.moe_every;
  return model.experts > 1 ? static_cast<double>(whole_groups) : 0;
}

double parameter_count(const ModelSpec& model) {
  const double layers = static_cast<double>(model.layers);
  return dense_layer_parameters(model, layers) + expert_layer_parameters(model, layers) + norm_parameters(model) +
         embedding_parameters(model) * (model.tied_embedding ? 1 : 2) + position_parameters(model);
}

double expert_parameter_count(const ModelSpec& model) {
  return expert_layer_parameters(model, static_cast<double>(model.layers));
}

ForwardFlops forward_flops_per_token(const ModelSpec& model) {
  // 2 FLOPs per weight of a matrix product.
  const double h = static_cast<double>(model.hidden), layers = static_cast<double>(model.layers);
  const double moe = moe_layers(model);
  const double ffn = (model.gated_ffn ? 3 : 2) * h * static_cast<double>(model.ffn_hidden);
  const double attention = 2 * h * h + 2 * h * kv_width(model);
  const double experts = static_cast<double>(model.experts_per_token) * ffn + router_parameters(model);
  ForwardFlops flops;
  flops.weights = 2 * (layers * attention + (layers - moe) * ffn + moe * experts);
  flops.attention_core = 4 * layers * static_cast<double>(model.sequence) * h;
  flops.logits = 2 * embedding_parameters(model);
  return flops;
}

double model_flops_per_token(const ModelSpec& model) {
  return 3 * forward_flops_per_token(model).total();  // backward: twice the forward
}

StageSize stage_size(const JobSpec& job, std::int64_t stage) {
  const ModelSpec& model = job.model;
  const std::vector<std::int64_t> chunks = chunk_layers(job);
  StageSize size;
  for (std::size_t j = static_cast<std::size_t>(stage); j < chunks.size();
       j += static_cast<std::size_t>(job.layout.pipeline)) {
    size.layers += chunks[j];
  }
  const double layers = static_cast<double>(size.layers), tensor = static_cast<double>(job.layout.tensor);
  const bool first = stage == 0, last = stage == job.layout.pipeline - 1;
  double outside_layers = 0;
  if (first) outside_layers += embedding_parameters(model) + position_parameters(model);
  if (last) outside_layers += norm_parameters(model);
  if (last && !(first && model.tied_embedding)) outside_layers += embedding_parameters(model);
  size.dense_parameters = (dense_layer_parameters(model, layers) + outside_layers) / tensor;
  size.expert_parameters = expert_layer_parameters(model, layers) / tensor / static_cast<double>(job.layout.expert);
  return size;
}

StageSize fullest_stage(const JobSpec& job) {
  StageSize fullest = stage_size(job, 0);
  for (std::int64_t stage = 1; stage < job.layout.pipeline; ++stage) {
    const StageSize size = stage_size(job, stage);
    if (size.parameters() > fullest.parameters()) fullest = size;
  }
  return fullest;
}

std::int64_t micro_batches(const JobSpec& job) {
  const ModelSpec& m = job.model;
  for (const auto& [value, name] : {std::pair{m.layers, "layers"},
                                    {m.hidden, "hidden"},
                                    {m.heads, "heads"},
                                    {m.kv_heads, "kv_heads"},
                                    {m.ffn_hidden, "ffn_hidden"},
                                    {m.vocabulary, "vocabulary"},
                                    {m.sequence, "sequence"},
                                    {m.experts, "experts"},
                                    {m.experts_per_token, "experts_per_token"},
                                    {m.moe_every, "moe_every"}}) {
    require(value > 0, fmt::format("model '{}' has {} = {}, which must be at least 1", m.name, name, value));
  }
  require(m.heads % m.kv_heads == 0, fmt::format("kv_heads = {} must divide heads = {}", m.kv_heads, m.heads));
  const auto& layout = job.layout;
  const std::int64_t chunks = layout.pipeline * job.virtual_pipeline;
  require(layout.ranks() > 0 && layout.expert > 0 && job.virtual_pipeline > 0,
          "parallel degrees must all be at least 1");
  require(chunks <= m.layers, fmt::format("pipeline = {} x virtual_pipeline = {} asks for {} chunks of a model of {} "
                                          "layers; lower one of them",
                                          layout.pipeline, job.virtual_pipeline, chunks, m.layers));
  require(job.virtual_pipeline == 1 || layout.pipeline > 1, "virtual_pipeline above 1 needs pipeline above 1");
  require(layout.data % layout.expert == 0,
          fmt::format("expert = {} must divide data = {}", layout.expert, layout.data));
  require(m.experts % layout.expert == 0,
          fmt::format("expert = {} must divide the model's experts = {}", layout.expert, m.experts));
  require(job.micro_batch > 0 && job.global_batch > 0,
          fmt::format("micro_batch = {} and global_batch = {} must be at least 1", job.micro_batch, job.global_batch));
  const std::int64_t per_round = layout.data * job.micro_batch;
  require(job.global_batch % per_round == 0,
          fmt::format("global_batch = {} is not a multiple of data x micro_batch = {} x {} = {}", job.global_batch,
                      layout.data, job.micro_batch, per_round));
  return job.global_batch / per_round;
}

double bf16_peak_flops(const GpuSpec& gpu) {
  require(gpu.bf16_flops > 0, fmt::format("GPU '{}' has no bf16 rate", gpu.name));
  return gpu.bf16_flops;
}

double peak_flops(const JobSpec& job, const GpuSpec& gpu) {
  if (job.precision == Precision::bf16) return bf16_peak_flops(gpu);
  require(gpu.fp8_flops > 0, fmt::format("GPU '{}' has no fp8 rate", gpu.name));
  return gpu.fp8_flops;
}

}  // namespace toposim::sim
