// Every key of a scenario ends in its field.
#include "minimal_scenario.hpp"

namespace toposim::sim {
namespace {

constexpr const char* everything = R"(
name: all
description: every key
cluster:
  gpu: {extends: h100, name: h100-96, memory: 96GB, memory_bandwidth: 3TB/s, bf16: 900TFLOPS, fp8: 1.8PFLOPS,
        nvlink: 400GB/s, nvlink_sharp: true, kernel_bandwidth: 2.5TB/s, kernel_launch: 3us, source: made up}
  nodes: 32
  spares: 4
  gpus_per_node: 4
  nics_per_node: 2
  nvlink: {bandwidth: 300GB/s, latency: 400ns, sharp: false}
  pcie: {bandwidth: 32GB/s, latency: 100ns}
  fabric:
    type: rail_fat_tree
    nodes_per_leaf: 4
    nodes_per_pod: 12
    leaf_oversubscription: 2
    spine_oversubscription: 3
    spines: 1
    cores_per_spine: 1
    switch_radix: 128
    routing: ecmp
    sharp: true
    access: {bandwidth: 200Gbps, latency: 2us}
    uplink: {bandwidth: 100Gbps, latency: 3us}
    core_link: {bandwidth: 800Gbps, latency: 4us}
  port_failover: true
  storage: {write: 1TB/s, read: 2TB/s, per_node: 10GB/s}
  price_per_gpu_hour: 2.5
job:
  model: {extends: llama2-70b, name: small, layers: 78, hidden: 4096, heads: 32, kv_heads: 4, ffn_hidden: 1000,
          vocabulary: 50000, sequence: 2048, gated_ffn: false, tied_embedding: true, experts: 8, experts_per_token: 2,
          moe_every: 2, source: made up}
  tensor_parallel: 2
  pipeline_parallel: 4
  context_parallel: 2
  expert_parallel: 4
  data_parallel: 8
  rank_order: [tensor, context, data, pipeline]
  virtual_pipeline: 5
  micro_batch: 2
  global_batch: 64
  precision: fp8
  compute_efficiency: 45%
  zero_stage: 3
  sequence_parallel: false
  recompute: full
  gradient_bytes: 2
  overlap: {tensor: 10%, data: 20%, pipeline: 30%}
  collectives:
    algorithm: rail_rings
    low_latency_protocols: false
    latency: {base: 1us, nvlink_round: 2us, network_round: 3us, tree_round: 4us, switch_reduction: 5us}
    efficiency: {nvlink: 70%, network: 80%, nvls: 60%, nvls_tree: 50%}
    chunk: {nvls: 1MiB, pipeline: 2MiB}
domains: {size: 4}
faults:
  classes:
    - {name: gpu, component: gpu, mtbf: 5000h, shape: weibull, weibull_k: 0.7, repair: {shape: exponential, mean: 5h},
       kind: fail_slow, slow_factor: 60%, source: made up}
    - {name: software, component: job, count: 54, exposure: {components: 1, duration: 54d}, job_fraction: 80%,
       repair: {shape: constant, mean: 1s}, planned: true}
recovery: {detect: 1s, quorum: 2s, reallocate: 3s, comm_init: 4s, comm_init_per_rank: 5ms, catch_up: 6s}
checkpoint: {interval: 30min, write: asynchronous, snapshot: 7s, write_time: 8s, load_time: 9s}
schemes:
  - scheme: checkpoint_restart
    name: blocking
    recovery: {detect: 10s}
    checkpoint: {interval: young, mtti: 6h, write: blocking}
  - scheme: drop_replica
    minimum_replicas: 75%
    redistribute_batch: true
    keep_step_in_flight: true
    step_overhead: 11ms
    rejoin_stall: 12s
    statistics: {noise_scale_samples: 4000, learning_rate: sqrt}
  - scheme: compensate
    estimator: ridge+g
    threshold: either
    domain_threshold: 20%
    job_threshold: 10%
    sketch_width: 256
    statistics: {learning_rate: linear, estimation_penalty: 0.3}
run:
  duration: 7d
  replicas: 50
  target_precision: 0.1%
  seed: 42
  fidelity: flow
  cross_check_states: 3
)";

TEST(Sections, Cluster) {
  const Scenario s = read_good(everything);
  EXPECT_EQ(s.name, "all");
  EXPECT_EQ(s.description, "every key");
  EXPECT_EQ(s.gpu.name, "h100-96");
  EXPECT_DOUBLE_EQ(s.gpu.memory_bytes, 96e9);
  EXPECT_DOUBLE_EQ(s.gpu.memory_bandwidth_Bps, 3e12);
  EXPECT_DOUBLE_EQ(s.gpu.bf16_flops, 900e12);
  EXPECT_DOUBLE_EQ(s.gpu.fp8_flops, 1.8e15);
  EXPECT_DOUBLE_EQ(s.gpu.nvlink_Bps, 400e9);
  EXPECT_TRUE(s.gpu.nvlink_sharp);
  EXPECT_DOUBLE_EQ(s.gpu.kernel_bandwidth_Bps, 2.5e12);
  EXPECT_DOUBLE_EQ(s.gpu.kernel_launch_s, 3e-6);
  EXPECT_EQ(s.gpu.source, "made up");
  const auto& c = s.cluster;
  EXPECT_EQ(c.gpu, "h100-96");
  EXPECT_EQ(c.nodes, 32);
  EXPECT_EQ(c.spares, 4);
  EXPECT_EQ(c.gpus_per_node, 4);
  EXPECT_EQ(c.nics_per_node, 2);
  EXPECT_DOUBLE_EQ(c.nvlink.bandwidth_Bps, 300e9);
  EXPECT_DOUBLE_EQ(c.nvlink.latency_s, 400e-9);
  EXPECT_FALSE(c.nvlink_sharp);
  EXPECT_DOUBLE_EQ(c.pcie.bandwidth_Bps, 32e9);
  EXPECT_DOUBLE_EQ(c.pcie.latency_s, 100e-9);
  EXPECT_EQ(c.fabric, topology::FabricKind::rail_fat_tree);
  EXPECT_EQ(c.nodes_per_leaf, 4);
  EXPECT_EQ(c.nodes_per_pod, 12);
  EXPECT_DOUBLE_EQ(c.leaf_oversubscription, 2);
  EXPECT_DOUBLE_EQ(c.spine_oversubscription, 3);
  EXPECT_EQ(c.spines, 1);
  EXPECT_EQ(c.cores_per_spine, 1);
  EXPECT_EQ(c.switch_radix, 128);
  EXPECT_EQ(c.routing, topology::RoutingMode::ecmp);
  EXPECT_TRUE(c.fabric_sharp);
  EXPECT_TRUE(c.port_failover);
  EXPECT_DOUBLE_EQ(c.access.bandwidth_Bps, 25e9);
  EXPECT_DOUBLE_EQ(c.access.latency_s, 2e-6);
  EXPECT_DOUBLE_EQ(c.uplink.bandwidth_Bps, 12.5e9);
  EXPECT_DOUBLE_EQ(c.uplink.latency_s, 3e-6);
  EXPECT_DOUBLE_EQ(c.core_link.bandwidth_Bps, 100e9);
  EXPECT_DOUBLE_EQ(c.core_link.latency_s, 4e-6);
  EXPECT_DOUBLE_EQ(c.price_per_gpu_hour, 2.5);
}

TEST(Sections, Job) {
  const Scenario s = read_good(everything);
  const ModelSpec& m = s.job.model;
  EXPECT_EQ(m.name, "small");
  EXPECT_EQ(m.layers, 78);
  EXPECT_EQ(m.hidden, 4096);
  EXPECT_EQ(m.heads, 32);
  EXPECT_EQ(m.kv_heads, 4);
  EXPECT_EQ(m.ffn_hidden, 1000);
  EXPECT_EQ(m.vocabulary, 50000);
  EXPECT_EQ(m.sequence, 2048);
  EXPECT_FALSE(m.gated_ffn);
  EXPECT_TRUE(m.tied_embedding);
  EXPECT_EQ(m.experts, 8);
  EXPECT_EQ(m.experts_per_token, 2);
  EXPECT_EQ(m.moe_every, 2);
  EXPECT_EQ(m.source, "made up");
  const JobSpec& j = s.job;
  EXPECT_EQ(j.layout.tensor, 2);
  EXPECT_EQ(j.layout.pipeline, 4);
  EXPECT_EQ(j.layout.context, 2);
  EXPECT_EQ(j.layout.expert, 4);
  EXPECT_EQ(j.layout.data, 8);
  using topology::Axis;
  EXPECT_EQ(j.layout.order, (std::array{Axis::tensor, Axis::context, Axis::data, Axis::pipeline}));
  EXPECT_EQ(j.virtual_pipeline, 5);
  EXPECT_EQ(j.micro_batch, 2);
  EXPECT_EQ(j.global_batch, 64);
  EXPECT_EQ(j.precision, Precision::fp8);
  EXPECT_DOUBLE_EQ(j.compute_efficiency, 0.45);
  EXPECT_EQ(j.compute_time_s, 0);
  EXPECT_EQ(j.zero_stage, 3);
  EXPECT_FALSE(j.sequence_parallel);
  EXPECT_EQ(j.recompute, JobSpec::Recompute::full);
  EXPECT_DOUBLE_EQ(j.gradient_bytes, 2);
  EXPECT_DOUBLE_EQ(j.tensor_overlap, 0.1);
  EXPECT_DOUBLE_EQ(j.data_overlap, 0.2);
  EXPECT_DOUBLE_EQ(j.pipeline_overlap, 0.3);
  EXPECT_EQ(j.algorithm, Algorithm::rail_rings);
  EXPECT_FALSE(j.latency.low_latency_protocols);
  EXPECT_DOUBLE_EQ(j.latency.base_s, 1e-6);
  EXPECT_DOUBLE_EQ(j.latency.nvlink_round_s, 2e-6);
  EXPECT_DOUBLE_EQ(j.latency.network_round_s, 3e-6);
  EXPECT_DOUBLE_EQ(j.latency.tree_round_s, 4e-6);
  EXPECT_DOUBLE_EQ(j.latency.switch_reduction_s, 5e-6);
  EXPECT_DOUBLE_EQ(j.latency.nvlink_efficiency, 0.7);
  EXPECT_DOUBLE_EQ(j.latency.network_efficiency, 0.8);
  EXPECT_DOUBLE_EQ(j.latency.nvls_efficiency, 0.6);
  EXPECT_DOUBLE_EQ(j.latency.nvls_tree_efficiency, 0.5);
  EXPECT_DOUBLE_EQ(j.latency.nvls_chunk_bytes, 1 << 20);
  EXPECT_DOUBLE_EQ(j.latency.pipeline_chunk_bytes, 2 << 20);
  EXPECT_EQ(s.domains.size, 4);
}

TEST(Sections, Faults) {
  const Scenario s = read_good(everything);
  ASSERT_EQ(s.faults.classes.size(), 2u);
  const auto& gpu = s.faults.classes[0];
  EXPECT_EQ(gpu.name, "gpu");
  EXPECT_EQ(gpu.component, faults::Component::gpu);
  EXPECT_EQ(gpu.kind, faults::FaultKind::fail_slow);
  EXPECT_DOUBLE_EQ(gpu.slow_factor, 0.6);
  EXPECT_DOUBLE_EQ(gpu.mtbf_s, 5000 * 3600.0);
  EXPECT_EQ(gpu.shape, faults::Shape::weibull);
  EXPECT_DOUBLE_EQ(gpu.weibull_k, 0.7);
  EXPECT_EQ(gpu.repair.shape, faults::RepairShape::exponential);
  EXPECT_DOUBLE_EQ(gpu.repair.mean_s, 5 * 3600.0);
  EXPECT_EQ(gpu.source, "made up");
  const auto& software = s.faults.classes[1];
  EXPECT_DOUBLE_EQ(software.mtbf_s, 86400);  // 54 in 54 days
  EXPECT_DOUBLE_EQ(software.job_fraction, 0.8);
  EXPECT_TRUE(software.planned);
}

TEST(Sections, SchemesStartFromTheSharedSections) {
  const Scenario s = read_good(everything);
  ASSERT_EQ(s.schemes.size(), 3u);
  const SchemeSpec& restart = s.schemes[0];
  EXPECT_EQ(restart.name, "blocking");
  EXPECT_EQ(restart.kind, SchemeKind::checkpoint_restart);
  EXPECT_DOUBLE_EQ(restart.recovery.detect_s, 10);  // its own
  EXPECT_DOUBLE_EQ(restart.recovery.quorum_s, 2);   // shared
  EXPECT_EQ(restart.checkpoint.interval_rule, CheckpointSpec::Interval::young);
  EXPECT_DOUBLE_EQ(restart.checkpoint.mtti_s, 6 * 3600.0);
  EXPECT_EQ(restart.checkpoint.write, CheckpointSpec::Write::blocking);
  EXPECT_DOUBLE_EQ(restart.checkpoint.load_s, 9);
  EXPECT_DOUBLE_EQ(restart.checkpoint.storage_write_Bps, 1e12);
  EXPECT_DOUBLE_EQ(restart.checkpoint.storage_read_Bps, 2e12);
  EXPECT_DOUBLE_EQ(restart.checkpoint.node_Bps, 10e9);
  const SchemeSpec& drop = s.schemes[1];
  EXPECT_EQ(drop.name, "drop_replica");
  EXPECT_EQ(drop.checkpoint.interval_rule, CheckpointSpec::Interval::fixed);
  EXPECT_DOUBLE_EQ(drop.checkpoint.interval_s, 1800);
  EXPECT_DOUBLE_EQ(drop.checkpoint.snapshot_s, 7);
  EXPECT_DOUBLE_EQ(drop.checkpoint.write_s, 8);
  EXPECT_DOUBLE_EQ(drop.recovery.detect_s, 1);
  EXPECT_DOUBLE_EQ(drop.recovery.reallocate_s, 3);
  EXPECT_DOUBLE_EQ(drop.recovery.comm_init_s, 4);
  EXPECT_DOUBLE_EQ(drop.recovery.comm_init_per_rank_s, 5e-3);
  EXPECT_DOUBLE_EQ(drop.recovery.catch_up_s, 6);
  EXPECT_DOUBLE_EQ(drop.minimum_replicas, 0.75);
  EXPECT_TRUE(drop.redistribute_batch);
  EXPECT_TRUE(drop.keep_step_in_flight);
  EXPECT_DOUBLE_EQ(drop.step_overhead_s, 11e-3);
  EXPECT_DOUBLE_EQ(drop.rejoin_stall_s, 12);
  EXPECT_DOUBLE_EQ(drop.statistics.noise_scale_samples, 4000);
  EXPECT_EQ(drop.statistics.learning_rate, StatisticsSpec::LearningRate::sqrt);
  const SchemeSpec& compensate = s.schemes[2];
  EXPECT_EQ(compensate.estimator, "ridge+g");
  EXPECT_EQ(compensate.threshold, SchemeSpec::Threshold::either);
  EXPECT_DOUBLE_EQ(compensate.domain_threshold, 0.2);
  EXPECT_DOUBLE_EQ(compensate.job_threshold, 0.1);
  EXPECT_EQ(compensate.sketch_width, 256);
  EXPECT_DOUBLE_EQ(compensate.statistics.estimation_penalty, 0.3);
}

TEST(Sections, Run) {
  const Scenario s = read_good(everything);
  EXPECT_DOUBLE_EQ(s.run.duration_s, 7 * 86400.0);
  EXPECT_EQ(s.run.replicas, 50);
  EXPECT_DOUBLE_EQ(s.run.target_precision, 0.001);
  EXPECT_EQ(s.run.seed, 42u);
  EXPECT_EQ(s.run.fidelity, Fidelity::flow);
  EXPECT_EQ(s.run.cross_check_states, 3);
}

TEST(Sections, DefaultsOfTheSmallest) {
  const Scenario s = read_good(minimal_scenario);
  EXPECT_EQ(s.job.layout.data, 8);  // 64 GPUs over replicas of 8
  EXPECT_EQ(s.domains.size, 8);     // 12 would be more than there are
  EXPECT_EQ(s.cluster.nics_per_node, 8);
  EXPECT_DOUBLE_EQ(s.cluster.nvlink.bandwidth_Bps, 450e9);
  EXPECT_TRUE(s.cluster.nvlink_sharp);
  EXPECT_EQ(s.faults.preset, "rsc-1");
  EXPECT_EQ(s.schemes[0].name, "checkpoint_restart");
  EXPECT_EQ(s.run.replicas, 100);
}

}  // namespace
}  // namespace toposim::sim
