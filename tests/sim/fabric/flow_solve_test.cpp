// Max-min sharing by SimGrid against times worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/fabric/flow_problem.hpp"

namespace toposim::sim {
namespace {

using Crossings = std::vector<MaxMinProblem::Crossing>;

MaxMinProblem on_links(std::vector<double> capacity_Bps) {
  MaxMinProblem problem;
  problem.capacity_Bps = std::move(capacity_Bps);
  return problem;
}

TEST(FlowSolve, OneGigabyteOverOneGigabitPerSecondTakesEightSeconds) {
  // 1e9 B / (1e9 / 8 B/s) = 8 s. SimGrid's default model, made for WAN TCP, says 8.66 s.
  MaxMinProblem problem = on_links({1e9 / 8});
  problem.add_flow(1e9, Crossings{{0, 1}});
  EXPECT_DOUBLE_EQ(completion_s(problem).at(0), 8.0);
}

TEST(FlowSolve, TwoEqualFlowsShareALink) {
  // Each gets half of 100 B/s: 50 B / 50 B/s = 1 s.
  MaxMinProblem problem = on_links({100});
  problem.add_flow(50, Crossings{{0, 1}});
  problem.add_flow(50, Crossings{{0, 1}});
  EXPECT_EQ(completion_s(problem), (std::vector<double>{1, 1}));
}

TEST(FlowSolve, TheShorterOfTwoFlowsGivesItsShareBack) {
  // 50 B/s each until 10 B are done at 0.2 s; the other has 20 B left at 100 B/s: 0.2 + 0.2 s.
  MaxMinProblem problem = on_links({100});
  problem.add_flow(10, Crossings{{0, 1}});
  problem.add_flow(30, Crossings{{0, 1}});
  const std::vector<double> done_s = completion_s(problem);
  EXPECT_DOUBLE_EQ(done_s[0], 0.2);
  EXPECT_DOUBLE_EQ(done_s[1], 0.4);
}

/// Two 10 MB flows share a 1 MB/s link; each also shares its own 1 MB/s link with nine 0.9 MB flows.
MaxMinProblem unequal_sizes() {
  MaxMinProblem problem = on_links({1e6, 1e6, 1e6});
  for (const std::uint32_t own : {1U, 2U}) {
    problem.add_flow(10e6, Crossings{{0, 1}, {own, 1}});
    for (int i = 0; i < 9; ++i) problem.add_flow(0.9e6, Crossings{{own, 1}});
  }
  return problem;
}

TEST(FlowSolve, UnequalSizesTakeLongerThanTheBusiestLink) {
  // The busiest link carries 20 MB at 1 MB/s: 20 s at least. But the own links give a tenth each, 0.1 MB/s, until the
  // nine short flows are done at 0.9 MB / 0.1 MB/s = 9 s. By then 0.9 MB of each long flow is through; the other 9.1 MB
  // go at 0.5 MB/s, 18.2 s: 27.2 s.
  const std::vector<double> done_s = completion_s(unequal_sizes());
  for (std::size_t f = 0; f < done_s.size(); ++f)
    EXPECT_NEAR(done_s[f], f % 10 == 0 ? 27.2 : 9.0, 1e-12) << "flow " << f;
}

TEST(FlowSolve, AFlowThatStandsForManyIsChargedForEach) {
  // Three alike flows as one that crosses its link three times: 100 B/s / 3 each, 50 B take 1.5 s.
  MaxMinProblem problem = on_links({100});
  problem.add_flow(50, Crossings{{0, 3}});
  EXPECT_DOUBLE_EQ(completion_s(problem).at(0), 1.5);
  EXPECT_DOUBLE_EQ(completion_unreduced_s(problem).at(0), 1.5);
  // Beside one flow of its own on the same link: rates r and r with 3r + r = 100, so 25 B/s. The single flow of 25 B is
  // done at 1 s; three of 50 B have 25 B left each at 100/3 B/s: 1.75 s.
  problem.add_flow(25, Crossings{{0, 1}});
  EXPECT_DOUBLE_EQ(completion_s(problem).at(1), 1.0);
  EXPECT_DOUBLE_EQ(completion_s(problem).at(0), 1.75);
}

TEST(FlowSolve, TimesKeepTheirDigitsAtAnyScale) {
  // Nanoseconds and years alike: 1 B over 450 GB/s, 1e18 B over 1 B/s, fractions of a byte.
  MaxMinProblem problem = on_links({450e9, 1, 3});
  problem.add_flow(1, Crossings{{0, 1}});
  EXPECT_DOUBLE_EQ(completion_s(problem).at(0), 1 / 450e9);
  problem.add_flow(1e18, Crossings{{1, 1}});
  problem.add_flow(1e18 + 1024, Crossings{{2, 1}});
  const std::vector<double> done_s = completion_s(problem);
  EXPECT_DOUBLE_EQ(done_s[1], 1e18);
  EXPECT_DOUBLE_EQ(done_s[2], (1e18 + 1024) / 3);
  MaxMinProblem fraction = on_links({2});
  fraction.add_flow(0.1, Crossings{{0, 1}});
  EXPECT_DOUBLE_EQ(completion_s(fraction).at(0), 0.05);
}

TEST(FlowSolve, ABadProblemIsRefused) {
  MaxMinProblem dead = on_links({0});
  dead.add_flow(1, Crossings{{0, 1}});
  EXPECT_THROW(completion_s(dead), std::invalid_argument);
  MaxMinProblem endless = on_links({1});
  endless.add_flow(std::numeric_limits<double>::infinity(), Crossings{{0, 1}});
  EXPECT_THROW(completion_s(endless), std::invalid_argument);
  MaxMinProblem nowhere = on_links({1});
  nowhere.add_flow(1, {});
  EXPECT_THROW(completion_unreduced_s(nowhere), std::invalid_argument);
  EXPECT_TRUE(completion_s(on_links({})).empty());
}

}  // namespace
}  // namespace toposim::sim
