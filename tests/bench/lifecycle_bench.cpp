// 54 days of 16,384 GPUs under each scheme, once faults are drawn and step costs known: target 0.25 CPU ms a run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "sim/lifecycle/lifecycle.hpp"
#include "sim/schemes/make_scheme.hpp"

namespace {

using namespace toposim;
using namespace toposim::sim;

/// 128 replicas of 16 nodes of 8 GPUs, 64 spares; Llama 3's 466 interruptions in 54 days (arXiv 2407.21783, table 5):
/// 419 unplanned, 63 of them of the whole job, 47 planned.
struct Study {
  static constexpr std::uint32_t replicas = 128, nodes_each = 16, spares = 64;
  static constexpr std::int64_t horizon_ns = 54LL * 86400 * 1'000'000'000;

  Study() : job(spares, slots()), context{cluster(), layout(), topology::Domains(replicas, {12}), bytes()} {
    context.step_time_ns = 4'000'000'000;
    context.stop_mtti_s = 3.093 * 3600;
    context.restart_mtti_s = 54.0 * 86400 / 63;
    faults::FaultClassSpec node, software, maintenance;
    node.name = "node";
    node.mtbf_s = 54.0 * 86400 * (replicas * nodes_each) / (419 - 63);
    node.repair = {faults::RepairShape::lognormal, 86400, 1};
    maintenance = node;
    maintenance.name = "maintenance";
    maintenance.planned = true;
    maintenance.mtbf_s = 54.0 * 86400 * (replicas * nodes_each) / 47;
    software.name = "software";
    software.component = faults::Component::job;
    software.mtbf_s = 54.0 * 86400 / 63;
    software.repair = {faults::RepairShape::constant, 1, 0};
    const std::uint32_t nodes = replicas * nodes_each + spares;
    const faults::FaultModel model(faults::FaultSpec{"", {node, software, maintenance}},
                                   std::vector<std::uint32_t>{nodes, 1, nodes});
    for (std::uint32_t run = 0; run < 64; ++run) {
      Outages outages(horizon_ns);
      for (const auto& f : model.draw(1, run, horizon_ns)) {
        const std::vector<std::uint32_t> down{f.component};
        if (f.fault_class == 1)
          outages.add(f.start_ns, f.repair_ns, {1, true, false, {}, {}, {}});
        else
          outages.add(f.start_ns, f.repair_ns, {f.fault_class, false, f.fault_class == 2, down, {}, {}});
      }
      outages.sort();
      runs.push_back(std::move(outages));
    }
  }

  static std::vector<std::vector<std::uint32_t>> slots() {
    std::vector<std::vector<std::uint32_t>> list;
    for (std::uint32_t slot = 0; slot < replicas * nodes_each; ++slot) list.push_back({slot / nodes_each});
    return list;
  }
  static topology::ClusterSpec cluster() {
    topology::ClusterSpec spec;
    spec.nodes = replicas * nodes_each;
    spec.spares = spares;
    return spec;
  }
  static topology::ParallelLayout layout() {
    topology::ParallelLayout l;
    l.tensor = 8;
    l.pipeline = 16;
    l.data = replicas;
    return l;
  }
  static StateBytes bytes() { return {405e9 * 14, 405e9 * 2, 5e6, 0}; }

  JobMap job;
  SchemeContext context;
  std::vector<Outages> runs;
};

class KnownCosts final : public StepCostModel {
 public:
  std::int64_t step_time_ns(const StepState& state) override {
    return 4'000'000'000 + static_cast<std::int64_t>(state.missing_replicas.size());
  }
};

void lifecycle(benchmark::State& state, SchemeKind kind) {
  static const Study study;
  SchemeSpec spec;
  spec.kind = kind;
  const auto scheme = make_scheme(spec, study.context);
  KnownCosts costs;
  std::size_t run = 0;
  std::int64_t faults = 0;
  double ettr_sum = 0;
  for (auto _ : state) {
    const LifecycleResult r = simulate(study.job, *scheme, study.runs[run++ % study.runs.size()], costs);
    benchmark::DoNotOptimize(r);
    faults += r.faults;
    ettr_sum += ettr(r);
  }
  state.counters["faults"] = benchmark::Counter(static_cast<double>(faults), benchmark::Counter::kAvgIterations);
  state.counters["ettr"] = benchmark::Counter(ettr_sum, benchmark::Counter::kAvgIterations);
}

BENCHMARK_CAPTURE(lifecycle, checkpoint_restart, SchemeKind::checkpoint_restart)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(lifecycle, drop_replica, SchemeKind::drop_replica)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(lifecycle, compensate, SchemeKind::compensate)->Unit(benchmark::kMicrosecond);

}  // namespace
