// A fabric that the real ibnetdiscover and OpenSM printed: 16 nodes of 8 adapters, 2 pods of 8 rails, 4 spines.
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <map>

#include "sim/collectives/collective.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim;
using namespace toposim::topology;

const std::string folder = std::string(TOPOSIM_SHARED_DATA) + "/fabrics/";

ClusterSpec sample_spec(bool tables) {
  ImportSpec import{.file = folder + "rail_16x8.ibnetdiscover", .link_rate_Bps = 50e9};
  if (tables) import.tables = folder + "rail_16x8.lfts.gz";
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  return spec;
}

class SampleFabric : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(folder + "rail_16x8.ibnetdiscover"))
      GTEST_SKIP() << folder << "rail_16x8.ibnetdiscover is missing";
  }
};

TEST_F(SampleFabric, IsReadWhole) {
  const Cluster c = build_cluster(sample_spec(true));
  EXPECT_EQ(c.node_count(), 16u);
  EXPECT_EQ(c.nic_count(), 128u);
  EXPECT_EQ(c.leaf_count(), 16u);
  EXPECT_EQ(c.spine_count(), 4u);
  EXPECT_EQ(c.core_count(), 0u);
  EXPECT_EQ(c.cable_count(LinkKind::access), 128u);
  EXPECT_EQ(c.cable_count(LinkKind::uplink), 128u);  // 16 leaves x 4 spines x 2
  EXPECT_TRUE(c.shape().rail_optimised);
  EXPECT_EQ(c.name(c.leaf(9)), "leaf-p01-r1");
  EXPECT_EQ(c.name(c.nic(15, 7)), "node0015/mlx5_7");
  for (std::uint32_t cable = 0; cable < 128; ++cable)
    EXPECT_EQ(c.bandwidth_Bps(c.cable(LinkKind::uplink, cable)), 50e9);  // ibsim says 4xSDR: link_rate
}

// 8 nodes to a leaf, 8 adapters and 8 uplinks each, to 4 spines: 2 cables to each.
TEST_F(SampleFabric, AllReduceIsThatOfTheBuiltOne) {
  ClusterSpec spec;
  spec.nodes = 16;
  spec.nodes_per_leaf = 8;
  spec.spines = 4;
  const Cluster built = build_cluster(spec), imported = build_cluster(sample_spec(false));
  const Router built_router(built), imported_router(imported);
  std::vector<VertexId> everyone(128);
  for (VertexId gpu = 0; gpu < 128; ++gpu) everyone[gpu] = gpu;
  const sim::CollectiveRequest request{sim::CollectiveKind::all_reduce, {everyone}, 1e9};
  const auto run = [&](const Cluster& cluster, const Router& router, sim::Algorithm algorithm) {
    const auto model = sim::make_bottleneck_model(router);
    return sim::run_collective(request, algorithm, cluster, {}, *model, {});
  };
  using sim::Algorithm;
  for (const Algorithm algorithm : {Algorithm::automatic, Algorithm::ring, Algorithm::rail_rings,
                                    Algorithm::hierarchical, Algorithm::double_binary_tree}) {
    const auto a = run(built, built_router, algorithm), b = run(imported, imported_router, algorithm);
    EXPECT_EQ(a.total_s, b.total_s) << sim::to_string(algorithm);
    EXPECT_EQ(a.algorithm, b.algorithm);
    EXPECT_GT(a.total_s, 0);
  }
}

// The tables walked here from their text alone: GUID to port by LID, and cables from the other file's.
TEST_F(SampleFabric, RoutesAreTheTables) {
  const Cluster c = build_cluster(sample_spec(true));
  const Router router(c);
  std::string text(1 << 20, '\0');
  gzFile in = gzopen((folder + "rail_16x8.lfts.gz").c_str(), "rb");
  ASSERT_NE(in, nullptr);
  text.resize(static_cast<std::size_t>(gzread(in, text.data(), static_cast<unsigned>(text.size()))));
  gzclose(in);
  // "(leaf-p01-r7):" and "'node0008 mlx5_7'" name what the rows are about.
  std::map<std::string, std::map<std::string, int>> port;
  std::string table;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("Unicast")) {
      const std::size_t open = line.rfind('(');
      table = line.substr(open + 1, line.rfind(')') - open - 1);
    } else if (line.starts_with("0x")) {
      const std::size_t quote = line.find('\'');
      port[table][line.substr(quote + 1, line.rfind('\'') - quote - 1)] = std::stoi(line.substr(7, 3));
    }
  }
  ASSERT_EQ(port.size(), 20u);
  // In this fabric ports 1 to 8 of a leaf are nodes in order and 9 to 16 spines, two each; ports 2 l + 1 and 2 l + 2 of
  // a spine are leaf l.
  for (std::uint32_t src = 0; src < 16; ++src) {
    for (std::uint32_t dst = 0; dst < 16; ++dst) {
      if (src == dst) continue;
      for (std::uint32_t rail = 0; rail < 8; ++rail) {
        std::string expected = c.name(c.nic(src, rail)) + " ";
        const std::string from = fmt::format("leaf-p{:02}-r{}", src / 8, rail),
                          to = fmt::format("leaf-p{:02}-r{}", dst / 8, rail);
        const std::string target = fmt::format("node{:04} mlx5_{}", dst, rail);
        expected += from + " ";
        std::vector<std::uint32_t> cables;
        if (from != to) {
          const int up = port[from][target];
          const std::string spine = fmt::format("spine-{:02}", (up - 9) / 2);
          cables.push_back(static_cast<std::uint32_t>(up - 9) % 2);
          const int down = port[spine][target];
          EXPECT_EQ(static_cast<std::uint32_t>(down - 1) / 2, dst / 8 * 8 + rail);
          cables.push_back(static_cast<std::uint32_t>(down - 1) % 2);
          expected += spine + " " + to + " ";
        }
        EXPECT_EQ(port[to][target], static_cast<int>(dst % 8 + 1));
        expected += c.name(c.nic(dst, rail)) + " " + c.name(c.gpu(dst, rail)) + " ";
        std::string hops;
        std::vector<std::uint32_t> parallel;
        for (const ArcId arc : router.route(c.gpu(src, rail), c.gpu(dst, rail), 0, {})) {
          hops += c.name(c.target(arc)) + " ";
          if (c.arc(arc).kind == LinkKind::uplink)
            parallel.push_back(arc - c.arcs_between(c.source(arc), c.target(arc)).first);
        }
        ASSERT_EQ(hops, expected);
        ASSERT_EQ(parallel, cables);
      }
    }
  }
}

}  // namespace
