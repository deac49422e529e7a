#include "sim/step/memory_use.hpp"

#include <gtest/gtest.h>

#include "presets.hpp"
#include "sim/step/state_bytes.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {
namespace {

JobSpec gpt3_job() {
  JobSpec job;
  job.model = gpt3_175b();
  job.layout.tensor = 8, job.layout.pipeline = 8, job.layout.data = 4;
  job.micro_batch = 1, job.global_batch = 64;
  return job;
}

// One layer of GPT-3, s = 2048, b = 1, h = 12288, a = 96, t = 8: s b h = 25,165,824. arXiv 2205.05198, Table 2.
TEST(Activations, MatchKorthikantiTable2) {
  JobSpec job = gpt3_job();
  const double sbh = 25165824, scores = 5.0 * 96 * 2048 / 12288;  // 5 a s / h = 80
  job.recompute = JobSpec::Recompute::none, job.sequence_parallel = false;
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), sbh * (10 + 24.0 / 8 + scores / 8));
  job.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), sbh / 8 * (34 + scores));
  job.recompute = JobSpec::Recompute::selective;
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), sbh / 8 * 34);
  job.sequence_parallel = false;
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), sbh * (10 + 24.0 / 8));
  job.recompute = JobSpec::Recompute::full;
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), sbh * 2);
}

TEST(Activations, GatedGroupedQueriesCountTensorByTensor) {
  // Llama 3 405B: whole 8 h, split 2 x (2 h + 2 x 1024 + 3 x 53248), over 8 tensor ranks, 8192 / 2 tokens.
  JobSpec job;
  job.model = llama3_405b();
  job.layout.tensor = 8, job.layout.context = 2;
  const double per_token = 8 * 16384 + 2 * (2 * 16384 + 2 * 1024 + 3 * 53248.0);
  EXPECT_DOUBLE_EQ(activation_bytes_per_layer(job), 4096 * per_token / 8);
}

TEST(MemoryUse, OneForwardOneBackwardKeepsPipelineMicroBatches) {
  // 12 layers a stage, 8 micro-batches in flight (of 16): 96 layers' worth.
  const JobSpec job = gpt3_job();
  EXPECT_DOUBLE_EQ(memory_use(job, h100()).activations, 96 * 25165824.0 / 8 * 34);
}

TEST(MemoryUse, InterleavedScheduleKeepsMore) {
  // 1 + (p - 1) / (p v) = 1 + 7 / 24 times as much (arXiv 2205.05198, section 4.2.3).
  JobSpec job = gpt3_job();
  job.virtual_pipeline = 3;
  EXPECT_DOUBLE_EQ(memory_use(job, h100()).activations, 96 * 25165824.0 / 8 * 34 * (1 + 7.0 / 24));
}

TEST(MemoryUse, FewMicroBatchesFillLess) {
  JobSpec job = gpt3_job();
  job.global_batch = 8;  // 2 micro-batches of 12 layers
  EXPECT_DOUBLE_EQ(memory_use(job, h100()).activations, 24 * 25165824.0 / 8 * 34);
}

TEST(MemoryUse, ZeroStages) {
  JobSpec job = gpt3_job();
  const double n = fullest_stage(job).parameters();
  const auto use = [&](int stage) {
    job.zero_stage = stage;
    return memory_use(job, h100());
  };
  EXPECT_DOUBLE_EQ(use(0).optimizer, 12 * n);
  EXPECT_DOUBLE_EQ(use(0).gradients, 4 * n);
  EXPECT_DOUBLE_EQ(use(0).weights, 2 * n);
  EXPECT_DOUBLE_EQ(use(1).optimizer, 12 * n / 4);
  EXPECT_DOUBLE_EQ(use(1).gradients, 4 * n);
  EXPECT_DOUBLE_EQ(use(2).gradients, 4 * n / 4);
  EXPECT_DOUBLE_EQ(use(2).weights, 2 * n);
  EXPECT_DOUBLE_EQ(use(3).weights, 2 * n / 4 + 2 * n / 12);  // and one of 12 layers gathered
}

TEST(MemoryUse, MlperfGpt3FitsItsGpus) {
  // MLPerf Training v4.0, 512 H100: TP4 PP8 VP4, micro-batch 2, batch 2048. Stage 0 has 5.600e9 parameters: weights
  // 11.2 GB, gradients 22.4 GB, optimizer over 16 ranks 4.2 GB; activations of 8 + 7/4 micro-batches of 12 layers of
  // 34 x 50,331,648 / 4 bytes = 50.1 GB. NVIDIA ran it on 80 GB with 2-byte gradients; with 4-byte ones it does not
  // fit.
  JobSpec job;
  job.model = gpt3_175b();
  job.layout.tensor = 4, job.layout.pipeline = 8, job.layout.data = 16;
  job.virtual_pipeline = 4, job.micro_batch = 2, job.global_batch = 2048;
  job.gradient_bytes = 2;
  const MemoryUse use = memory_use(job, h100());
  EXPECT_NEAR(use.weights, 11.2e9, 0.01e9);
  EXPECT_NEAR(use.gradients, 11.2e9, 0.01e9);
  EXPECT_NEAR(use.optimizer, 4.2e9, 0.01e9);
  EXPECT_NEAR(use.activations, 50.06e9, 0.01e9);
  EXPECT_TRUE(use.fits());
  job.gradient_bytes = 4;
  EXPECT_FALSE(memory_use(job, h100()).fits());
}

TEST(StateBytes, ByHand) {
  JobSpec job = gpt3_job();
  const double n = parameter_count(job.model), stage = fullest_stage(job).parameters();
  EXPECT_DOUBLE_EQ(state_bytes(job).checkpoint, 14 * n);
  EXPECT_DOUBLE_EQ(state_bytes(job).per_replica_load, 2 * n + 12 * n / 4);
  EXPECT_DOUBLE_EQ(state_bytes(job).shard_per_gpu, 12 * stage / 4);
  EXPECT_DOUBLE_EQ(state_bytes(job).gradient_elements_per_gpu, stage);
  job.zero_stage = 0;  // every replica has everything
  EXPECT_DOUBLE_EQ(state_bytes(job).per_replica_load, 14 * n);
  EXPECT_EQ(state_bytes(job).shard_per_gpu, 0);
  job.zero_stage = 3;
  EXPECT_DOUBLE_EQ(state_bytes(job).per_replica_load, 14 * n / 4);
  EXPECT_DOUBLE_EQ(state_bytes(job).shard_per_gpu, 14 * stage / 4);
}

}  // namespace
}  // namespace toposim::sim
