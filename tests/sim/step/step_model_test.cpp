#include "sim/step/step_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "sim/step/compute_time.hpp"
#include "small_world.hpp"

namespace toposim::sim {
namespace {

TEST(Step, ComputeFromFlopsAndEfficiency) {
  // GPT-3 on 64 GPUs, one sequence per replica and micro-batch, 50 % of 989.4 TFLOP/s, no recomputation.
  JobSpec job = small_job(8, 8, 1);
  job.model = gpt3_175b();
  job.compute_time_s = 0, job.compute_efficiency = 0.5, job.recompute = JobSpec::Recompute::none;
  const StepBreakdown b = SmallWorld(job, 8).healthy();
  const double flops = model_flops_per_token(job.model) * 8 * 2048;
  EXPECT_NEAR(b.compute_s, flops / (64 * 0.5 * 989.4e12), 1e-12);
  EXPECT_DOUBLE_EQ(b.model_flops, flops);
  EXPECT_NEAR(b.mfu, 0.5 * b.compute_s / b.step_time_s, 1e-12);
  // Selective recomputation: one attention core more, 4 L s h per token. Time, but no model FLOPs.
  job.recompute = JobSpec::Recompute::selective;
  const StepBreakdown r = SmallWorld(job, 8).healthy();
  EXPECT_NEAR(r.compute_s, (flops + 4.0 * 96 * 2048 * 12288 * 8 * 2048) / (64 * 0.5 * 989.4e12), 1e-12);
  EXPECT_DOUBLE_EQ(r.model_flops, flops);
  // Full: every layer forward once more, a third of the step without logits.
  job.recompute = JobSpec::Recompute::full;
  const double logits = 6.0 * 51200 * 12288 * 8 * 2048;
  EXPECT_NEAR(SmallWorld(job, 8).healthy().compute_s, (4 * flops - logits) / 3 / (64 * 0.5 * 989.4e12), 1e-12);
}

TEST(Step, Fp8ComputesAttentionAndLogitsIn16Bits) {
  JobSpec job = small_job(8, 8, 1);
  job.model = gpt3_175b();
  job.compute_time_s = 0, job.compute_efficiency = 0.5, job.recompute = JobSpec::Recompute::none;
  job.precision = Precision::fp8;
  const double weights = 72.0 * 96 * 12288 * 12288, others = 12.0 * 96 * 2048 * 12288 + 6.0 * 51200 * 12288;
  EXPECT_NEAR(SmallWorld(job, 8).healthy().compute_s, (weights / 1978.9e12 + others / 989.4e12) * 8 * 2048 / (64 * 0.5),
              1e-12);
}

TEST(Step, ExposedTimesSumToTheStep) {
  JobSpec job = small_job(4, 2, 8);
  job.tensor_overlap = 0.3, job.data_overlap = 0.01, job.pipeline_overlap = 0.7;
  const SmallWorld world(job, 8);
  StepState state;
  state.missing_replicas = {3};
  state.compute_speed = 0.8;
  for (const StepBreakdown& b : {world.healthy(), world.fast(state), world.full(state)}) {
    EXPECT_EQ(b.step_time_s, exposed_sum_s(b));
    EXPECT_GT(b.tensor_parallel_s, 0);
    EXPECT_GT(b.data_parallel_s, 0);
    EXPECT_GT(b.pipeline_transfer_s, 0);
  }
}

TEST(Step, BubbleIsStagesOverMicroBatchesAndChunks) {
  // (p - 1)/(v m) = 1/8 with two stages and 8 micro-batches, of 0.8 s compute; half of it with two chunks.
  JobSpec job = small_job(1, 2, 4);
  EXPECT_DOUBLE_EQ(SmallWorld(job, 1).healthy().pipeline_bubble_s, 0.1);
  job.virtual_pipeline = 2;
  EXPECT_DOUBLE_EQ(SmallWorld(job, 1).healthy().pipeline_bubble_s, 0.05);
}

TEST(Step, TensorParallelByHand) {
  // One node, TP 8: reduce-scatter and all-gather of S = 16,777,216 B, each 7/8 S / 400e9 and 7 hops of 2 us; 4 each
  // per layer, 4 layers, 8 micro-batches = 128 of each.
  JobSpec job = small_job(8, 1, 1);
  const double once = 7.0 / 8 * 16777216 / 400e9 + 7 * 2e-6;
  StepBreakdown b = SmallWorld(job, 1).healthy();
  EXPECT_NEAR(b.tensor_parallel_s, 256 * once, 1e-9);
  EXPECT_EQ(b.hidden_tensor_parallel_s, 0);
  job.tensor_overlap = 0.75;
  b = SmallWorld(job, 1).healthy();
  EXPECT_NEAR(b.tensor_parallel_s, 64 * once, 1e-9);
  EXPECT_NEAR(b.hidden_tensor_parallel_s, 192 * once, 1e-9);
  // Without sequence parallelism: 128 all-reduces, 14 hops.
  job.tensor_overlap = 0, job.sequence_parallel = false;
  EXPECT_NEAR(SmallWorld(job, 1).healthy().tensor_parallel_s, 128 * (14.0 / 8 * 16777216 / 400e9 + 14 * 2e-6), 1e-9);
}

TEST(Step, PipelineTransfersByHand) {
  // TP 8, two stages on two nodes of one leaf: a slot sends s b h x 2 / 8 = 2,097,152 B each way over a NIC of its own:
  // 41.94304 us, and 2 us of wires. 8 slots, all exposed at overlap 0; the one that fills the pipeline at overlap 1.
  JobSpec job = small_job(8, 2, 1);
  const double slot = 2097152 / 50e9 + 2e-6;
  EXPECT_NEAR(SmallWorld(job, 2).healthy().pipeline_transfer_s, 8 * slot, 1e-10);
  job.pipeline_overlap = 1;
  const StepBreakdown b = SmallWorld(job, 2).healthy();
  EXPECT_NEAR(b.pipeline_transfer_s, slot, 1e-10);
  EXPECT_NEAR(b.hidden_pipeline_s, 7 * slot, 1e-10);
  // Two chunks: 16 slots; each stage sends forward to the other and backward to the other in the same slot.
  job.virtual_pipeline = 2;
  EXPECT_NEAR(SmallWorld(job, 2).healthy().hidden_pipeline_s, 15 * (2 * 2097152 / 50e9 + 2e-6), 1e-10);
}

TEST(Step, DataParallelByHand) {
  // TP 8, 4 replicas on 4 nodes of one leaf, ZeRO 1. N = parameters / 8 per GPU. Reduce-scatter of 4 N and all-gather
  // of 2 N bytes: 3/4 of it over a 50 GB/s NIC, 3 hops of 2 us.
  JobSpec job = small_job(8, 1, 4);
  const double n = parameter_count(job.model) / 8;
  const double reduce = 0.75 * 4 * n / 50e9 + 6e-6, gather = 0.75 * 2 * n / 50e9 + 6e-6;
  StepBreakdown b = SmallWorld(job, 4).healthy();
  EXPECT_NEAR(b.data_parallel_s, reduce + gather, 1e-9);
  EXPECT_NEAR(b.data_parallel_busbw_Bps, 0.75 * 4 * n / reduce, 1);
  EXPECT_EQ(b.data_parallel_algorithm, Algorithm::ring);
  // ZeRO 0: one all-reduce of 4 N, 6 hops.
  job.zero_stage = 0;
  EXPECT_NEAR(SmallWorld(job, 4).healthy().data_parallel_s, 1.5 * 4 * n / 50e9 + 12e-6, 1e-9);
}

TEST(Step, DataParallelHidesUnderTheLastMicroBatchOnly) {
  // One chunk: gradients are complete while the last of 8 micro-batches of 0.1 s passes backward, two thirds of it (no
  // recomputation); the next parameters while the first passes forward. Half of each window is usable.
  JobSpec job = small_job(8, 1, 4);
  job.recompute = JobSpec::Recompute::none;
  job.data_overlap = 0.5;
  job.gradient_bytes = 4000;  // far more than fits in either window
  const StepBreakdown b = SmallWorld(job, 4).healthy();
  EXPECT_NEAR(b.hidden_gradient_reduction_s, 0.5 * 0.1 * 2 / 3, 1e-12);
  // All-gather as above, shorter than its window of 0.5 x 0.1 / 3 s: hidden whole.
  EXPECT_NEAR(b.hidden_data_parallel_s - b.hidden_gradient_reduction_s,
              0.75 * 2 * parameter_count(job.model) / 8 / 50e9 + 6e-6, 1e-9);
}

TEST(Step, OptimizerIsBoundByMemory) {
  // 30 bytes per parameter of the shard (24 of state, 4 of gradient, 2 of weight) at 3.35 TB/s; 4 shards.
  const JobSpec job = small_job(8, 1, 4);
  EXPECT_NEAR(SmallWorld(job, 4).healthy().optimizer_s, 30 * parameter_count(job.model) / 8 / 4 / 3.35e12, 1e-12);
}

TEST(Step, ContextParallelByHand) {
  // One node, 8 context ranks: keys and values of 2048 / 8 tokens, 2 x 256 x 4096 x 2 B = 4,194,304 B a block; an
  // all-gather of 8 blocks is 7/8 of 33,554,432 B / 400 GB/s and 7 hops of 2 us; 3 per layer, 4 layers, 8
  // micro-batches.
  JobSpec job = small_job(1, 1, 1);
  job.layout.context = 8;
  const double all = 96 * (7.0 / 8 * 33554432 / 400e9 + 14e-6);
  const StepBreakdown b = SmallWorld(job, 1).healthy();
  // Hidden under 7/8 of the attention core: 12 L s h of the model FLOPs (and of 4 L s h recomputed) in 0.8 s.
  const double core = 12.0 * 4 * 2048 * 4096, all_flops = model_flops_per_token(job.model) + core / 3;
  EXPECT_NEAR(b.hidden_context_parallel_s, std::min(all, 0.8 * core / all_flops * 7 / 8), 1e-9);
  EXPECT_NEAR(b.context_parallel_s + b.hidden_context_parallel_s, all, 1e-9);
}

TEST(Step, ExpertParallelByHand) {
  // 8 replicas of one GPU on one node, 8 experts over them, 2 per token, every layer: all-to-all of 2 x 16,777,216 B of
  // which 7/8 leave the GPU at 400 GB/s; 4 per layer, 4 layers, 8 micro-batches; direct pairs, one message deep.
  JobSpec job = small_job(1, 1, 8);
  job.model.experts = 8, job.model.experts_per_token = 2, job.model.moe_every = 1;
  job.layout.expert = 8;
  const StepBreakdown b = SmallWorld(job, 1).healthy();
  const double transfer = 128 * 7.0 / 8 * 2 * 16777216 / 400e9;
  EXPECT_GT(b.expert_parallel_s, transfer);
  EXPECT_LT(b.expert_parallel_s, transfer + 128 * 7 * 2e-6 + 1e-9);  // at most seven messages in a row
}

TEST(Step, StragglerStretchesComputeOnly) {
  const SmallWorld world(small_job(8, 1, 4), 4);
  StepState state;
  state.compute_speed = 0.8;
  EXPECT_NEAR(world.fast(state).straggler_wait_s, 0.8 * 0.25, 1e-12);
  EXPECT_NEAR(world.fast(state).step_time_s, world.healthy().step_time_s + 0.2, 1e-12);
}

TEST(Step, MissingReplicaShortensTheRings) {
  // 3 of 4 left: 2/3 of the buffer a hop, 2 hops.
  const SmallWorld world(small_job(8, 1, 4), 4);
  const double n = parameter_count(small_model()) / 8;
  StepState state;
  state.missing_replicas = {2};
  const StepBreakdown b = world.fast(state);
  EXPECT_NEAR(b.data_parallel_s, 2.0 / 3 * 6 * n / 50e9 + 8e-6, 1e-9);
  EXPECT_NEAR(b.compute_s, 0.8, 1e-12);
  EXPECT_NEAR(b.model_flops, world.healthy().model_flops * 3 / 4, 1);
  EXPECT_NEAR(b.optimizer_s, world.healthy().optimizer_s * 4 / 3, 1e-12);
}

TEST(Step, RedistributionAddsWholeMicroBatches) {
  // 4 replicas of 8 micro-batches, one missing: 32 / 3 = 10.67, so somebody does 11. Of 8 replicas, 4 missing: exactly
  // twice as many.
  StepState state;
  state.missing_replicas = {0};
  state.redistribute = true;
  EXPECT_EQ(SmallWorld(small_job(8, 1, 4), 4).fast(state).micro_batches, 11);
  state.missing_replicas = {0, 1, 2, 3};
  const StepBreakdown b = SmallWorld(small_job(8, 1, 8), 8).fast(state);
  EXPECT_EQ(b.micro_batches, 16);
  EXPECT_NEAR(b.compute_s, 1.6, 1e-12);
}

TEST(Step, SlowNvlinkSlowsTensorParallelism) {
  // A GPU of node 2 at half NVLink speed: 7/8 S / 200e9 there, and everybody waits.
  const SmallWorld world(small_job(8, 1, 4), 4);
  StepState state;
  const auto arcs = world.cluster.arcs_between(world.cluster.gpu(2, 5), world.cluster.nvswitch(2));
  state.fabric.set_cable(world.cluster, arcs.first, 0.5);
  EXPECT_NEAR(world.fast(state).tensor_parallel_s, 256 * (7.0 / 8 * 16777216 / 200e9 + 14e-6), 1e-9);
  // Its replica missing: nobody waits.
  state.missing_replicas = {2};
  EXPECT_NEAR(world.fast(state).tensor_parallel_s, world.healthy().tensor_parallel_s, 1e-12);
}

TEST(Step, SlowPortSlowsDataParallelism) {
  // One NIC at half speed: its ring takes 3/4 x 6 N / 25e9.
  const SmallWorld world(small_job(8, 1, 4), 4);
  StepState state;
  const auto nic = world.cluster.nic(1, 3);
  state.fabric.set_cable(world.cluster, world.cluster.arcs_between(nic, world.cluster.leaf_of_nic(nic)).first, 0.5);
  const double n = parameter_count(small_model()) / 8;
  EXPECT_NEAR(world.fast(state).data_parallel_s, 0.75 * 6 * n / 25e9 + 12e-6, 1e-9);
  EXPECT_EQ(world.fast(state).tensor_parallel_s, world.healthy().tensor_parallel_s);
}

TEST(Step, BadStatesAndJobsAreErrors) {
  const SmallWorld world(small_job(8, 1, 4), 4);
  StepState state;
  state.missing_replicas = {4};
  EXPECT_THROW(world.fast(state), std::invalid_argument);
  state.missing_replicas = {0, 1, 2, 3};
  EXPECT_THROW(world.fast(state), std::invalid_argument);
  state.missing_replicas = {1, 0};
  EXPECT_THROW(world.fast(state), std::invalid_argument);
  state.missing_replicas = {};
  state.compute_speed = 0;
  EXPECT_THROW(world.fast(state), std::invalid_argument);
  JobSpec job = small_job(8, 1, 4);
  job.compute_time_s = 0;  // and no efficiency
  EXPECT_THROW(SmallWorld(job, 4), std::invalid_argument);
  job = small_job(8, 1, 4);
  job.data_overlap = 1.5;
  EXPECT_THROW(SmallWorld(job, 4), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::sim
