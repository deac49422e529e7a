// Gradients of virtual workers, CPU time of one core. Beside them what Eigen's product reaches on matrices of the
// transformer's sizes and on large ones, in the same run: GFLOP/s.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <Eigen/Core>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/workloads/optimizer.hpp"
#include "sim/workloads/workload.hpp"

namespace {

using namespace toposim::workloads;

constexpr std::size_t chunk = 32;  // workers a call

const Workload& workload(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Workload>> made;
  auto& slot = made[name];
  if (!slot) slot = make_workload(name);
  return *slot;
}

/// A step of so many workers, a chunk at a time: the chunk's gradients are added up and overwritten by the next.
void step(benchmark::State& state, const char* name) {
  const Workload& w = workload(name);
  const auto workers = static_cast<std::size_t>(state.range(0)), batch = static_cast<std::size_t>(state.range(1));
  const auto parameters = w.initial_parameters(1);
  const std::size_t n = w.parameter_count();
  const auto pass = w.make_pass(chunk, batch);
  std::vector<float> gradients(chunk * n), sum(n);
  std::vector<double> losses(chunk);
  std::vector<std::uint32_t> samples(chunk * batch);
  std::uint64_t number = 0;
  for (auto _ : state) {
    for (std::size_t first = 0; first < workers; first += chunk) {
      for (auto& sample : samples) sample = static_cast<std::uint32_t>(number++ * 7919 % w.sample_count());
      pass->run(parameters, samples, {1, number}, gradients, n, losses);
      for (std::size_t k = 0; k < chunk; ++k)
        for (std::size_t i = 0; i < n; ++i) sum[i] += gradients[k * n + i];
    }
    benchmark::DoNotOptimize(sum.data());
  }
  const double done = static_cast<double>(state.iterations()) * static_cast<double>(workers);
  state.counters["worker"] = benchmark::Counter(done, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["FLOP"] =
      benchmark::Counter(done * static_cast<double>(batch) * w.flops_per_sample(), benchmark::Counter::kIsRate);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void evaluation(benchmark::State& state, const char* name) {
  const Workload& w = workload(name);
  const auto parameters = w.initial_parameters(1);
  for (auto _ : state) benchmark::DoNotOptimize(w.evaluate(parameters).loss);
}

void adam(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<float> parameters(n, 1), gradient(n, 0.5f);
  AdamState optimizer = adam_state(n);
  for (auto _ : state) adam_step({}, 1e-3, gradient, optimizer, parameters);
}

/// rows x inner times inner x columns.
void eigen_product(benchmark::State& state) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix a = Matrix::Constant(state.range(0), state.range(1), 0.5f);
  const Matrix b = Matrix::Constant(state.range(1), state.range(2), 0.25f);
  Matrix c(state.range(0), state.range(2));
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
  }
  const double flop = 2.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(2));
  state.counters["FLOP"] =
      benchmark::Counter(flop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK(eigen_product)
    ->Args({1024, 1024, 1024})
    ->Args({128, 48, 192})
    ->Args({48, 64, 192})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, fashion_mlp, "fashion-mlp")->Args({1024, 8})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, fashion_diffusion, "fashion-diffusion")->Args({1024, 8})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, wordnet_gpt, "wordnet-gpt")->Args({1024, 1})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, wordnet_gpt_10k, "wordnet-gpt")
    ->Args({10'016, 1})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step, wordnet_moe, "wordnet-moe")->Args({1024, 1})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluation, fashion_mlp, "fashion-mlp")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(evaluation, wordnet_gpt, "wordnet-gpt")->Unit(benchmark::kMillisecond);
BENCHMARK(adam)->Arg(65'856)->Unit(benchmark::kMicrosecond);

}  // namespace
