// Forwarding tables: routes that follow them, and tables that are refused.
#include <gtest/gtest.h>

#include <random>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/import_fabric.hpp"
#include "topology/router.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::problems_of;
using toposim::test::replaced;
using toposim::test::TempFile;

// Two leaves with two one-adapter nodes each, two spines. Devices: leaves 0, 1; spines 2, 3; adapters 4 to 7.
struct Pair {
  Pair() {
    for (const char* name : {"leaf0", "leaf1", "spine0", "spine1"}) text.a_switch(name);
    for (std::uint32_t n = 0; n < 4; ++n) text.cable(n / 2, text.adapter(fmt::format("node{} mlx5_0", n)));
    for (const std::uint32_t leaf : {0, 1})
      for (const std::uint32_t spine : {2, 3}) text.cable(leaf, spine);
  }
  /// To the adapter's leaf and there to itself; between leaves over spine1 for node3, spine0 for all others.
  std::uint32_t port(std::uint32_t s, std::uint32_t adapter) const {
    const std::uint32_t leaf = (adapter - 4) / 2;
    if (s == leaf) return text.port_to(s, adapter);
    return text.port_to(s, s >= 2 ? leaf : adapter == 7 ? 3 : 2);
  }
  std::string tables() const {
    return text.tables([this](std::uint32_t s, std::uint32_t adapter) { return port(s, adapter); });
  }
  FabricText text;
};

ImportedFabric read(const std::string& fabric, const std::string& tables) {
  const TempFile a(fabric), b(tables, "tables");
  return import_fabric({.file = a.path(), .tables = b.path()});
}

std::string table_problems(const std::string& tables) {
  const Pair pair;
  const TempFile a(pair.text.text()), b(tables, "tables");
  std::string text = problems_of(b.path(), [&] { import_fabric({.file = a.path(), .tables = b.path()}); });
  for (std::size_t at = text.find(a.path()); at != std::string::npos; at = text.find(a.path()))
    text.replace(at, a.path().size(), "FABRIC");
  return text;
}

TEST(Tables, RoutesFollowThem) {
  const Pair pair;
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(read(pair.text.text(), pair.tables())), spec);
  const Cluster cluster = build_cluster(spec);
  const Router router(cluster);
  const auto hops = [&](VertexId src, VertexId dst, std::uint64_t label, const FabricState& state = {}) {
    std::string text;
    for (const ArcId arc : router.route(src, dst, label, state)) text += cluster.name(cluster.target(arc)) + " ";
    return text;
  };
  EXPECT_EQ(hops(0, 1, 0), "node0/mlx5_0 leaf0 node1/mlx5_0 node1/gpu0 ");
  // The same for every label and source: an adapter's LID has one way. Adaptive routing would take spine1 for node1.
  for (const std::uint64_t label : {0, 1}) {
    EXPECT_EQ(hops(0, 2, label), "node0/mlx5_0 leaf0 spine0 leaf1 node2/mlx5_0 node2/gpu0 ");
    EXPECT_EQ(hops(1, 2, label), "node1/mlx5_0 leaf0 spine0 leaf1 node2/mlx5_0 node2/gpu0 ");
    EXPECT_EQ(hops(0, 3, label), "node0/mlx5_0 leaf0 spine1 leaf1 node3/mlx5_0 node3/gpu0 ");
  }
  // A way that is cut goes over the other spine.
  FabricState cut;
  cut.set_cable(cluster, cluster.arcs_between(cluster.leaf(0), cluster.spine(0)).first, 0);
  EXPECT_EQ(hops(0, 2, 0, cut), "node0/mlx5_0 leaf0 spine1 leaf1 node2/mlx5_0 node2/gpu0 ");
}

// Tables may take ways that are not the shortest: node0 to node2 over spine0 and back up over spine1.
TEST(Tables, DetoursAreFollowed) {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "leaf2", "spine0"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 3; ++n) text.cable(n, text.adapter(fmt::format("node{} mlx5_0", n)));
  for (const std::uint32_t leaf : {0, 1, 2}) text.cable(leaf, 3);
  text.cable(0, 1);
  text.cable(1, 2);
  // To node2 (device 6) leaf0 sends to leaf1 and leaf1 to leaf2, two hops between leaves.
  const auto tables = text.tables([&](std::uint32_t s, std::uint32_t adapter) {
    const std::uint32_t leaf = adapter - 4;
    if (s == leaf) return text.port_to(s, adapter);
    if (leaf == 2 && s < 2) return text.port_to(s, s + 1);
    return text.port_to(s, s == 3 ? leaf : 3);
  });
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(read(text.text(), tables)), spec);
  const Cluster cluster = build_cluster(spec);
  std::string hops;
  for (const ArcId arc : Router(cluster).route(0, 2, 0, {})) hops += cluster.name(cluster.target(arc)) + " ";
  EXPECT_EQ(hops, "node0/mlx5_0 leaf0 leaf1 leaf2 node2/mlx5_0 node2/gpu0 ");
}

TEST(Tables, Refused) {
  const std::string good = Pair().tables();
  EXPECT_EQ(table_problems(good), "");
  EXPECT_EQ(table_problems(""), "FILE: no forwarding table in it; give what dump_lfts prints");
  EXPECT_EQ(table_problems("hello\n"), "FILE:1: a line that dump_lfts does not print: 'hello'");
  // A table is 3 lines of heading, 4 rows, its count and a blank: the second begins in line 10.
  EXPECT_EQ(table_problems(good.substr(0, good.rfind("4 valid"))),
            "FILE:34: a table ends without its count of LIDs; the file is cut short");
  EXPECT_EQ(table_problems(replaced(good, "4 valid", "5 valid")),
            "FILE:8: 5 rows announced and 4 there; the table is not whole");
  EXPECT_EQ(table_problems(replaced(good, "guid 0x0000000000200010", "guid 0x0000000000200011")),
            "FILE:10: switch 0000000000200011 is not in FABRIC; take both files again, at the same time");
  EXPECT_EQ(table_problems(replaced(good, "guid 0x0000000000200010", "guid 0x0000000000200000")),
            "FILE:10: 'leaf0' has a table in line 1 already; remove one of the two");
  EXPECT_EQ(table_problems(good.substr(good.find("Unicast", 1))), "FILE: no table of 'leaf0'; take both files again");
  EXPECT_EQ(table_problems(replaced(good, "0x0005 001 : (Channel Adapter portguid 0x0000000000100041",
                                    "0x0005 001 : (Channel Adapter portguid 0x0000000000100051")),
            "FILE:4: LID 5 is port 0000000000100051 here and 0000000000100041 in FABRIC; take both files again, at the "
            "same time");
  EXPECT_EQ(table_problems(replaced(good, "0x0005 001 :", "0x0005 001x:")),
            "FILE:4: a broken row: '0x0005 001x: (Channel Adapter portguid 0x0000000000100041: '...'")
      << "cut at 60 characters";
  EXPECT_EQ(
      table_problems(replaced(good, "0x0005 001", "0x0005 009")),
      "FILE:1: the table of 'leaf0' sends LID 5, node0 mlx5_0, out of port 9, which does not lead there; take both "
      "files again");
  EXPECT_EQ(
      table_problems(replaced(good, "0x0005 001", "0x0005 002")),
      "FILE:1: the table of 'leaf0' sends LID 5, node0 mlx5_0, out of port 2, which does not lead there; take both "
      "files again");
}

TEST(Tables, Circles) {
  // leaf1 sends for node0 (LID 5) to spine1, which sends back to leaf1.
  const Pair pair;
  const std::string found = table_problems(pair.text.tables([&](std::uint32_t s, std::uint32_t adapter) {
    if (adapter == 4 && s == 1) return pair.text.port_to(1, 3);
    if (adapter == 4 && s == 3) return pair.text.port_to(3, 1);
    return pair.port(s, adapter);
  }));
  EXPECT_EQ(found,
            "FILE: from 'leaf1' the tables lead to node0 mlx5_0 in more than 6 switches, or in a circle past 'spine1'; "
            "take both files again");
}

TEST(Tables, Fuzz) {
  std::mt19937 random(11);
  const std::string good = Pair().tables();
  int refused = 0;
  constexpr int rounds = 600;
  for (int round = 0; round < rounds; ++round) {
    std::string text = good;
    for (int edits = 0; edits < 3; ++edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(random() % 256);
      else
        text.erase(at, random() % 30);
    }
    refused += table_problems(text).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, rounds / 4);
  EXPECT_LT(refused, rounds);  // names are not read
}

}  // namespace
