// The bottleneck fidelity per phase: one phase of many data-parallel rings, afresh and as a difference, and planning.
// 16,384 GPUs as 128 replicas of 128 GPUs: 128 rings of 128 members, each a GPU per node, 16,384 flows.
// (The flow fidelity: flow_bench.cpp.)
#include <benchmark/benchmark.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/collectives/collective.hpp"
#include "sim/fabric/bottleneck_prepared.hpp"

namespace {

using namespace toposim;

topology::ClusterSpec eight_gpu_nodes(std::int64_t gpus) {
  topology::ClusterSpec spec;
  spec.nodes = gpus / 8;
  spec.nvlink.latency_s = 0.25e-6;
  return spec;
}

/// A replica fills 16 nodes; its peers are found at the same place of every 16th node after.
sim::CollectiveRequest data_parallel_rings(const topology::Cluster& cluster) {
  constexpr std::uint32_t replica_gpus = 128;
  sim::CollectiveRequest request{sim::CollectiveKind::all_reduce, {}, 1e9};
  request.groups.resize(replica_gpus);
  for (std::uint32_t gpu = 0; gpu < cluster.gpu_count(); ++gpu) request.groups[gpu % replica_gpus].push_back(gpu);
  return request;
}

struct Rings {
  explicit Rings(std::int64_t gpus)
      : cluster(topology::build_cluster(eight_gpu_nodes(gpus))),
        router(cluster),
        request(data_parallel_rings(cluster)),
        phase(sim::plan(request, sim::Algorithm::ring, cluster, sim::LatencySpec{}).phases.at(0)) {}
  topology::Cluster cluster;
  topology::Router router;
  sim::CollectiveRequest request;
  sim::Phase phase;

  topology::FabricState dead_spine(std::uint32_t spine) const {
    topology::FabricState state;
    state.take_down(cluster, cluster.spine(spine % cluster.spine_count()));
    return state;
  }
};

void bottleneck_afresh(benchmark::State& bench, bool broken) {
  const Rings rings(bench.range(0));
  const auto model = sim::make_bottleneck_model(rings.router);
  const topology::FabricState state = broken ? rings.dead_spine(3) : topology::FabricState{};
  for (auto _ : bench) benchmark::DoNotOptimize(model->solve(rings.phase, state));
}
BENCHMARK_CAPTURE(bottleneck_afresh, healthy, false)->Arg(16384)->Arg(131072)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(bottleneck_afresh, dead_spine, true)->Arg(16384)->Arg(131072)->Unit(benchmark::kMicrosecond);

void prepare(benchmark::State& bench) {
  const Rings rings(bench.range(0));
  for (auto _ : bench) benchmark::DoNotOptimize(sim::PreparedPhase(rings.router, rings.phase));
}
BENCHMARK(prepare)->Arg(16384)->Arg(131072)->Unit(benchmark::kMillisecond);

void incremental_dead_spine(benchmark::State& bench) {
  const Rings rings(bench.range(0));
  const sim::PreparedPhase prepared(rings.router, rings.phase);
  std::vector<topology::FabricState> states;
  for (std::uint32_t spine = 0; spine < 8; ++spine) states.push_back(rings.dead_spine(spine));
  std::size_t i = 0;
  for (auto _ : bench) benchmark::DoNotOptimize(sim::solve_incremental(prepared, states[i++ % states.size()]));
}
BENCHMARK(incremental_dead_spine)->Arg(16384)->Arg(131072)->Unit(benchmark::kMicrosecond);

void incremental_slow_uplink(benchmark::State& bench) {
  const Rings rings(bench.range(0));
  const sim::PreparedPhase prepared(rings.router, rings.phase);
  topology::FabricState state;
  state.set_cable(rings.cluster, rings.cluster.cables(topology::LinkKind::uplink).at(7), 0.5);
  for (auto _ : bench) benchmark::DoNotOptimize(sim::solve_incremental(prepared, state));
}
BENCHMARK(incremental_slow_uplink)->Arg(16384)->Arg(131072)->Unit(benchmark::kMicrosecond);

/// One replica missing and a GPU of it dead: two flows of each of the 128 rings leave, one comes, and every hop carries
/// a little less.
void incremental_missing_replica(benchmark::State& bench) {
  const Rings rings(bench.range(0));
  const sim::PreparedPhase prepared(rings.router, rings.phase);
  const auto n = static_cast<std::uint32_t>(rings.request.groups.front().size());
  std::vector<topology::FabricState> states;
  std::vector<sim::MembershipDelta> deltas;
  for (std::uint32_t replica = 1; replica < n; replica += n / 8) {
    topology::FabricState& state = states.emplace_back();
    state.take_down(rings.cluster, rings.request.groups.front()[replica]);
    sim::MembershipDelta& delta = deltas.emplace_back();
    delta.byte_scale = (n - 2.0) / (n - 1.0) / ((n - 1.0) / n);
    delta.rounds = 2 * (n - 2.0);
    for (std::uint32_t ring = 0; ring < rings.request.groups.size(); ++ring) {  // flow i of a ring: member i to i + 1
      const std::uint32_t in = ring * n + replica - 1, out = ring * n + replica;
      delta.removed.insert(delta.removed.end(), {in, out});
      const sim::Flow& before = rings.phase.flows[in];
      delta.added.push_back({before.src, rings.phase.flows[out].dst, before.bytes * delta.byte_scale, before.label});
    }
  }
  std::size_t i = 0;
  for (auto _ : bench) {
    const std::size_t pick = i++ % states.size();
    benchmark::DoNotOptimize(sim::solve_incremental(prepared, states[pick], deltas[pick]));
  }
}
BENCHMARK(incremental_missing_replica)->Arg(16384)->Arg(131072)->Unit(benchmark::kMicrosecond);

/// One hierarchical all-reduce over all GPUs, planned and priced by the bottleneck; and the choice among all
/// algorithms.
void all_reduce(benchmark::State& bench, sim::Algorithm algorithm) {
  const topology::Cluster cluster = topology::build_cluster(eight_gpu_nodes(bench.range(0)));
  const topology::Router router(cluster);
  const auto model = sim::make_bottleneck_model(router);
  std::vector<topology::VertexId> everyone(cluster.gpu_count());
  std::iota(everyone.begin(), everyone.end(), 0);
  const sim::CollectiveRequest request{sim::CollectiveKind::all_reduce, {everyone}, 1e9};
  for (auto _ : bench)
    benchmark::DoNotOptimize(sim::run_collective(request, algorithm, cluster, sim::LatencySpec{}, *model, {}));
}
BENCHMARK_CAPTURE(all_reduce, hierarchical, sim::Algorithm::hierarchical)
    ->Arg(16384)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_reduce, automatic, sim::Algorithm::automatic)->Arg(16384)->Unit(benchmark::kMillisecond);

}  // namespace
