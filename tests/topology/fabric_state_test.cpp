#include "topology/fabric_state.hpp"

#include <gtest/gtest.h>

#include "specs.hpp"
#include "topology/error.hpp"

namespace toposim::topology {
namespace {

TEST(FabricState, HealthyByDefault) {
  const FabricState state;
  EXPECT_TRUE(state.healthy());
  EXPECT_EQ(state.factor(7), 1);
  EXPECT_FALSE(state.down(7));
}

TEST(FabricState, OneDirectionOrBoth) {
  const Cluster c = build_cluster(rail(4, 2));
  const ArcId up = c.arcs_between(c.leaf(0), c.spine(1)).first;
  FabricState state;
  state.set_arc(up, 0.5);
  EXPECT_EQ(state.factor(up), 0.5);
  EXPECT_EQ(state.factor(c.arc(up).reverse), 1);
  state.set_cable(c, c.arc(up).reverse, 0);
  EXPECT_TRUE(state.down(up));
  EXPECT_TRUE(state.down(c.arc(up).reverse));
  EXPECT_EQ(state.entries().size(), 2u);
}

// A spine of 16 leaves has 16 cables, 32 arcs; nothing else goes down.
TEST(FabricState, DeadSwitchTakesItsCables) {
  const Cluster c = build_cluster(rail(4, 2));
  FabricState state;
  state.take_down(c, c.spine(1));
  EXPECT_EQ(state.entries().size(), 32u);
  for (std::uint32_t leaf = 0; leaf < 16; ++leaf) {
    EXPECT_TRUE(state.down(c.arcs_between(c.leaf(leaf), c.spine(1)).first));
    EXPECT_FALSE(state.down(c.arcs_between(c.leaf(leaf), c.spine(0)).first));
  }
}

// The same faults in any order are the same value; repaired ones leave no trace.
TEST(FabricState, EqualStatesCompareAndHashEqual) {
  FabricState a, b;
  a.set_arc(9, 0);
  a.set_arc(3, 0.5);
  b.set_arc(3, 0.25);
  b.set_arc(100, 0.1);
  b.set_arc(9, -0.0);
  b.set_arc(3, 0.5);
  EXPECT_NE(a, b);
  EXPECT_NE(a.hash(), b.hash());
  b.set_arc(100, 1);
  EXPECT_EQ(a, b);
  EXPECT_EQ(a.hash(), b.hash());
  a.set_arc(9, 1);
  a.set_arc(3, 1);
  a.set_arc(4, 1);
  EXPECT_TRUE(a.healthy());
  EXPECT_EQ(a.hash(), FabricState().hash());
}

TEST(FabricState, SharesAreChecked) {
  FabricState state;
  EXPECT_THROW(state.set_arc(0, -0.1), TopologyError);
  EXPECT_THROW(state.set_arc(0, 1.1), TopologyError);
  EXPECT_THROW(state.set_arc(0, std::numeric_limits<double>::quiet_NaN()), TopologyError);
}

}  // namespace
}  // namespace toposim::topology
