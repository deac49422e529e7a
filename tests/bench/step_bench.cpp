// What a step costs to price: Llama 3 405B on 16,384 GPUs (TP 8, PP 16, 128 replicas) and the same eight times over.
#include <benchmark/benchmark.h>

#include "sim/step/step_model.hpp"

namespace {

using namespace toposim;
using namespace toposim::sim;

JobSpec job_of(std::int64_t replicas) {
  JobSpec job;
  job.model.layers = 126, job.model.hidden = 16384, job.model.heads = 128, job.model.kv_heads = 8;
  job.model.ffn_hidden = 53248, job.model.vocabulary = 128256, job.model.sequence = 8192, job.model.gated_ffn = true;
  job.layout.tensor = 8, job.layout.pipeline = 16, job.layout.data = replicas;
  job.virtual_pipeline = 4, job.global_batch = 16 * replicas, job.compute_efficiency = 0.6;
  return job;
}

GpuSpec gpu() {
  GpuSpec g;
  g.name = "h100", g.memory_bytes = 80e9, g.memory_bandwidth_Bps = 3.35e12, g.bf16_flops = 989.4e12;
  return g;
}

struct World {
  JobSpec job;
  topology::Cluster cluster;
  topology::Router router;
  topology::Placement placement;
  explicit World(std::int64_t replicas)
      : job(job_of(replicas)),
        cluster(topology::build_cluster(spec(replicas))),
        router(cluster),
        placement(cluster, job.layout) {}
  static topology::ClusterSpec spec(std::int64_t replicas) {
    topology::ClusterSpec s;
    s.nodes = replicas * 16;
    s.nvlink_sharp = true;
    return s;
  }
};

void prepare(benchmark::State& state) {
  const World world(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(StepModel(world.job, gpu(), world.router, world.placement));
}
BENCHMARK(prepare)->Arg(128)->Arg(1024)->Unit(benchmark::kMillisecond);

enum class Broken { one_replica, two_replicas, spine, uplink, replica_and_spine };

StepState broken_state(const World& world, Broken what) {
  StepState state;
  if (what == Broken::one_replica || what == Broken::replica_and_spine) state.missing_replicas = {17};
  if (what == Broken::two_replicas) state.missing_replicas = {17, 90};
  if (what == Broken::spine || what == Broken::replica_and_spine) {
    state.fabric.take_down(world.cluster, world.cluster.spine(3));
  }
  if (what == Broken::uplink) {
    state.fabric.set_cable(world.cluster, world.cluster.cable(topology::LinkKind::uplink, 5), 0);
  }
  return state;
}

void incremental(benchmark::State& state, Broken what) {
  const World world(128);
  const StepModel model(world.job, gpu(), world.router, world.placement);
  const StepState broken = broken_state(world, what);
  for (auto _ : state) benchmark::DoNotOptimize(model.step_incremental(broken));
}
BENCHMARK_CAPTURE(incremental, one_replica, Broken::one_replica)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(incremental, two_replicas, Broken::two_replicas)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(incremental, spine, Broken::spine)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(incremental, uplink, Broken::uplink)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(incremental, replica_and_spine, Broken::replica_and_spine)->Unit(benchmark::kMicrosecond);

void full(benchmark::State& state, bool by_flow) {
  const World world(128);
  const StepModel model(world.job, gpu(), world.router, world.placement);
  const auto fabric = by_flow ? make_flow_model(world.router) : make_bottleneck_model(world.router);
  const StepState broken = broken_state(world, Broken::replica_and_spine);
  for (auto _ : state) benchmark::DoNotOptimize(model.step(broken, *fabric));
}
BENCHMARK_CAPTURE(full, bottleneck, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(full, flow, true)->Unit(benchmark::kMillisecond);

}  // namespace
