// What is taken from a trace: gaps, repairs, lives, down times, groups; a trace small enough to do by hand.
#include <gtest/gtest.h>

#include "faults/fit/clustering.hpp"
#include "faults/fit/downtime.hpp"
#include "faults/fit/sample.hpp"

namespace toposim::faults {
namespace {

constexpr std::int64_t hour = 3'600'000'000'000;

TraceRecord fault(double start_h, double end_h, std::uint32_t node, Ending ending = Ending::closed) {
  TraceRecord r;
  r.start_ns = static_cast<std::int64_t>(start_h * hour);
  r.end_ns = ending == Ending::closed ? static_cast<std::int64_t>(end_h * hour) : r.start_ns;
  r.node = node;
  r.ending = ending;
  return r;
}

const TraceWindow hundred_hours{0, 100 * hour};

// Node 0 is down from 10 to 20, and again within it from 15 to 30; node 1 at 15 for nothing, and from 80 on for good.
const std::vector<TraceRecord> five_faults = {fault(10, 20, 0), fault(15, 30, 0), fault(15, 15, 1),
                                              fault(40, 0, 0, Ending::point), fault(80, 0, 1, Ending::open)};

using Hours = std::vector<double>;

TEST(FaultSamples, GapsAreBetweenStarts) {
  const Sample gaps = gaps_between_faults(five_faults, ZeroGaps::leave_out);
  EXPECT_EQ(gaps.values_h, (Hours{5, 25, 40}));
  EXPECT_EQ(gaps.zeros, 1U);
  EXPECT_EQ(gaps_between_faults(five_faults, ZeroGaps::half_smallest).values_h, (Hours{5, 25, 40, 2.5}));
}

TEST(FaultSamples, RepairsAreOfEachFaultAndOpenOnesCensored) {
  const Sample repairs = repair_times(five_faults, hundred_hours, ZeroGaps::leave_out);
  EXPECT_EQ(repairs.values_h, (Hours{10, 15}));
  EXPECT_EQ(repairs.censored_h, (Hours{20}));  // from 80 to the window's end
  EXPECT_EQ(repairs.zeros, 1U);
}

// Node 0: down till 30, up till the point at 40, up to the end: 60 censored. Node 1: up from 15 to 80, then open.
TEST(FaultSamples, LivesStartAtRepairs) {
  const Sample lives = lives_of_nodes(five_faults, hundred_hours, ZeroGaps::leave_out);
  EXPECT_EQ(lives.values_h, (Hours{10, 65}));
  EXPECT_EQ(lives.censored_h, (Hours{60}));
}

// Union: node 0 from 10 to 30, node 1 from 80 to 100: 40 node-hours of 100 h. Separate: 10 + 15 + 20.
TEST(FaultSamples, DownTimes) {
  const auto merged = down_intervals(five_faults, hundred_hours, Overlaps::merge);
  ASSERT_EQ(merged.size(), 2U);
  const NodesDown down = nodes_down(merged, hundred_hours);
  EXPECT_DOUBLE_EQ(down.node_days, 40.0 / 24);
  EXPECT_DOUBLE_EQ(down.mean, 0.4);
  EXPECT_EQ(down.p50, 0U);
  EXPECT_EQ(down.p99, 1U);
  EXPECT_EQ(down.most, 1U);
  const NodesDown separate = nodes_down(down_intervals(five_faults, hundred_hours, Overlaps::separate), hundred_hours);
  EXPECT_DOUBLE_EQ(separate.node_days, 45.0 / 24);
  EXPECT_EQ(separate.most, 2U);
  // From 18 h to 25 h: 7 h of node 0.
  EXPECT_DOUBLE_EQ(
      nodes_down(down_intervals(five_faults, {18 * hour, 25 * hour}, Overlaps::merge), hundred_hours).node_days,
      7.0 / 24);
}

// Four whole days (100 h): 3, 1, 0 and 1 faults; mean 5/4, variance (3.0625 + 0.0625 + 1.5625 + 0.0625) / 4 = 1.1875;
// ratio 0.95. Of 10 nodes: 3, 2 and eight times 0; mean 0.5, variance (6.25 + 2.25 + 8 x 0.25) / 10 = 1.05; ratio 2.1.
// The worst 5 % of 10 is half a node, so one: 3 of 5 faults. One group: both nodes at 15 h.
TEST(FaultSamples, Clustering) {
  const Clustering c = clustering(five_faults, hundred_hours, 10);
  EXPECT_DOUBLE_EQ(c.dispersion_daily, 0.95);
  EXPECT_DOUBLE_EQ(c.dispersion_nodes, 2.1);
  EXPECT_DOUBLE_EQ(c.worst_share, 0.6);
  EXPECT_EQ(c.worst_nodes, 1U);
  EXPECT_EQ(c.groups, 1U);
  EXPECT_EQ(c.grouped_faults, 2U);
  EXPECT_EQ(c.largest_group, 2U);
  EXPECT_TRUE(c.gap_correlation.empty());
}

// Gaps 1, 3, 1, 3, ... (n of them, mean 2): products of neighbours are -1 each, n - 1 of them over a variance sum of n.
TEST(FaultSamples, GapsThatAlternateCorrelateNegatively) {
  std::vector<TraceRecord> alternating;
  double at_h = 0;
  for (int i = 0; i <= 20; ++i) {
    alternating.push_back(fault(at_h, at_h, 0));
    at_h += i % 2 == 0 ? 1 : 3;
  }
  const Clustering c = clustering(alternating, hundred_hours, 1);
  ASSERT_EQ(c.gap_correlation.size(), correlation_lags);
  EXPECT_NEAR(c.gap_correlation[0], -19.0 / 20, 1e-12);
  EXPECT_NEAR(c.gap_correlation[1], 18.0 / 20, 1e-12);
}

}  // namespace
}  // namespace toposim::faults
