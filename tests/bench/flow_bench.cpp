// The flow fidelity: one hierarchical all-reduce of a gigabyte (NVLink reduce-scatter, eight rail rings, NVLink
// all-gather), each phase solved afresh. `peak_MB` is the peak memory of the process so far, `built_MB` what it was
// before the first solve: run one size per process (--benchmark_filter) to read them.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "flow_phases.hpp"
#include "sim/fabric/fabric_model.hpp"

namespace {

using namespace toposim;

double peak_MB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

double all_reduce_s(sim::FabricModel& model, const topology::Cluster& cluster, const topology::FabricState& state) {
  const double nvlink_s = 2 * model.solve(sim::nvlink_phase(cluster, 1e9), state).total_s();
  return nvlink_s + model.solve(sim::rail_rings(cluster, 1e9), state).total_s();
}

void hierarchical_all_reduce(benchmark::State& bench, bool dead_spine) {
  const topology::Cluster cluster = build_cluster(sim::eight_gpu_nodes(bench.range(0) / 8));
  const topology::Router router(cluster);
  const auto model = sim::make_flow_model(router);
  topology::FabricState state;
  if (dead_spine) state.take_down(cluster, cluster.spine(3));
  const double built_MB = peak_MB();
  for (auto _ : bench) benchmark::DoNotOptimize(all_reduce_s(*model, cluster, state));
  bench.counters["all_reduce_ms"] = 1e3 * all_reduce_s(*model, cluster, state);
  bench.counters["built_MB"] = built_MB;
  bench.counters["peak_MB"] = peak_MB();
}
BENCHMARK_CAPTURE(hierarchical_all_reduce, healthy, false)
    ->Arg(1024)
    ->Arg(10240)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(hierarchical_all_reduce, dead_spine, true)
    ->Arg(10240)
    ->Arg(131072)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

/// The same with the building of the cluster.
void from_nothing(benchmark::State& bench) {
  for (auto _ : bench) {
    const topology::Cluster cluster = build_cluster(sim::eight_gpu_nodes(bench.range(0) / 8));
    const topology::Router router(cluster);
    benchmark::DoNotOptimize(all_reduce_s(*sim::make_flow_model(router), cluster, {}));
  }
  bench.counters["peak_MB"] = peak_MB();
}
BENCHMARK(from_nothing)->Arg(10240)->Arg(131072)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
