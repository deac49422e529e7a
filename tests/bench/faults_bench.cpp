// Drawing the faults of one run: 54 days of a 16,384-GPU machine at the rates of Llama 3 (arXiv 2407.21783, Table 5).
#include <benchmark/benchmark.h>

#include "faults/fault_timeline.hpp"

namespace {

using namespace toposim::faults;

constexpr double day_s = 86400;

FaultClassSpec fault_class(const char* name, Component component, double count, double components) {
  FaultClassSpec c;
  c.name = name;
  c.component = component;
  c.mtbf_s = components * 54 * day_s / count;
  c.repair = {RepairShape::lognormal, 155.4 * 3600, 2.11};
  return c;
}

// 40,000 components: 17,600 GPUs, as many access cables, 4,799 nodes, the job. The four classes carry all 419 faults of
// Table 5, and the simulated machine has as many of each component as the counts are spread over.
FaultModel llama3_model(Shape shape) {
  FaultSpec spec;
  spec.classes = {fault_class("gpu", Component::gpu, 268, 17'600),
                  fault_class("cable", Component::access_cable, 42, 17'600),
                  fault_class("node", Component::node, 46, 4'799), fault_class("software", Component::job, 63, 1)};
  for (FaultClassSpec& c : spec.classes) {
    c.shape = shape;
    c.weibull_k = 0.7;
  }
  spec.classes[3].repair = {RepairShape::constant, 1, 0};
  return {spec, {17'600, 17'600, 4'799, 1}};
}

void draw(benchmark::State& state, Shape shape) {
  const FaultModel model = llama3_model(shape);
  std::uint32_t run = 0;
  std::size_t events = 0;
  for (auto _ : state) events += model.draw(1, run++, static_cast<std::int64_t>(54 * day_s * 1e9)).size();
  state.counters["components"] = static_cast<double>(model.total_components());
  state.counters["faults"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kAvgIterations);
}
BENCHMARK_CAPTURE(draw, exponential_40000, Shape::exponential)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw, weibull_40000, Shape::weibull)->Unit(benchmark::kMillisecond);

}  // namespace
