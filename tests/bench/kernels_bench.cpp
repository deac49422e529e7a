// The estimation kernels on a CPU, on data far larger than its caches, against what its memory can do: %STREAM is the
// kernel's traffic over STREAM's (read for kernels that only read, triad for those that write), 1 and 2 threads.
// STREAM runs after every iteration and the median ratio counts, so that others on the machine slow both.
// Beside them the same work by OpenBLAS and Eigen.
#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "kernels/topokernels.h"
#include "stream.hpp"

#ifdef TOPOSIM_OPENBLAS
extern "C" {
void cblas_sgemv(int order, int trans, int m, int n, float alpha, const float* a, int lda, const float* x, int incx,
                 float beta, float* y, int incy);
void cblas_ssyrk(int order, int uplo, int trans, int n, int k, float alpha, const float* a, int lda, float beta,
                 float* c, int ldc);
void openblas_set_num_threads(int);
}
#endif

namespace {

using toposim::bench::Buffer;
using toposim::bench::Stream;
using toposim::bench::stream_Bps;

constexpr std::size_t total = std::size_t{1} << 27;  // 512 MiB of fp32 inputs

/// One block of memory, so that BLAS can take it as a matrix: inputs one after another.
Buffer& inputs() {
  static Buffer buffer(total);
  return buffer;
}
Buffer& output() {
  static Buffer buffer(total / 2);
  return buffer;
}

struct Workspace {
  std::vector<double> memory;
  tk_exec exec(int threads, std::size_t bytes) {
    memory.assign(bytes / 8 + 4, 0.0);
    auto start = reinterpret_cast<std::uintptr_t>(memory.data());
    start = (start + 15) / 16 * 16;
    return {TK_CPU, TK_ISA_BEST, threads, nullptr, reinterpret_cast<void*>(start), bytes};
  }
};

void must(benchmark::State& state, tk_status status) {
  if (status != TK_OK) state.SkipWithError(tk_message());
}

/// What one call of a kernel does.
struct Work {
  double bytes, elements;
  Stream stream;
  int threads;
};

template <class Kernel>
void against_stream(benchmark::State& state, const Work& work, const Kernel& kernel) {
  std::vector<double> ratios;
  kernel();
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    kernel();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    benchmark::ClobberMemory();
    state.SetIterationTime(took.count());
    ratios.push_back(work.bytes / took.count() / stream_Bps(work.stream, work.threads));
  }
  const auto iterations = static_cast<double>(state.iterations());
  using benchmark::Counter;
  state.counters["GB/s"] = Counter(work.bytes * iterations * 1e-9, Counter::kIsRate);
  state.counters["Gelements/s"] = Counter(work.elements * iterations * 1e-9, Counter::kIsRate);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  state.counters["%STREAM"] = 100 * *middle;
}

std::vector<tk_vector> vectors(std::size_t count, std::size_t elements, std::size_t element_bytes,
                               const float* scales = nullptr) {
  std::vector<tk_vector> list;
  auto* start = reinterpret_cast<const char*>(inputs().data());
  for (std::size_t i = 0; i < count; ++i) list.push_back({start + i * elements * element_bytes, scales});
  return list;
}

std::size_t bytes_of(tk_type type) {
  return type == TK_FP32 ? 4 : type == TK_BF16 ? 2 : 1;
}

// All inputs together are 512 MiB whatever their type and number.
std::size_t elements_each(std::size_t count, tk_type type) {
  return total * 4 / count / bytes_of(type) / 4096 * 4096;
}

void stream(benchmark::State& state, Stream kind, int threads) {
  const double bytes = 3.0 * sizeof(float) * static_cast<double>(toposim::bench::stream_count);
  against_stream(state, {bytes, bytes / 4, kind, threads}, [&] { stream_Bps(kind, threads); });
}

void pool(benchmark::State& state, tk_type type, std::size_t count, int threads) {
  const std::size_t n = elements_each(count, type) / 4 * 4;
  const Buffer scales(n / 128);
  const auto list = vectors(count, n, bytes_of(type), const_cast<Buffer&>(scales).data());
  const std::vector<float> weights(count, 0.125f);
  const std::size_t first[] = {0, count};
  if (n > output().count()) return state.SkipWithError("output too small");
  void* out[] = {output().data()};
  const tk_pool_args args{n, type, TK_FP32, 1, first, list.data(), weights.data(), 0, out};
  const tk_exec exec{TK_CPU, TK_ISA_BEST, threads, nullptr, nullptr, 0};
  const double elements = static_cast<double>(n * count);
  against_stream(
      state,
      {elements * static_cast<double>(bytes_of(type)) + 4.0 * static_cast<double>(n), elements, Stream::read, threads},
      [&] { must(state, tk_pool(&exec, &args)); });
}

void compare(benchmark::State& state, tk_type type, int threads) {
  const std::size_t n = elements_each(2, type);
  const Buffer scales(n / 128);
  const auto list = vectors(2, n, bytes_of(type), const_cast<Buffer&>(scales).data());
  tk_metrics_sums sums;
  const tk_metrics_args args{n, type, list[0], list[1], &sums};
  std::size_t bytes = 0;
  must(state, tk_compare_workspace(&args, &bytes));
  Workspace workspace;
  const tk_exec exec = workspace.exec(threads, bytes);
  against_stream(state,
                 {2.0 * static_cast<double>(n * bytes_of(type)), 2.0 * static_cast<double>(n), Stream::read, threads},
                 [&] { must(state, tk_compare(&exec, &args)); });
}

void pool_metrics(benchmark::State& state, std::size_t count, int threads) {
  const std::size_t n = elements_each(count + 1, TK_FP32);
  const auto list = vectors(count + 1, n, 4);
  const std::vector<float> weights(count, 0.125f);
  tk_metrics_sums sums;
  const tk_pool_metrics_args args{n, TK_FP32, count, list.data(), weights.data(), 0, list[count], &sums};
  std::size_t bytes = 0;
  must(state, tk_pool_metrics_workspace(&args, &bytes));
  Workspace workspace;
  const tk_exec exec = workspace.exec(threads, bytes);
  const double elements = static_cast<double>(n * (count + 1));
  against_stream(state, {4 * elements, elements, Stream::read, threads},
                 [&] { must(state, tk_pool_metrics(&exec, &args)); });
}

void scale(benchmark::State& state, tk_type type, int threads) {
  const std::size_t n = total * 4 / bytes_of(type);
  const tk_scale_args args{n, type, inputs().data(), 1.0f};
  const tk_exec exec{TK_CPU, TK_ISA_BEST, threads, nullptr, nullptr, 0};
  against_stream(state, {2.0 * static_cast<double>(n * bytes_of(type)), static_cast<double>(n), Stream::triad, threads},
                 [&] { must(state, tk_scale(&exec, &args)); });
}

void correct(benchmark::State& state, int threads) {
  const std::size_t n = total / 2;
  const auto list = vectors(2, n, 4);
  const tk_correct_args args{n, TK_FP32, TK_FP32, list[0], list[1], 0.5f, output().data()};
  const tk_exec exec{TK_CPU, TK_ISA_BEST, threads, nullptr, nullptr, 0};
  against_stream(state, {12.0 * static_cast<double>(n), static_cast<double>(n), Stream::triad, threads},
                 [&] { must(state, tk_correct(&exec, &args)); });
}

void gram(benchmark::State& state, std::size_t count, int threads) {
  const std::size_t n = elements_each(count, TK_FP32);
  const auto list = vectors(count, n, 4);
  std::vector<double> result(count * (count + 1) / 2);
  const tk_gram_args args{n, TK_FP32, count, list.data(), result.data()};
  std::size_t bytes = 0;
  must(state, tk_gram_workspace(&args, &bytes));
  Workspace workspace;
  const tk_exec exec = workspace.exec(threads, bytes);
  const double elements = static_cast<double>(n * count);
  against_stream(state, {4 * elements, elements, Stream::read, threads}, [&] { must(state, tk_gram(&exec, &args)); });
}

void sketch(benchmark::State& state, std::size_t width, int threads) {
  const std::size_t n = total;
  std::vector<float> result(width);
  const tk_sketch_args args{n, TK_FP32, {inputs().data(), nullptr}, width, 1, result.data()};
  std::size_t bytes = 0;
  must(state, tk_sketch_workspace(&args, &bytes));
  Workspace workspace;
  const tk_exec exec = workspace.exec(threads, bytes);
  against_stream(state, {4.0 * static_cast<double>(n), static_cast<double>(n), Stream::read, threads},
                 [&] { must(state, tk_sketch(&exec, &args)); });
}

void quantise(benchmark::State& state, int threads) {
  const std::size_t n = total;
  static std::vector<std::int8_t> q(total);
  static std::vector<float> scales(total / 128);
  const tk_quantise_args args{n, TK_FP32, inputs().data(), q.data(), scales.data()};
  const tk_exec exec{TK_CPU, TK_ISA_BEST, threads, nullptr, nullptr, 0};
  against_stream(state, {5.0 * static_cast<double>(n), static_cast<double>(n), Stream::triad, threads},
                 [&] { must(state, tk_quantise(&exec, &args)); });
}

void eigen_pool(benchmark::State& state, std::size_t count) {
  const std::size_t n = elements_each(count, TK_FP32);
  const Eigen::Map<Eigen::MatrixXf> g(inputs().data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(count));
  const Eigen::VectorXf a = Eigen::VectorXf::Constant(static_cast<Eigen::Index>(count), 0.125f);
  Eigen::Map<Eigen::VectorXf> out(output().data(), static_cast<Eigen::Index>(n));
  const double elements = static_cast<double>(n * count);
  against_stream(state, {4 * elements + 4.0 * static_cast<double>(n), elements, Stream::read, 1},
                 [&] { out.noalias() = g * a; });
}

#ifdef TOPOSIM_OPENBLAS
void blas_pool(benchmark::State& state, std::size_t count, int threads) {
  const std::size_t n = elements_each(count, TK_FP32);
  const std::vector<float> weights(count, 0.125f);
  openblas_set_num_threads(threads);
  const double elements = static_cast<double>(n * count);
  against_stream(state, {4 * elements + 4.0 * static_cast<double>(n), elements, Stream::read, threads}, [&] {
    cblas_sgemv(102, 111, static_cast<int>(n), static_cast<int>(count), 1, inputs().data(), static_cast<int>(n),
                weights.data(), 1, 0, output().data(), 1);
  });
}
void blas_gram(benchmark::State& state, std::size_t count, int threads) {
  const std::size_t n = elements_each(count, TK_FP32);
  std::vector<float> result(count * count);
  openblas_set_num_threads(threads);
  const double elements = static_cast<double>(n * count);
  against_stream(state, {4 * elements, elements, Stream::read, threads}, [&] {
    cblas_ssyrk(102, 122, 112, static_cast<int>(count), static_cast<int>(n), 1, inputs().data(), static_cast<int>(n), 0,
                result.data(), static_cast<int>(count));
  });
}
#endif

template <class... Arguments>
void add(const std::string& name, Arguments... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), arguments...)->Unit(benchmark::kMillisecond)->UseManualTime();
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (const int threads : {1, 2}) {
    const std::string t = "/threads:" + std::to_string(threads);
    add("kernels/stream_read" + t, stream, Stream::read, threads);
    add("kernels/stream_triad" + t, stream, Stream::triad, threads);
    for (const std::size_t count : {8, 16}) {
      const std::string k = "/K:" + std::to_string(count) + t;
      add("kernels/pool_fp32" + k, pool, TK_FP32, count, threads);
#ifdef TOPOSIM_OPENBLAS
      add("kernels/pool_fp32_openblas" + k, blas_pool, count, threads);
#endif
      if (threads == 1) add("kernels/pool_fp32_eigen" + k, eigen_pool, count);
      add("kernels/pool_bf16" + k, pool, TK_BF16, count, threads);
      add("kernels/pool_int8" + k, pool, TK_INT8, count, threads);
      add("kernels/pool_metrics_fp32" + k, pool_metrics, count, threads);
    }
    add("kernels/metrics_fp32" + t, compare, TK_FP32, threads);
    add("kernels/metrics_bf16" + t, compare, TK_BF16, threads);
    add("kernels/scale_fp32" + t, scale, TK_FP32, threads);
    add("kernels/scale_bf16" + t, scale, TK_BF16, threads);
    add("kernels/correct_fp32" + t, correct, threads);
    add("kernels/gram_fp32/K:16" + t, gram, std::size_t{16}, threads);
#ifdef TOPOSIM_OPENBLAS
    add("kernels/gram_fp32_openblas/K:16" + t, blas_gram, std::size_t{16}, threads);
#endif
    for (const std::size_t width : {256, 4096})
      add("kernels/sketch_fp32/width:" + std::to_string(width) + t, sketch, width, threads);
    add("kernels/quantise_fp32" + t, quantise, threads);
  }
  benchmark::RunSpecifiedBenchmarks();
}
