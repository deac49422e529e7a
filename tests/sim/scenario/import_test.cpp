// cluster.import: what a scenario takes from a fabric's files, and what it says of wrong ones.
#include <filesystem>
#include <fstream>

#include "minimal_scenario.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::sim {
namespace {

const std::string fabrics = std::string(TOPOSIM_SOURCE_DIR) + "/scenarios/fabrics/";

std::string with_import(const std::string& import, const std::string& more = "") {
  return "name: imported\ncluster:\n  gpu: h100\n  gpus_per_node: 8\n" + more + "  import: {" + import +
         "}\njob: {model: llama2-70b, tensor_parallel: 8, global_batch: 840, compute_efficiency: 50%}\nfaults: rsc-1\n"
         "schemes:\n  - checkpoint_restart\nrun: {duration: 30d}\n";
}

ScenarioOrProblems read(const std::string& text) {
  return read_scenario_text(text, fabrics + "scenario.yaml", {}, 16e9);
}

TEST(Import, TheFileSaysTheRest) {
  const auto result = read(with_import("file: eight_nodes.ibnetdiscover, tables: eight_nodes.lfts"));
  ASSERT_TRUE(result.ok()) << said(result);
  const topology::ClusterSpec& c = result.scenario.cluster;
  EXPECT_EQ(c.fabric, topology::FabricKind::imported);
  EXPECT_EQ(c.nodes, 8);
  EXPECT_EQ(c.nics_per_node, 4);
  EXPECT_EQ(c.gpus_per_node, 8);
  EXPECT_EQ(c.access.bandwidth_Bps, 50e9);
  EXPECT_FALSE(c.import->next.empty());
  EXPECT_EQ(result.scenario.job.layout.data, 8);
}

TEST(Import, TheScenarioKnowsBetter) {
  const auto result =
      read(with_import("file: eight_nodes.ibnetdiscover, hosts: 'dgx[01-03,05-08]', rails: [mlx5_3, mlx5_1], "
                       "link_rate: 800Gbps, uplink: "
                       "{latency: 300ns}, routing: ecmp",
                       "  spares: 1\n"));
  ASSERT_TRUE(result.ok()) << said(result);
  const topology::ClusterSpec& c = result.scenario.cluster;
  EXPECT_EQ(c.nodes, 6);  // seven hosts, one spare
  EXPECT_EQ(c.spares, 1);
  EXPECT_EQ(c.nics_per_node, 2);
  EXPECT_EQ(c.import->rails, (std::vector<std::string>{"mlx5_3", "mlx5_1"}));
  EXPECT_EQ(c.uplink.bandwidth_Bps, 100e9);
  EXPECT_DOUBLE_EQ(c.uplink.latency_s, 300e-9);
  EXPECT_EQ(c.routing, topology::RoutingMode::ecmp);
}

TEST(Import, WrongFilesAreToldAtTheirPlace) {
  const std::string broken = testing::TempDir() + "toposim_import_broken.ibnetdiscover";
  std::ofstream(broken)
      << "Switch\t2 \"S-01\"\t# \"leaf\" base port 0 lid 1 lmc 0\n[1]\t\"H-02\"[1]\t# \"n0 x\" lid 2 4xNDR\n";
  const auto result = read(with_import("file: " + broken));
  std::filesystem::remove(broken);
  ASSERT_EQ(result.problems.size(), 1u) << said(result);
  EXPECT_EQ(result.problems[0].line, 5);
  EXPECT_EQ(result.problems[0].message, "cluster.import.file: " + broken +
                                            ":2: port 1 of 'leaf' leads to device 0000000000000002, which is not in "
                                            "the file; is it cut short?");
}

TEST(Import, MoreNodesThanThereAre) {
  const auto result = read(with_import("file: eight_nodes.ibnetdiscover", "  nodes: 8\n  spares: 2\n"));
  ASSERT_EQ(result.problems.size(), 1u) << said(result);
  EXPECT_EQ(result.problems[0].line, 5);
  EXPECT_EQ(result.problems[0].message,
            "cluster: nodes + spares is 10, and eight_nodes.ibnetdiscover has 8 nodes; lower nodes or spares");
  const auto odd = read(with_import("file: eight_nodes.ibnetdiscover, rails: [mlx5_0, mlx5_1, mlx5_2]"));
  ASSERT_EQ(odd.problems.size(), 1u) << said(odd);
  EXPECT_EQ(odd.problems[0].message,
            "cluster.gpus_per_node: 8 GPUs do not share the 3 adapters of a node evenly; take 9, or pick the adapters "
            "with import.rails");
}

}  // namespace
}  // namespace toposim::sim
