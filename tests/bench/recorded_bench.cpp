// Reading recorded gradients out of the page cache: what widening and looking for NaNs cost over pread alone.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <ctime>

#include "recordings.hpp"

namespace {

using namespace toposim::recorded;

constexpr std::uint64_t workers = 16, parameters = 4'000'000;

double cpu_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Target: 1.5 times pread for fp32. Half as many bytes are read of the other types.
void BM_ReadRows(benchmark::State& state, const std::string& descr, std::size_t width) {
  const TemporaryFolder folder;
  folder.write("index.json", R"({"schema_version": 1, "workers": 16, "steps": [{"step": 1, "file": "s.npy"}]})");
  folder.write("s.npy", npy(descr, "16, 4000000", std::string(workers * parameters * width, '\1')));
  const RecordedGradients gradients = RecordedGradients::open(folder.path());
  const int plain = ::open(folder.path("s.npy").c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<float> row(parameters);
  double read_s = 0, pread_s = 0;
  for (auto _ : state) {
    const double start = cpu_s();
    for (std::uint64_t w = 0; w < workers; ++w) gradients.read(0, w, row);
    const double middle = cpu_s();
    for (std::uint64_t w = 0; w < workers; ++w) {
      const auto got = ::pread(plain, row.data(), parameters * width, static_cast<off_t>(128 + w * parameters * width));
      benchmark::DoNotOptimize(got);
    }
    read_s += middle - start;
    pread_s += cpu_s() - middle;
  }
  ::close(plain);
  const auto numbers = static_cast<double>(workers * parameters * static_cast<std::uint64_t>(state.iterations()));
  state.counters["numbers/s"] = numbers / read_s;
  state.counters["over_pread"] = read_s / pread_s;
}
BENCHMARK_CAPTURE(BM_ReadRows, fp32, "<f4", 4)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ReadRows, fp16, "<f2", 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ReadRows, bf16, "<V2", 2)->Unit(benchmark::kMillisecond);

}  // namespace
