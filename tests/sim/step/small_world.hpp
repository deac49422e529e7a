#pragma once
// A job on a small rail-optimised fabric whose times come out by hand: wires only, no software latency.
#include <memory>

#include "presets.hpp"
#include "sim/step/step_model.hpp"

namespace toposim::sim {

/// NVLink 400 GB/s and 1 us a hop, NICs and cables 50 GB/s and 1 us; two leaf groups of 4 nodes unless said otherwise.
inline topology::ClusterSpec small_cluster(std::int64_t nodes) {
  topology::ClusterSpec spec;
  spec.nodes = nodes;
  spec.nodes_per_leaf = 4;
  spec.nvlink = {400e9, 1e-6};
  spec.pcie = {1e12, 0};
  spec.access = {50e9, 1e-6};
  spec.uplink = {50e9, 1e-6};
  return spec;
}

/// 4 layers of hidden size 4096, sequence 2048: s b h x 2 bytes = 16,777,216 for one sequence.
inline ModelSpec small_model() {
  ModelSpec m;
  m.name = "small";
  m.layers = 4, m.hidden = 4096, m.heads = 32, m.kv_heads = 32, m.ffn_hidden = 16384;
  m.vocabulary = 32768, m.sequence = 2048, m.tied_embedding = true;
  return m;
}

/// A step that computes for 0.8 s in 8 micro-batches; nothing hidden.
inline JobSpec small_job(std::int64_t tensor, std::int64_t pipeline, std::int64_t data) {
  JobSpec job;
  job.model = small_model();
  job.layout.tensor = tensor, job.layout.pipeline = pipeline, job.layout.data = data;
  job.global_batch = 8 * data;
  job.compute_time_s = 0.8;
  job.tensor_overlap = job.data_overlap = job.pipeline_overlap = 0;
  job.latency = by_hand();
  return job;
}

struct SmallWorld {
  topology::Cluster cluster;
  topology::Router router;
  topology::Placement placement;
  StepModel model;

  SmallWorld(const JobSpec& job, const topology::ClusterSpec& spec)
      : cluster(topology::build_cluster(spec)),
        router(cluster),
        placement(cluster, job.layout),
        model(job, h100(), router, placement) {}
  SmallWorld(const JobSpec& job, std::int64_t nodes) : SmallWorld(job, small_cluster(nodes)) {}

  StepBreakdown healthy() const { return model.step_incremental(StepState{}); }
  StepBreakdown fast(const StepState& state) const { return model.step_incremental(state); }
  StepBreakdown full(const StepState& state) const { return model.step(state, *make_bottleneck_model(router)); }
};

inline double exposed_sum_s(const StepBreakdown& b) {
  return b.compute_s + b.tensor_parallel_s + b.pipeline_bubble_s + b.pipeline_transfer_s + b.expert_parallel_s +
         b.context_parallel_s + b.data_parallel_s + b.optimizer_s + b.straggler_wait_s;
}

}  // namespace toposim::sim
