// A fabric of 10,240 adapters with its forwarding tables, read from files: to be done in 2 s of CPU time.
#include <benchmark/benchmark.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "fabric_text.hpp"
#include "topology/import/import_fabric.hpp"

namespace {

using namespace toposim::topology;
namespace fs = std::filesystem;

/// Files of a rail-optimised fabric of 1,280 nodes with 8 adapters in two pods: 320 leaves, 64 spines, 64 cores.
class Files {
 public:
  Files() : folder_(fs::temp_directory_path() / fmt::format("toposim_import_bench_{}", getpid())) {
    fs::create_directory(folder_);
    ClusterSpec spec;
    spec.nodes = 1280;
    spec.nodes_per_leaf = 32;
    spec.nodes_per_pod = 640;
    spec.spine_oversubscription = 2;  // 160 cables down and 80 up: switches have at most 254 ports
    spec.cores_per_spine = 2;
    const Cluster cluster = build_cluster(spec);
    const auto text = toposim::test::text_of(cluster);
    // Devices are numbered from the first NIC on, ports of a switch as its arcs are: adapters or leaves first.
    const VertexId first = cluster.nic(0, 0);
    const std::string tables = text.tables([&](std::uint32_t a_switch, std::uint32_t adapter) -> std::uint32_t {
      const VertexId at = first + a_switch, nic = first + adapter, leaf = cluster.leaf_of_nic(nic);
      return cluster.arcs_between(at, at == leaf ? nic : next_switch(cluster, at, leaf, adapter)).first -
             cluster.out_arcs(at).first + 1;
    });
    bytes = static_cast<double>(tables.size());
    std::ofstream(fabric = folder_ / "fabric", std::ios::binary) << text.text();
    std::ofstream(plain = folder_ / "tables", std::ios::binary) << tables;
    packed = folder_ / "tables.gz";
    const gzFile out = gzopen(packed.c_str(), "wb6");
    for (std::size_t at = 0; at < tables.size(); at += 1 << 20)
      gzwrite(out, tables.data() + at, static_cast<unsigned>(std::min<std::size_t>(1 << 20, tables.size() - at)));
    gzclose(out);
  }
  ~Files() { fs::remove_all(folder_); }

  std::string fabric, plain, packed;
  double bytes = 0;

 private:
  /// Up over spine and core of the adapter's number, and down from there; spine j of a pod is on plane j.
  static VertexId next_switch(const Cluster& cluster, VertexId at, VertexId leaf, std::uint32_t adapter) {
    const auto spines = static_cast<std::uint32_t>(cluster.shape().spines_per_pod);
    const auto cores = static_cast<std::uint32_t>(cluster.shape().cores_per_plane);
    const Vertex& vertex = cluster.graph()[at];
    const std::uint32_t pod = cluster.pod_of(leaf);
    if (vertex.kind == VertexKind::leaf) return cluster.spine(vertex.pod * spines + adapter % spines);
    if (vertex.kind == VertexKind::core) return cluster.spine(pod * spines + vertex.node / cores);
    return vertex.pod == pod ? leaf : cluster.core(vertex.node % spines * cores + adapter % cores);
  }

  fs::path folder_;
};

const Files& files() {
  static const Files made;
  return made;
}

void import(benchmark::State& state, std::string Files::*tables) {
  const Files& f = files();
  ImportSpec spec;
  spec.file = f.fabric;
  if (tables != nullptr) spec.tables = f.*tables;
  for (auto _ : state) {
    ClusterSpec cluster;
    use_fabric(std::make_shared<const ImportedFabric>(import_fabric(spec)), cluster);
    benchmark::DoNotOptimize(build_cluster(cluster).arc_count());
  }
  state.counters["MB of tables"] = tables != nullptr ? f.bytes * 1e-6 : 0;
}

void BM_ImportWithoutTables(benchmark::State& state) {
  import(state, nullptr);
}
void BM_ImportWithTables(benchmark::State& state) {
  import(state, &Files::plain);
}
void BM_ImportWithGzipTables(benchmark::State& state) {
  import(state, &Files::packed);
}
BENCHMARK(BM_ImportWithoutTables)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ImportWithTables)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ImportWithGzipTables)->Unit(benchmark::kMillisecond);

}  // namespace
