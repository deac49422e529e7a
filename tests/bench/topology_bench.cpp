// Building the cluster graph and routing over it.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <sys/resource.h>

#include "topology/cluster.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim::topology;

// 512-node pods of 32-node leaf groups joined by cores, 8 GPUs a node.
ClusterSpec rail_fabric(std::int64_t gpus) {
  ClusterSpec spec;
  spec.nodes = gpus / 8;
  spec.nodes_per_leaf = 32;
  spec.nodes_per_pod = 512;
  return spec;
}

double heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

double peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// Target: 131,072 GPUs in 0.5 s and 100 MB.
void BM_Build(benchmark::State& state) {
  const ClusterSpec spec = rail_fabric(state.range(0));
  double held = 0;
  for (auto _ : state) {
    const double before = heap_bytes();
    const Cluster cluster = build_cluster(spec);
    held = heap_bytes() - before;
    benchmark::DoNotOptimize(&cluster);
  }
  state.counters["held_MB"] = held / 1e6;
  state.counters["estimated_peak_MB"] = estimated_bytes(spec) / 1e6;
  state.counters["process_peak_MB"] = peak_rss_bytes() / 1e6;
}
BENCHMARK(BM_Build)->Arg(16'384)->Arg(131'072)->Unit(benchmark::kMillisecond);

enum Breakage { healthy, one_cable, one_spine };

// One flow per GPU to the same rail `shift` nodes on; time per route.
void BM_Route(benchmark::State& state) {
  ClusterSpec spec = rail_fabric(state.range(0));
  spec.routing = state.range(2) == 0 ? RoutingMode::adaptive : RoutingMode::ecmp;
  const Cluster cluster = build_cluster(spec);
  const Router router(cluster);
  FabricState fabric;
  if (state.range(3) == one_cable) fabric.set_cable(cluster, cluster.cable(LinkKind::uplink, 0), 0);
  if (state.range(3) == one_spine) fabric.take_down(cluster, cluster.spine(31));
  const auto shift = static_cast<std::uint32_t>(state.range(1)) * cluster.gpus_per_node();
  std::vector<ArcId> route;
  for (auto _ : state) {
    for (VertexId src = 0; src < cluster.gpu_count(); ++src) {
      const VertexId dst = src + shift < cluster.gpu_count() ? src + shift : src + shift - cluster.gpu_count();
      route.clear();
      router.append_route(src, dst, 0, fabric, route);
      benchmark::DoNotOptimize(route.data());
    }
  }
  state.counters["s_per_route"] =
      benchmark::Counter(static_cast<double>(cluster.gpu_count()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_Route)
    ->ArgNames({"gpus", "shift", "ecmp", "broken"})
    ->Args({16'384, 1, 0, healthy})
    ->Args({16'384, 16, 0, healthy})
    ->Args({16'384, 512, 0, healthy})
    ->Args({16'384, 512, 1, healthy})
    ->Args({16'384, 16, 0, one_cable})
    ->Args({16'384, 16, 0, one_spine})
    ->Args({16'384, 16, 1, one_spine})
    ->Args({131'072, 512, 0, healthy})
    ->Unit(benchmark::kMillisecond);

}  // namespace
