// How good forwarding tables are, counted by hand.
#include "topology/survey/table_figures.hpp"

#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/import_fabric.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::TempFile;

// Three leaves (devices 0 to 2), a spine (3) and a node each (4 to 6); leaf0 is also joined to leaf1, and leaf1 to
// leaf2. To node 2 leaf0 sends over leaf1, which has it go over the spine: leaf0, leaf1, spine, leaf2, three cables and
// not two. All others go over the spine, two cables, where one would do between joined leaves (0 to 1, 1 to 0, 1 to 2,
// 2 to 1). So 5 of the 6 ways are detours. By its uplink leaf0 sends to node 1 only, leaf1 and leaf2 to two.
TEST(TableFigures, DetoursAndUplinks) {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "leaf2", "spine0"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 3; ++n) text.cable(n, text.adapter(fmt::format("node{} x", n)));
  for (const std::uint32_t leaf : {0, 1, 2}) text.cable(leaf, 3);
  text.cable(0, 1);
  text.cable(1, 2);
  const TempFile fabric(text.text()), tables(text.tables([&](std::uint32_t s, std::uint32_t adapter) {
    const std::uint32_t leaf = adapter - 4;
    if (s == leaf) return text.port_to(s, adapter);
    if (s == 0 && leaf == 2) return text.port_to(0, 1);
    return text.port_to(s, s == 3 ? leaf : 3);
  }));
  ImportSpec import;
  import.file = fabric.path();
  import.tables = tables.path();
  ClusterSpec spec;
  use_fabric(std::make_shared<const ImportedFabric>(import_fabric(import)), spec);
  const TableFigures figures = table_figures(build_cluster(spec));
  EXPECT_EQ(figures.ways, 6u);
  EXPECT_EQ(figures.detours, 5u);
  EXPECT_EQ(figures.fewest_per_uplink, 1u);
  EXPECT_EQ(figures.most_per_uplink, 2u);
}

}  // namespace
