#include "sim/lifecycle/node_slots.hpp"

#include <gtest/gtest.h>

#include "sim/lifecycle/level_times.hpp"
#include "sim/lifecycle/roster.hpp"

namespace toposim::sim {
namespace {

constexpr std::uint32_t none = NodeSlots::none;

// Slots 0-2 on nodes 0-2, spares 3 and 4.
TEST(NodeSlots, SparesTakeVacantSlotsFirstComeFirstServed) {
  NodeSlots nodes(JobMap(2, {{0}, {1}, {2}}));
  EXPECT_EQ(nodes.fail(2), 2U);
  EXPECT_EQ(nodes.fail(0), 0U);
  EXPECT_EQ(nodes.fill(), 2U);
  EXPECT_EQ(nodes.slot_of(3), 2U);
  EXPECT_TRUE(nodes.repair(2));  // joins behind spare 4
  EXPECT_EQ(nodes.fill(), 0U);
  EXPECT_EQ(nodes.slot_of(4), 0U);
  EXPECT_EQ(nodes.fill(), none);  // nothing is vacant
  EXPECT_EQ(nodes.idle(), 1U);
  EXPECT_EQ(nodes.spares_in_use(), 1U);  // node 0 is out
  EXPECT_EQ(nodes.fail(4), 0U);          // a spare in a slot fails like any node
  EXPECT_EQ(nodes.fill(), 0U);
  EXPECT_EQ(nodes.slot_of(2), 0U);
}

TEST(NodeSlots, OverlappingFaultsOnANodeAreCounted) {
  NodeSlots nodes(JobMap(0, {{0}}));
  EXPECT_EQ(nodes.fail(0), 0U);
  EXPECT_EQ(nodes.fail(0), none);
  EXPECT_FALSE(nodes.repair(0));
  EXPECT_EQ(nodes.fill(), none);
  EXPECT_TRUE(nodes.repair(0));
  EXPECT_EQ(nodes.fill(), 0U);
}

TEST(NodeSlots, AnIdleSpareThatFailsIsNotThereToBeUsed) {
  NodeSlots nodes(JobMap(1, {{0}}));
  EXPECT_EQ(nodes.fail(1), none);
  EXPECT_EQ(nodes.spares_in_use(), 1U);
  EXPECT_EQ(nodes.fail(0), 0U);
  EXPECT_EQ(nodes.fill(), none);
  EXPECT_TRUE(nodes.repair(1));
  EXPECT_EQ(nodes.fill(), 0U);
}

// Replicas 0 and 1 share slot 0, replica 2 has slots 1 and 2.
TEST(Roster, ANodeStopsEveryReplicaThatTouchesIt) {
  const JobMap job(0, {{0, 1}, {2}, {2}});
  Roster roster(job);
  EXPECT_EQ(roster.vacate(0).count, 2U);
  EXPECT_EQ(roster.vacate(2).first, 2U);
  EXPECT_EQ(roster.vacate(1).count, 0U);  // replica 2 is missing already
  EXPECT_EQ(roster.active(), 0U);
  roster.fill(2);
  roster.fill(0);
  EXPECT_EQ(roster.incomplete(), std::vector<std::uint32_t>{2});
  roster.start_loading(50);
  EXPECT_EQ(roster.earliest_ready_ns(), 50);
  EXPECT_EQ(roster.join_ready(49), 0U);
  EXPECT_EQ(roster.join_ready(50), 2U);
  EXPECT_EQ(roster.active(), 2U);
  roster.undo_join(60);
  EXPECT_EQ(roster.active(), 0U);
  EXPECT_EQ(roster.earliest_ready_ns(), 60);
}

// 10 at 0, 89 at 1, 1 at 4.
TEST(LevelTimes, PercentilesWeightedByTime) {
  LevelTimes times(5);
  times.add(4, 1);
  times.add(0, 10);
  times.add(1, 89);
  EXPECT_EQ(times.percentile(0.1), 0);
  EXPECT_EQ(times.percentile(0.5), 1);
  EXPECT_EQ(times.percentile(0.99), 1);
  EXPECT_EQ(times.percentile(0.995), 4);
  EXPECT_EQ(times.highest(), 4);
}

}  // namespace
}  // namespace toposim::sim
