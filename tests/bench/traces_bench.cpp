// Reading traces of failures, rows per second of CPU, and fitting to them.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "faults/fit/maximum_likelihood.hpp"
#include "faults/trace/read_trace.hpp"

namespace {

using namespace toposim::faults;

/// A file of `rows` lines, gone at the end.
class RowsFile {
 public:
  template <class Row>
  RowsFile(std::int64_t rows, const char* before, const Row& row, const char* after) {
    ::close(::mkstemp(path_));
    std::ofstream out(path_);
    out << before;
    for (std::int64_t i = 0; i < rows; ++i) out << row(i);
    out << after;
  }
  ~RowsFile() { ::unlink(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/toposim-bench-XXXXXX";
};

void read(benchmark::State& state, const RowsFile& file, std::int64_t rows) {
  for (auto _ : state) benchmark::DoNotOptimize(read_trace(file.path()).records.size());
  state.SetItemsProcessed(state.iterations() * rows);
}

void read_csv(benchmark::State& state) {
  constexpr std::int64_t rows = 200'000;
  const RowsFile file(
      rows, "start,end,node,component,cause,class\n",
      [](std::int64_t i) {
        return std::to_string(3 * i) + ".5," + std::to_string(3 * i + 1 + i * 7919 % 90000) + ",node" +
               std::to_string(i * 104729 % 16384) + ",gpu,XID " + std::to_string(i % 97) + ",hardware\n";
      },
      "");
  read(state, file, rows);
}
BENCHMARK(read_csv)->Unit(benchmark::kMillisecond);

void read_json(benchmark::State& state) {
  constexpr std::int64_t rows = 100'000;
  const RowsFile file(
      rows, "[",
      [](std::int64_t i) {
        return std::string(i > 0 ? ",\n" : "") + "{\"node_id\":\"node" + std::to_string(i / 2 * 104729 % 16384) +
               "\",\"event_time\":" + std::to_string(i / 10000) + ".5,\"event_type\":\"fault_" +
               (i % 2 == 0 ? "start" : "end") +
               "\",\"fault_type\":{\"Level\":\"Hardware Failure\",\"Class\":\"GPU\",\"Desc\":\"Xid\"}}";
      },
      "]\n");
  read(state, file, rows);
}
BENCHMARK(read_json)->Unit(benchmark::kMillisecond);

void fit_family(benchmark::State& state, Family family) {
  Sample sample;
  for (int i = 0; i < 10'000; ++i)
    sample.values_h.push_back(quantile_h({Family::weibull, 11, 0.6}, (i * 7919 % 10'000 + 0.5) / 10'000));
  for (auto _ : state) benchmark::DoNotOptimize(fit(family, sample));
  state.SetItemsProcessed(state.iterations() * 10'000);
}
BENCHMARK_CAPTURE(fit_family, exponential, Family::exponential)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit_family, weibull, Family::weibull)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(fit_family, lognormal, Family::lognormal)->Unit(benchmark::kMicrosecond);

}  // namespace
