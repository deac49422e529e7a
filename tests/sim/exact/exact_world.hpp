#pragma once
// 64 GPUs in eight nodes, two spares, leaves of four nodes: a job small enough to run flow by flow.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sim/exact/exact_run.hpp"
#include "sim/lifecycle/lifecycle.hpp"
#include "sim/schemes/make_scheme.hpp"
#include "sim/step/step_costs.hpp"

namespace toposim::sim {

inline std::int64_t seconds(double s) {
  return std::llround(s * 1e9);
}

inline topology::ClusterSpec ten_nodes() {
  topology::ClusterSpec spec;
  spec.nodes = 8;
  spec.spares = 2;
  spec.nodes_per_leaf = 4;
  spec.nvlink = {400e9, 1e-6};
  spec.pcie = {1e12, 0};
  spec.access = {50e9, 1e-6};
  spec.uplink = {50e9, 1e-6};
  return spec;
}

/// TP 8 inside the node, DP 8 over nodes: a step computes for a second and reduces gradients over eight rail rings.
inline JobSpec eight_replicas() {
  JobSpec job;
  job.model.name = "small";
  job.model.layers = 16, job.model.hidden = 8192, job.model.heads = 64, job.model.kv_heads = 64;
  job.model.ffn_hidden = 32768, job.model.vocabulary = 32768, job.model.sequence = 2048;
  job.model.tied_embedding = true;
  job.layout.tensor = 8, job.layout.data = 8;
  job.global_batch = 64;
  job.compute_time_s = 1;
  job.zero_stage = 0;
  job.data_overlap = 0;
  job.latency = by_hand();
  return job;
}

inline GpuSpec some_gpu() {
  GpuSpec gpu;
  gpu.name = "h100";
  gpu.memory_bytes = 80e9, gpu.memory_bandwidth_Bps = 3.35e12, gpu.bf16_flops = 989.4e12, gpu.nvlink_Bps = 450e9;
  return gpu;
}

/// detect 30, reallocate 60, comm-init 10, load 40, catch-up 7 s; a checkpoint every 20 steps.
inline SchemeSpec restart_spec() {
  SchemeSpec spec;
  spec.recovery = {
      .detect_s = 30, .quorum_s = 5, .reallocate_s = 60, .comm_init_s = 10, .comm_init_per_rank_s = 0, .catch_up_s = 7};
  spec.checkpoint.interval_rule = CheckpointSpec::Interval::fixed;
  spec.checkpoint.write = CheckpointSpec::Write::blocking;
  spec.checkpoint.write_s = 3;
  spec.checkpoint.load_s = 40;
  return spec;
}

struct ExactWorld {
  topology::Cluster cluster;
  topology::Router router;
  topology::Placement placement;
  StepModel step_model;
  JobMap map;
  MemoisedStepCosts costs;
  std::unique_ptr<Scheme> scheme;

  explicit ExactWorld(const JobSpec& job, SchemeSpec spec = restart_spec(),
                      const topology::ClusterSpec& cluster_spec = ten_nodes())
      : cluster(topology::build_cluster(cluster_spec)),
        router(cluster),
        placement(cluster, job.layout),
        step_model(job, some_gpu(), router, placement),
        map(cluster, placement),
        costs(step_model) {
    const std::int64_t step_ns = costs.step_time_ns(StepState{});
    spec.checkpoint.interval_s = 20e-9 * static_cast<double>(step_ns);
    SchemeContext context{cluster_spec, job.layout, topology::Domains(8, {8}), state_bytes(job)};
    context.step_time_ns = step_ns;
    scheme = make_scheme(spec, context);
  }

  std::int64_t step_ns() { return costs.step_time_ns(StepState{}); }
  ExactResult exact(const Outages& outages, std::int64_t steps) const {
    return exact_run(router, placement, step_model, map, *scheme, outages, steps);
  }
  LifecycleResult fast(const Outages& outages) { return simulate(map, *scheme, outages, costs); }
  topology::ArcId uplink(std::uint32_t leaf, std::uint32_t spine) const {
    return cluster.arcs_between(cluster.leaf(leaf), cluster.spine(spine)).first;
  }
};

/// Faults written down one by one, in seconds; each knows its horizon only when asked for outages.
class FaultList {
 public:
  explicit FaultList(const topology::Cluster& cluster) : cluster_(cluster) {}

  FaultList& node(double start_s, double repair_s, std::uint32_t node) {
    faults_.push_back({start_s, repair_s, false, {node}, {}, {}});
    return *this;
  }
  FaultList& job(double start_s) {
    faults_.push_back({start_s, 1, true, {}, {}, {}});
    return *this;
  }
  FaultList& cable(double start_s, double repair_s, topology::ArcId up, double factor) {
    faults_.push_back({start_s, repair_s, false, {}, {{up, cluster_.arc(up).reverse, factor}}, {}});
    return *this;
  }
  FaultList& slow(double start_s, double repair_s, std::uint32_t node, double speed) {
    faults_.push_back({start_s, repair_s, false, {}, {}, {{node, speed}}});
    return *this;
  }
  Outages until(std::int64_t horizon_ns) const {
    Outages outages(horizon_ns);
    for (const One& f : faults_)
      outages.add(seconds(f.start_s), seconds(f.repair_s), {0, f.stops_job, false, f.nodes, f.cables, f.slow});
    outages.sort();
    return outages;
  }

 private:
  struct One {
    double start_s, repair_s;
    bool stops_job;
    std::vector<std::uint32_t> nodes;
    std::vector<Outages::Cable> cables;
    std::vector<Outages::SlowNode> slow;
  };
  const topology::Cluster& cluster_;
  std::vector<One> faults_;
};

inline const std::int64_t far_ns = seconds(1e6);

/// When the fast path has kept so many steps, searched near a guess.
inline std::int64_t fast_time_to(ExactWorld& world, const FaultList& faults, std::int64_t steps, std::int64_t near_ns) {
  std::int64_t low = near_ns - near_ns / 50, high = near_ns + near_ns / 50;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (world.fast(faults.until(middle)).kept_steps >= steps ? high : low) = middle;
  }
  return high;
}

}  // namespace toposim::sim
