// Switches, adapters and cables that are taken out by name.
#include "topology/import/take_out.hpp"

#include <gtest/gtest.h>

#include "fabric_text.hpp"
#include "import_files.hpp"
#include "topology/import/import_fabric.hpp"

namespace {

using namespace toposim::topology;
using toposim::test::FabricText;
using toposim::test::problems_of;
using toposim::test::TempFile;

// Two leaves of two nodes; ports 1 and 2 of a leaf are its nodes, 3 and 4 its cables to spine0, 5 that to spine1.
FabricText two_spines() {
  FabricText text;
  for (const char* name : {"leaf0", "leaf1", "spine0", "spine1"}) text.a_switch(name);
  for (std::uint32_t n = 0; n < 4; ++n) text.cable(n / 2, text.adapter(fmt::format("node{} x", n)));
  for (const std::uint32_t leaf : {0, 1})
    for (const std::uint32_t spine : {2, 2, 3}) text.cable(leaf, spine);
  return text;
}

ImportedFabric fabric_without(std::vector<std::string> names) {
  const TempFile file(two_spines().text());
  ImportSpec spec;
  spec.file = file.path();
  spec.without = std::move(names);
  return import_fabric(spec);
}

std::string problems_without(std::vector<std::string> names) {
  const TempFile file(two_spines().text());
  ImportSpec spec;
  spec.file = file.path();
  spec.without = std::move(names);
  return problems_of(file.path(), [&] { import_fabric(spec); });
}

TEST(TakeOut, CablesSwitchesAdapters) {
  EXPECT_EQ(fabric_without({}).cables.size(), 6u);
  EXPECT_EQ(fabric_without({"leaf0 port 3"}).cables.size(), 5u);
  EXPECT_EQ(fabric_without({"spine0 port 1"}).cables.size(), 5u);  // the same cable by its other end
  const ImportedFabric spineless = fabric_without({"spine0"});
  EXPECT_EQ(spineless.cables.size(), 2u);
  EXPECT_EQ(spineless.switches.size(), 3u);
  EXPECT_EQ(spineless.warnings, std::vector<std::string>{"taken out: spine0"});
  // A leaf takes its nodes along.
  const ImportedFabric half = fabric_without({"leaf1", "spine1"});
  EXPECT_EQ(half.nodes, (std::vector<std::string>{"node0", "node1"}));
  EXPECT_EQ(half.switches.size(), 2u);
  EXPECT_EQ(fabric_without({"node2 x"}).nodes.size(), 3u);
}

TEST(TakeOut, NamesThatAreNone) {
  EXPECT_EQ(
      problems_without({"spine9", "leaf0 port 6", "leaf0 port x"}),
      "FILE: without 'spine9': it has no such device, and no cable there; write a name such as 'leaf0', or 'leaf0 "
      "port 1'\n"
      "FILE: without 'leaf0 port 6': it has no such device, and no cable there; write a name such as 'leaf0', or "
      "'leaf0 port 1'\n"
      "FILE: without 'leaf0 port x': it has no such device, and no cable there; write a name such as 'leaf0', or "
      "'leaf0 port 1'");
}

TEST(TakeOut, WhatFallsIntoPieces) {
  const std::string found = problems_without({"spine0", "spine1"});
  EXPECT_NE(found.find("'leaf1' and 2 more devices are joined to nothing else"), std::string::npos) << found;
}

}  // namespace
