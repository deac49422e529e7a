// A trace on other clusters: who takes which history, and when; by hand.
#include "faults/replay/replay.hpp"

#include <gtest/gtest.h>

#include <set>

#include "faults/trace/error.hpp"

namespace toposim::faults {
namespace {

constexpr std::int64_t s = 1'000'000'000;

/// 100 s of a cluster of 4: node a fails at 10 for 5 s and at 12 for 10 s (one time down, to 22), node b at 60 for 50
/// s.
Trace four_nodes() {
  Trace trace;
  trace.file = "trace.csv";
  const auto fault = [&](const char* node, std::int64_t start, std::int64_t end, TraceClass fault_class) {
    TraceRecord r;
    r.start_ns = start * s;
    r.end_ns = end * s;
    r.node = trace.nodes.number_of(node);
    r.fault_class = fault_class;
    trace.records.push_back(r);
  };
  fault("a", 10, 15, TraceClass::hardware);
  fault("a", 12, 22, TraceClass::software);
  fault("b", 60, 110, TraceClass::hardware);
  trace.last_ns = 100 * s;
  return trace;
}

ReplaySpec cycled() {
  ReplaySpec spec;
  spec.file = "trace.csv";
  spec.nodes = 4;
  spec.mapping = NodeMapping::cycled;
  return spec;
}

using Events = std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>>;  // start, length, node

Events events_of(const Replay& replay, std::int64_t horizon_s, std::uint32_t run = 0) {
  Events events;
  for (const FaultEvent& e : replay.draw(1, run, horizon_s * s))
    events.emplace_back(e.start_ns / s, e.repair_ns / s, e.component);
  return events;
}

TEST(Replay, OnTheSameClusterIsTheTraceOverAndOver) {
  const Replay replay(four_nodes(), cycled(), 4);
  EXPECT_EQ(events_of(replay, 200), (Events{{10, 12, 0}, {60, 50, 1}, {110, 12, 0}, {160, 50, 1}}));
  ReplaySpec once = cycled();
  once.repeat = false;
  EXPECT_EQ(events_of(Replay(four_nodes(), once, 4), 200), (Events{{10, 12, 0}, {60, 50, 1}}));
}

// Hardware: 2 faults in 4 x 100 node-seconds, one in 200 s; repairs 5 and 50 s, so gaps of 172.5 s. Software: 400 s, 10
// s.
TEST(Replay, ClassesHaveTheRatesOfTheTrace) {
  const Replay replay(four_nodes(), cycled(), 4);
  const FaultSpec& spec = replay.classes();
  ASSERT_EQ(spec.classes.size(), 2U);
  EXPECT_EQ(spec.classes[0].name, "hardware");
  EXPECT_DOUBLE_EQ(spec.classes[0].mtbf_s, 172.5);
  EXPECT_DOUBLE_EQ(spec.classes[0].repair.mean_s, 27.5);
  EXPECT_DOUBLE_EQ(spec.classes[1].mtbf_s, 390);
  EXPECT_TRUE(problems_of(spec).empty());
}

// Ten nodes: histories a, b, -, - on nodes 0 1 2 3 4 5 6 7 8 9; a has three copies (0, 4, 8), each a third of 100 s
// later, so does b (1, 5, 9).
TEST(Replay, CopiesAreShifted) {
  EXPECT_EQ(events_of(Replay(four_nodes(), cycled(), 10), 100),
            (Events{{10, 12, 0}, {26, 50, 9}, {43, 12, 4}, {60, 50, 1}, {76, 12, 8}, {93, 50, 5}}));
}

// The window from 11 s to 61 s: a is down at its start, to 22, b from its 49th second to its end and beyond.
TEST(Replay, Window) {
  ReplaySpec spec = cycled();
  spec.from_s = 11;
  spec.to_s = 61;
  EXPECT_EQ(events_of(Replay(four_nodes(), spec, 4), 50), (Events{{0, 11, 0}, {49, 50, 1}}));
  spec.from_s = 30;
  spec.to_s = 40;
  EXPECT_THROW(Replay(four_nodes(), spec, 4), TraceError);
  spec.to_s = 20;
  EXPECT_THROW(Replay(four_nodes(), spec, 4), TraceError);
}

TEST(Replay, CompressedTimeHasTheRepairsToo) {
  ReplaySpec spec = cycled();
  spec.compress = 2;
  EXPECT_EQ(events_of(Replay(four_nodes(), spec, 4), 50), (Events{{5, 6, 0}, {30, 25, 1}}));
}

// Twice the rate: each history and the same half of the window later; b's 60 to 110 and 10 to 60 are one time down.
TEST(Replay, ScaleAboveOneLaysHistoriesOver) {
  ReplaySpec spec = cycled();
  spec.scale = 2;
  EXPECT_EQ(events_of(Replay(four_nodes(), spec, 4), 100), (Events{{10, 12, 0}, {10, 100, 1}, {60, 12, 0}}));
}

// A quarter of 2 x 4,000 times down: 2,000, with standard deviation sqrt(8000 x 1/4 x 3/4) = 39; within four of them.
TEST(Replay, ScaleBelowOneLeavesFaultsOut) {
  ReplaySpec spec = cycled();
  spec.scale = 0.25;
  Trace trace = four_nodes();
  trace.records.erase(trace.records.begin() + 1);
  EXPECT_NEAR(static_cast<double>(events_of(Replay(trace, spec, 4), 400'000).size()), 2000, 156);
}

// By rank, a (2 faults) before b (1): on eight nodes each of the four histories twice, on whichever nodes; on two nodes
// ranks 0 and 2, so a and one that never failed.
TEST(Replay, RankedIsDealtAnewInEachRun) {
  ReplaySpec spec = cycled();
  spec.mapping = NodeMapping::ranked;
  const Replay eight(four_nodes(), spec, 8);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (const Replay::Source& source : eight.mapping(1, 0)) {
    EXPECT_EQ(source.copies, 2U);
    EXPECT_TRUE(seen.emplace(source.history, source.copy).second);
  }
  EXPECT_EQ(seen.size(), 8U);
  EXPECT_EQ(eight.history_name(0), "a");
  EXPECT_EQ(eight.history_name(3), "-");
  EXPECT_EQ(events_of(eight, 200, 3), events_of(eight, 200, 3));
  EXPECT_NE(events_of(eight, 200, 3), events_of(eight, 200, 4));
  const auto two = Replay(four_nodes(), spec, 2).mapping(1, 0);
  EXPECT_EQ((std::set<std::uint32_t>{two[0].history, two[1].history}), (std::set<std::uint32_t>{0, 2}));
}

// Two faults of nobody in particular on the four nodes: the first two, of which one is named and the other is not.
TEST(Replay, FaultsOfUnnamedNodesAreDealtInTurn) {
  Trace trace = four_nodes();
  trace.records.resize(1);
  for (const std::int64_t start : {30, 40}) {
    TraceRecord r;
    r.start_ns = start * s;
    r.end_ns = (start + 1) * s;
    r.node = trace.nodes.number_of(unnamed_node);
    trace.records.push_back(r);
  }
  EXPECT_EQ(node_count(trace), 2U);  // a and b
  EXPECT_EQ(events_of(Replay(trace, cycled(), 4), 100), (Events{{10, 5, 0}, {30, 1, 0}, {40, 1, 1}}));
}

TEST(Replay, FaultsWithoutAnEndNeedARepair) {
  Trace trace = four_nodes();
  trace.records[2].ending = Ending::point;
  EXPECT_THROW(Replay(trace, cycled(), 4), TraceError);
  ReplaySpec spec = cycled();
  spec.repair_s = 7;
  EXPECT_EQ(events_of(Replay(trace, spec, 4), 100), (Events{{10, 12, 0}, {60, 7, 1}}));
  spec.nodes = 1;
  EXPECT_THROW(Replay(trace, spec, 4), TraceError);
}

}  // namespace
}  // namespace toposim::faults
