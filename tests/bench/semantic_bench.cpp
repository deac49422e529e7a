// The semantic partitioner: a million embeddings into 1,280 domains, and what its answer loses to a plain, flat
// balanced k-means on a size that such a thing can do.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "semantic/flat_balanced.hpp"
#include "semantic/mixture.hpp"
#include "topology/semantic/domain_distance.hpp"
#include "topology/semantic/domain_layout.hpp"
#include "topology/semantic/latent_semantics.hpp"
#include "topology/semantic/partitioner.hpp"
#include "topology/semantic/principal_components.hpp"
#include "topology/semantic/random_words.hpp"

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

// Domains of 12 replicas of one node each in a rail fabric of three tiers; similarities at random.
void BM_Layout(benchmark::State& state) {
  const auto domains = static_cast<std::uint32_t>(state.range(0));
  ClusterSpec spec;
  spec.nodes = domains * 12;
  spec.nodes_per_pod = 512;
  const Cluster cluster = build_cluster(spec);
  ParallelLayout layout;
  layout.tensor = 8;
  layout.data = spec.nodes;
  std::vector<double> similarity(std::size_t{domains} * domains), distance;
  for (std::uint32_t a = 0; a < domains; ++a)
    for (std::uint32_t b = a; b < domains; ++b)
      similarity[a * domains + b] = similarity[b * domains + a] = random_unit(1, RandomUse::tabu, a, b);
  double distance_s = 0;
  for (auto _ : state) {
    const double start = cpu_s();
    distance = domain_distances(Router(cluster), Placement(cluster, layout), Domains(domains * 12, {.size = 12}));
    distance_s = cpu_s() - start;
    const DomainLayout found = lay_out_domains(similarity, distance, {});
    state.counters["cost/identity"] = found.cost / found.identity_cost;
    state.counters["cost/bound"] = found.cost / found.lower_bound;
  }
  state.counters["distance_cpu_s"] = distance_s;
}
BENCHMARK(BM_Layout)->ArgName("domains")->Arg(128)->Arg(1'280)->Iterations(1)->Unit(benchmark::kSecond);

// The size of 60,000 images of 28 x 28 numbers.
void BM_PrincipalComponents(benchmark::State& state) {
  const std::vector<float> data = mixture({.samples = 60'000, .dims = 784, .topics = 10, .seed = 1});
  for (auto _ : state) {
    benchmark::DoNotOptimize(principal_components(Embeddings::in_memory(data, 60'000, 784), 32).projected.data());
  }
}
BENCHMARK(BM_PrincipalComponents)->Iterations(1)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kSecond);

// The size of WordNet's 117,659 glosses: 12 words each, of 20,000.
void BM_LatentSemantics(benchmark::State& state) {
  std::vector<std::string> texts(117'659);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::uint32_t w = 0; w < 12; ++w) {
      const double u = random_unit(2, RandomUse::tabu, i, w);
      texts[i] += std::to_string(static_cast<int>(20'000 * u * u * u) * 7919) + " ";
    }
  }
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  for (auto _ : state) benchmark::DoNotOptimize(latent_semantics(views, {}, {}).embeddings.data());
}
BENCHMARK(BM_LatentSemantics)->Iterations(1)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kSecond);

}  // namespace
