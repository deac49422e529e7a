// The semantic partitioner: a million embeddings into 1,280 domains, and what its answer loses to a plain, flat
// balanced k-means on a size that such a thing can do.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "semantic/flat_balanced.hpp"
#include "semantic/mixture.hpp"
#include "topology/semantic/partitioner.hpp"

namespace {

using namespace toposim::topology;

double cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void report(benchmark::State& state, const Partition& found) {
  const PartitionStatistics& s = found.statistics;
  state.counters["inertia/total"] = found.inertia / s.total_inertia;
  state.counters["assigned/nearest"] = s.assigned_inertia / s.nearest_inertia;
  state.counters["over_nearest"] = static_cast<double>(s.over_nearest);
  state.counters["over_prices"] = static_cast<double>(s.over_prices);
  state.counters["chains"] = static_cast<double>(s.chains);
  state.counters["spilled"] = static_cast<double>(s.spilled);
}

// Target: 30 s on two cores, 1.25 times the input's memory. Slack 1e6 is plain k-means: what balance costs.
void BM_Partition(benchmark::State& state) {
  const auto samples = static_cast<std::uint64_t>(state.range(0)), dims = static_cast<std::uint64_t>(state.range(1));
  const auto domains = static_cast<std::uint64_t>(state.range(2));
  const std::vector<float> data = mixture({.samples = samples, .dims = dims, .topics = domains / 2, .seed = 7});
  PartitionOptions options;
  options.slack = state.range(3) == 0 ? 1e6 : 0.01 * static_cast<double>(state.range(3));
  options.temperature = 0.01 * static_cast<double>(state.range(4));
  double used_s = 0;
  for (auto _ : state) {
    const double start = cpu_s();
    const Partition found = partition(Embeddings::in_memory(data, samples, dims), domains, options);
    used_s += cpu_s() - start;
    report(state, found);
    state.counters["inertia"] = found.inertia;
  }
  state.counters["cpu_s"] = used_s / static_cast<double>(state.iterations());
  state.counters["peak/input"] = peak_rss_bytes() / static_cast<double>(data.size() * sizeof(float));
}
BENCHMARK(BM_Partition)
    ->ArgNames({"samples", "dims", "domains", "slack%", "temperature%"})
    ->Args({1'000'000, 384, 1'280, 10, 0})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);
BENCHMARK(BM_Partition)
    ->Name("BM_PartitionSmall")
    ->ArgNames({"samples", "dims", "domains", "slack%", "temperature%"})
    ->Args({200'000, 384, 1'280, 10, 0})
    ->Args({200'000, 384, 1'280, 0, 0})
    ->Args({200'000, 384, 1'280, 10, 50})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

// ratio: the partitioner's inertia over that of the flat reference; price_of_balance: the reference's over plain
// k-means' from the same start.
void BM_AgainstFlat(benchmark::State& state) {
  const std::uint64_t samples = 20'000, dims = 64, domains = 64;
  const std::vector<float> data = mixture({.samples = samples, .dims = dims, .topics = 40, .seed = 3});
  const FlatResult flat = flat_balanced_kmeans(data, samples, dims, domains, 0.1, 25, 1);
  for (auto _ : state) {
    const Partition found = partition(Embeddings::in_memory(data, samples, dims), domains, PartitionOptions{});
    report(state, found);
    state.counters["ratio"] = found.inertia / flat.balanced_inertia;
  }
  state.counters["price_of_balance"] = flat.balanced_inertia / flat.plain_inertia;
}
BENCHMARK(BM_AgainstFlat)->Iterations(1)->UseRealTime()->Unit(benchmark::kSecond);

}  // namespace
