#include "sim/step/transformer.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "presets.hpp"

namespace toposim::sim {
namespace {

// Sums of the published sizes, by hand.
TEST(ParameterCount, Gpt3) {
  // 12 L h^2 = 12 x 96 x 12288^2 = 173,946,175,488; biases and norms 13 L h = 15,335,424 (qkv 3h, projection h, feed-
  // forward 4h + h, two norms 4h); final norm 2h = 24,576; embeddings (51,200 + 2,048) h = 654,311,424.
  EXPECT_DOUBLE_EQ(parameter_count(gpt3_175b()), 173946175488.0 + 15335424 + 24576 + 654311424);
}

TEST(ParameterCount, Llama3) {
  // Attention 2 h^2 + 2 h 1024 = 570,425,344; feed-forward 3 x 16384 x 53248 = 2,617,245,696; norms 2h: 126 layers of
  // 3,187,703,808; final norm h; two embeddings of 128,256 h. The published checkpoint has 405.85 billion.
  EXPECT_DOUBLE_EQ(parameter_count(llama3_405b()), 126 * 3187703808.0 + 16384 + 2 * 128256 * 16384.0);
  EXPECT_NEAR(parameter_count(llama3_405b()) / 1e9, 405.85, 0.005);
}

TEST(ParameterCount, Llama2) {
  // The published checkpoint has 68,976,648,192 parameters.
  EXPECT_DOUBLE_EQ(parameter_count(llama2_70b()), 68976648192.0);
}

TEST(ModelFlops, Gpt3IsMegatronEquation3WithoutRecomputation) {
  // 72 L h^2 (1 + s/(6h) + V/(12 L h)) per token = 72 x 96 x 12288^2 x (1 + 2048/73728 + 51200/(12 x 96 x 12288)).
  const double expected = 72.0 * 96 * 12288 * 12288 * (1 + 2048.0 / 73728 + 51200.0 / (12.0 * 96 * 12288));
  EXPECT_NEAR(model_flops_per_token(gpt3_175b()) / expected, 1, 1e-12);
}

TEST(ModelFlops, Llama3MatchesPublishedBreakdown) {
  // NVIDIA/dgxc-benchmarking, llama3.1/README_405b.md: attention 659,545,915,392, feed-forward 1,978,637,746,176,
  // embedding 12,608,077,824 FLOPs per token. (Their attention figure is 12 L h^2 (1 + 16/128 + s/h); the model has 8
  // key-value heads, so 12 x 126 x 16384^2 x (1 + 8/128 + 0.5) = 634,178,764,800 is due.)
  const double attention = 12.0 * 126 * 16384 * 16384 * (1 + 8.0 / 128 + 8192.0 / 16384);
  EXPECT_NEAR(model_flops_per_token(llama3_405b()) / (attention + 1978637746176.0 + 12608077824.0), 1, 1e-12);
}

TEST(ModelFlops, SixPerParameterAndTheAttentionMatrix) {
  // 6 N without the input embedding and the norms, + 12 L s h.
  const ModelSpec m = llama2_70b();
  const double weights = 80 * (150994944.0 + 704643072.0) + 32000 * 8192.0;
  EXPECT_NEAR(model_flops_per_token(m), 6 * weights + 12.0 * 80 * 4096 * 8192, 1);
}

TEST(ForwardFlops, Parts) {
  const ForwardFlops f = forward_flops_per_token(gpt3_175b());
  EXPECT_DOUBLE_EQ(f.weights, 24.0 * 96 * 12288 * 12288);
  EXPECT_DOUBLE_EQ(f.attention_core, 4.0 * 96 * 2048 * 12288);
  EXPECT_DOUBLE_EQ(f.logits, 2.0 * 51200 * 12288);
}

TEST(MixtureOfExperts, CountsEveryExpertAndComputesTheChosen) {
  // Two layers of h = 8, f = 32, every second one with 4 experts of which a token visits 2.
  ModelSpec m;
  m.layers = 2, m.hidden = 8, m.heads = 2, m.kv_heads = 2, m.ffn_hidden = 32, m.vocabulary = 10, m.sequence = 4;
  m.gated_ffn = true, m.experts = 4, m.experts_per_token = 2, m.moe_every = 2;
  // Attention 4 h^2 = 256 and norms 16 a layer; one network 3 x 8 x 32 = 768; four 3072; router 32; final norm 8;
  // embeddings 160.
  EXPECT_DOUBLE_EQ(parameter_count(m), 2 * (256 + 16) + 768 + 3072 + 32 + 8 + 160);
  EXPECT_DOUBLE_EQ(expert_parameter_count(m), 3072);
  // Forward: 2 layers of 2 x 256 + 4 s h = 128; 2 x 768; 2 x (2 x 768 + 32); logits 160. Times 3.
  EXPECT_DOUBLE_EQ(model_flops_per_token(m), 3 * (2 * (512 + 128) + 1536 + 3136 + 160.0));
}

TEST(Stage, EvenLayersPutTheEmbeddingOnTop) {
  JobSpec job;
  job.model = gpt3_175b();
  job.layout.tensor = 4, job.layout.pipeline = 8, job.virtual_pipeline = 4;
  // 12 layers of 12 h^2 + 13 h = 1,812,099,072 and the embeddings 654,311,424 on stage 0, over 4 tensor ranks.
  EXPECT_EQ(stage_size(job, 0).layers, 12);
  EXPECT_DOUBLE_EQ(stage_size(job, 0).parameters(), (12 * 1812099072.0 + 654311424) / 4);
  EXPECT_DOUBLE_EQ(fullest_stage(job).parameters(), stage_size(job, 0).parameters());
}

TEST(Stage, SlackGoesToTheEnds) {
  // 126 layers in 8 x 8 chunks: 2 each, with 2 to spare: the last and the first chunk have one.
  JobSpec job;
  job.model = llama3_405b();
  job.layout.pipeline = 8, job.virtual_pipeline = 8;
  EXPECT_EQ(stage_size(job, 0).layers, 15);
  EXPECT_EQ(stage_size(job, 7).layers, 15);
  std::int64_t layers = 0;
  for (int stage = 0; stage < 8; ++stage) layers += stage_size(job, stage).layers;
  EXPECT_EQ(layers, 126);
  // Embedding 2.10e9 against a layer's 3.19e9: a middle stage is the fullest.
  EXPECT_EQ(fullest_stage(job).layers, 16);
}

TEST(Stage, AllParametersAreSomewhere) {
  JobSpec job;
  job.model = llama3_405b();
  for (const std::int64_t pipeline : {1, 2, 5, 16}) {
    job.layout.pipeline = pipeline;
    double sum = 0;
    for (std::int64_t stage = 0; stage < pipeline; ++stage) sum += stage_size(job, stage).parameters();
    EXPECT_DOUBLE_EQ(sum, parameter_count(job.model));
  }
}

TEST(MicroBatches, MustDivide) {
  JobSpec job;
  job.model = gpt3_175b();
  job.layout.data = 16, job.micro_batch = 2, job.global_batch = 2048;
  EXPECT_EQ(micro_batches(job), 64);
  job.global_batch = 2050;
  EXPECT_THROW(micro_batches(job), std::invalid_argument);
  job.global_batch = 2048, job.layout.pipeline = 16, job.virtual_pipeline = 8;  // 128 chunks of 96 layers
  EXPECT_THROW(micro_batches(job), std::invalid_argument);
}

TEST(PeakFlops, AbsentRateIsAnError) {
  JobSpec job;
  job.precision = Precision::fp8;
  EXPECT_THROW(peak_flops(job, a100()), std::invalid_argument);
  EXPECT_DOUBLE_EQ(peak_flops(job, h100()), 1978.9e12);
}

}  // namespace
}  // namespace toposim::sim
