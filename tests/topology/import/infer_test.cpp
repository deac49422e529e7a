// Nodes, rails, tiers and pods from names, then from how things are wired.
#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/host_list.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/import/natural_order.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::problems_of;
using toposim::test::TempFile;

ImportedFabric import_text(const FabricText& text, ImportSpec spec = {}) {
  const TempFile file(text.text());
  spec.file = file.path();
  return import_fabric(spec);
}

std::string import_problems(const FabricText& text, ImportSpec spec = {}) {
  const TempFile file(text.text());
  spec.file = file.path();
  return problems_of(file.path(), [&] { import_fabric(spec); });
}

// Four nodes of two adapters on two leaves, a rail each, under one spine.
struct Rails {
  Rails() {
    leaf[0] = text.a_switch("L-a");
    leaf[1] = text.a_switch("L-b");
    spine = text.a_switch("top");
    for (const int node : {10, 9, 2, 1})
      for (const int rail : {1, 0}) text.cable(leaf[rail], text.adapter(fmt::format("gpu{} mlx5_{}", node, rail)));
    for (const std::uint32_t l : leaf) text.cable(l, spine);
  }
  FabricText text;
  std::uint32_t leaf[2], spine;
};

TEST(Infer, NodesInNaturalOrderAndRails) {
  const ImportedFabric f = import_text(Rails().text);
  EXPECT_EQ(f.nodes, (std::vector<std::string>{"gpu1", "gpu2", "gpu9", "gpu10"}));
  EXPECT_EQ(f.rails, (std::vector<std::string>{"mlx5_0", "mlx5_1"}));
  EXPECT_TRUE(f.rail_optimised);
  ASSERT_EQ(f.switches.size(), 3u);
  EXPECT_EQ(f.switches[1].rail, 1);
  EXPECT_EQ(f.switches[2].tier, ImportedFabric::Tier::spine);
  EXPECT_EQ(f.findings,
            (std::vector<std::string>{"nodes: 4 by host name, gpu1 to gpu10", "adapters: 2 each: mlx5_0, mlx5_1",
                                      "rails: 2, a leaf serves one device number",
                                      "tiers: 2 leaves, 1 spines, 0 cores, by distance from the adapters",
                                      "links: 10 of 400 Gbps"}));
  EXPECT_TRUE(f.warnings.empty());
}

// A node that lacks an adapter, and a switch's own for SHARP.
TEST(Infer, HostsOfOtherDevicesAreLeftOut) {
  Rails rails;
  rails.text.cable(rails.leaf[0], rails.text.adapter("gpu5 mlx5_0"));
  rails.text.cable(rails.leaf[0], rails.text.adapter("Mellanox Technologies Aggregation Node"));
  rails.text.cable(rails.spine, rails.text.adapter("manager mlx4_0"));
  const ImportedFabric f = import_text(rails.text);
  EXPECT_EQ(f.nodes.size(), 4u);
  EXPECT_EQ(f.warnings,
            (std::vector<std::string>{"left out: 2 of 6 hosts, whose devices are not these: gpu5, manager"}));
  EXPECT_EQ(f.switches[2].tier, ImportedFabric::Tier::spine)
      << "one of its three cables is an adapter's, less than half";
}

TEST(Infer, WhatTheUserSaysCounts) {
  const Rails rails;
  ImportSpec spec;
  spec.rails = {"mlx5_1"};
  spec.hosts = {"gpu2", "gpu10"};
  const ImportedFabric f = import_text(rails.text, spec);
  EXPECT_EQ(f.nodes, (std::vector<std::string>{"gpu2", "gpu10"}));
  EXPECT_EQ(f.rails, spec.rails);
  EXPECT_EQ(f.access.size(), 2u);
  spec.hosts.push_back("gpu3");
  EXPECT_EQ(import_problems(rails.text, spec), "FILE: there is no host 'gpu3' in it; name one that is");
  spec.hosts = {};
  spec.rails = {"mlx5_9"};
  EXPECT_EQ(import_problems(rails.text, spec),
            "FILE: no host has all of the devices mlx5_9; 'gpu1' has mlx5_0, mlx5_1");
}

// The cables of gpu1's two adapters changed places.
TEST(Infer, SwappedCablesAreTold) {
  FabricText text;
  const std::uint32_t leaf[2] = {text.a_switch("L-a"), text.a_switch("L-b")};
  const std::uint32_t spine = text.a_switch("top");
  for (int node = 0; node < 10; ++node)
    for (int rail = 0; rail < 2; ++rail)
      text.cable(leaf[node == 1 ? 1 - rail : rail], text.adapter(fmt::format("gpu{} mlx5_{}", node, rail)));
  for (const std::uint32_t l : leaf) text.cable(l, spine);
  const ImportedFabric f = import_text(text);
  EXPECT_TRUE(f.rail_optimised);
  EXPECT_EQ(f.warnings,
            (std::vector<std::string>{"gpu1 mlx5_0 is on 'L-b', which serves mlx5_1: are two cables swapped?",
                                      "gpu1 mlx5_1 is on 'L-a', which serves mlx5_0: are two cables swapped?"}));
}

// 4xHDR is 200 Gbps and 2xHDR half of it: the most common, HDR, is taken as 400.
TEST(Infer, LinkRateKeepsRatios) {
  FabricText text;
  const std::uint32_t leaf = text.a_switch("leaf");
  for (int node = 0; node < 3; ++node)
    text.cable(leaf, text.adapter(fmt::format("n{} x", node)), node == 1 ? "2xHDR" : "4xHDR");
  ImportSpec spec;
  spec.link_rate_Bps = 50e9;
  const ImportedFabric f = import_text(text, spec);
  EXPECT_EQ(f.access[0].bandwidth_Bps, 50e9);
  EXPECT_EQ(f.access[1].bandwidth_Bps, 25e9);
  EXPECT_EQ(f.findings.back(),
            "links: 1 of 100 Gbps, 2 of 200 Gbps in the file; 200 Gbps taken as 400 Gbps (link_rate)");
}

TEST(Infer, RefusesWhatItCannotName) {
  FabricText text;
  const std::uint32_t leaf = text.a_switch("leaf");
  for (int node = 0; node < 2; ++node) text.cable(leaf, text.adapter("MT4123 ConnectX6"));
  const std::string found = import_problems(text);
  EXPECT_NE(
      found.find("'MT4123 ConnectX6' is the name of more than one adapter; give each node a description of its own"),
      std::string::npos)
      << found;
  FabricText chain;
  std::uint32_t below = chain.a_switch("leaf");
  chain.cable(below, chain.adapter("n0 x"));
  for (const char* name : {"spine", "core", "beyond"}) {
    const std::uint32_t above = chain.a_switch(name);
    chain.cable(below, above);
    below = above;
  }
  EXPECT_NE(import_problems(chain).find("'beyond' is more than two switches away from every leaf"), std::string::npos);
}

TEST(NaturalOrder, NumbersCompareAsNumbers) {
  EXPECT_TRUE(natural_less("node2", "node10"));
  EXPECT_TRUE(natural_less("node9-b", "node10-a"));
  EXPECT_FALSE(natural_less("node10", "node2"));
  EXPECT_TRUE(natural_less("node01", "node1"));
  EXPECT_FALSE(natural_less("node1", "node1"));
  EXPECT_TRUE(natural_less("node", "node0"));
  EXPECT_TRUE(natural_less("n99999999999999999999998", "n99999999999999999999999"));
}

TEST(HostList, AsSlurmWritesThem) {
  EXPECT_EQ(expand_host_list("node[0008-0010,12],login1"),
            (std::vector<std::string>{"node0008", "node0009", "node0010", "node12", "login1"}));
  for (const char* wrong :
       {"", "a,", "n[1-", "n[2-1]", "n[a]", "n]", "n[1]x", "n[0-99999999]", "n[0-99999999999999999999]"})
    EXPECT_THROW(expand_host_list(wrong), TopologyError) << wrong;
}

}  // namespace
