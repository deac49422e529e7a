// Symmetry classes must not change the answer: reduced and unreduced SimGrid solves, and progressive filling written
// out here, agree on random phases.
#include "sim/fabric/flow_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sim/fabric/flow_batches.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

using Crossings = std::vector<MaxMinProblem::Crossing>;

/// Max-min rates of the flows still open, by raising all rates together and fixing those that meet a full link
/// (Bertsekas and Gallager, Data Networks, 6.5.2).
std::vector<double> rates_Bps(const MaxMinProblem& problem, const std::vector<bool>& open) {
  std::vector<double> rate(problem.flows(), 0), left = problem.capacity_Bps;
  std::vector<bool> rising = open;
  while (std::ranges::count(rising, true) > 0) {
    std::vector<double> weight(problem.links(), 0);
    for (std::size_t f = 0; f < problem.flows(); ++f)
      if (rising[f])
        for (const auto& c : problem.crossings_of(f)) weight[c.link] += c.times;
    double rise = INFINITY;
    for (std::size_t l = 0; l < problem.links(); ++l)
      if (weight[l] > 0) rise = std::min(rise, left[l] / weight[l]);
    std::vector<bool> full(problem.links(), false);
    for (std::size_t l = 0; l < problem.links(); ++l) {
      full[l] = weight[l] > 0 && left[l] / weight[l] <= rise * (1 + 1e-12);
      left[l] -= rise * weight[l];
    }
    for (std::size_t f = 0; f < problem.flows(); ++f) {
      if (!rising[f]) continue;
      rate[f] += rise;
      for (const auto& c : problem.crossings_of(f)) rising[f] = rising[f] && !full[c.link];
    }
  }
  return rate;
}

std::vector<double> filled_s(const MaxMinProblem& problem) {
  std::vector<double> left = problem.bytes, done_s(problem.flows(), 0);
  std::vector<bool> open(problem.flows(), true);
  double now_s = 0;
  while (std::ranges::count(open, true) > 0) {
    const std::vector<double> rate = rates_Bps(problem, open);
    double step_s = INFINITY;
    for (std::size_t f = 0; f < problem.flows(); ++f)
      if (open[f]) step_s = std::min(step_s, left[f] / rate[f]);
    now_s += step_s;
    for (std::size_t f = 0; f < problem.flows(); ++f) {
      if (!open[f]) continue;
      left[f] -= rate[f] * step_s;
      if (left[f] <= 1e-12 * problem.bytes[f]) {
        open[f] = false;
        done_s[f] = now_s;
      }
    }
  }
  return done_s;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * b[i]) << what << ", flow " << i;
}

/// A few capacities and sizes, so that many flows are alike; routes of one to four links.
MaxMinProblem random_problem(std::mt19937& random, std::uint32_t flows, std::uint32_t links) {
  const auto draw = [&](std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); };
  MaxMinProblem problem;
  for (std::uint32_t l = 0; l < links; ++l) problem.capacity_Bps.push_back(draw(3) + 1);
  for (std::uint32_t f = 0; f < flows; ++f) {
    Crossings route;
    for (std::uint32_t hop = 0; hop <= draw(4); ++hop) {
      const std::uint32_t link = draw(links);
      if (std::ranges::find(route, link, &MaxMinProblem::Crossing::link) == route.end()) route.push_back({link, 1});
    }
    problem.add_flow(draw(3) + 1, route);
  }
  return problem;
}

TEST(FlowClasses, ReducedAndUnreducedSolvesAgreeOnRandomPhases) {
  std::mt19937 random(20240607);
  for (int trial = 0; trial < 200; ++trial) {
    const MaxMinProblem problem = random_problem(random, 1 + random() % 40, 1 + random() % 25);
    SCOPED_TRACE(trial);
    const std::vector<double> exact_s = filled_s(problem);
    expect_same(completion_unreduced_s(problem), exact_s, "unreduced");
    expect_same(completion_s(problem), exact_s, "reduced");
  }
}

TEST(FlowClasses, CopiesOfAPhaseAreOneClassEach) {
  // Three copies side by side, flows and links shuffled together: as many classes as one copy has, the same times.
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const MaxMinProblem one = random_problem(random, 12, 8);
    MaxMinProblem three;
    for (std::uint32_t copy = 0; copy < 3; ++copy)
      three.capacity_Bps.insert(three.capacity_Bps.end(), one.capacity_Bps.begin(), one.capacity_Bps.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // flow, copy
    for (std::uint32_t f = 0; f < 12; ++f)
      for (std::uint32_t copy = 0; copy < 3; ++copy) order.emplace_back(f, copy);
    std::ranges::shuffle(order, random);
    for (const auto& [flow, copy] : order) {
      Crossings route;
      for (const auto& c : one.crossings_of(flow)) route.push_back({c.link + 8 * copy, c.times});
      three.add_flow(one.bytes[flow], route);
    }
    EXPECT_EQ(flow_classes(three).quotient.flows(), flow_classes(one).quotient.flows());
    const std::vector<double> one_s = completion_s(one), three_s = completion_s(three);
    for (std::size_t i = 0; i < order.size(); ++i)
      EXPECT_NEAR(three_s[i], one_s[order[i].first], 1e-12 * one_s[order[i].first]);
  }
}

TEST(FlowClasses, ARingIsOneClass) {
  // 64 flows, flow i over links i and i + 1: every link carries two flows.
  MaxMinProblem ring;
  ring.capacity_Bps.assign(64, 10);
  for (std::uint32_t i = 0; i < 64; ++i) ring.add_flow(5, Crossings{{i, 1}, {(i + 1) % 64, 1}});
  const FlowClasses classes = flow_classes(ring);
  ASSERT_EQ(classes.quotient.flows(), 1U);
  ASSERT_EQ(classes.quotient.links(), 1U);
  EXPECT_EQ(classes.quotient.crossings, (Crossings{{0, 2}}));
  EXPECT_EQ(completion_s(ring), std::vector<double>(64, 1.0));
}

TEST(FlowClasses, OneSlowLinkTellsARingApart) {
  // Link 0 at half speed: flows are alike by their distance from it, flow i and flow 63 - i: 32 classes.
  MaxMinProblem ring;
  ring.capacity_Bps.assign(64, 10);
  ring.capacity_Bps[0] = 5;
  for (std::uint32_t i = 0; i < 64; ++i) ring.add_flow(5, Crossings{{i, 1}, {(i + 1) % 64, 1}});
  const FlowClasses classes = flow_classes(ring);
  EXPECT_EQ(classes.quotient.flows(), 32U);
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(classes.class_of[i], classes.class_of[63 - i]);
  expect_same(completion_s(ring), filled_s(ring), "ring");
}

TEST(FlowClasses, ALongChainIsLeftAsItIs) {
  // As above with 300 links: the difference would need 150 rounds to go round. Flows 0 and 299 share the slow link at
  // 2.5 B/s each and are done at 2 s, all others at 1 s.
  MaxMinProblem ring;
  ring.capacity_Bps.assign(300, 10);
  ring.capacity_Bps[0] = 5;
  for (std::uint32_t i = 0; i < 300; ++i) ring.add_flow(5, Crossings{{i, 1}, {(i + 1) % 300, 1}});
  EXPECT_EQ(flow_classes(ring).quotient.flows(), 300U);
  expect_same(completion_s(ring), filled_s(ring), "ring");
  EXPECT_DOUBLE_EQ(last_completion_s(ring), 2);
}

TEST(FlowBatches, ComponentsArePackedUpToTheLimit) {
  // Ten components of three flows on one link each: three to a batch of at most ten.
  MaxMinProblem problem;
  problem.capacity_Bps.assign(10, 1);
  for (std::uint32_t f = 0; f < 30; ++f) problem.add_flow(1 + f, Crossings{{f % 10, 1}});
  const std::vector<FlowBatch> batches = flow_batches(problem, 10);
  ASSERT_EQ(batches.size(), 4U);
  EXPECT_EQ(batches[0].flows, (std::vector<std::uint32_t>{0, 10, 20, 1, 11, 21, 2, 12, 22}));
  EXPECT_EQ(batches[3].flows.size(), 3U);
  EXPECT_EQ(flow_batches(problem, 2).size(), 10U);  // a component is never cut
}

TEST(FlowBatches, OnlyLinksThatCanBindAreKept) {
  // Flow 0 has links 0 and 1 to itself (1 is tighter: 4 / 2 < 3) and shares link 2, twice each, with flow 1.
  MaxMinProblem problem;
  problem.capacity_Bps = {3, 4, 10};
  problem.add_flow(1, Crossings{{0, 1}, {1, 2}, {2, 2}});
  problem.add_flow(1, Crossings{{2, 4}});
  const std::vector<FlowBatch> batches = flow_batches(problem, 256);
  ASSERT_EQ(batches.size(), 1U);
  EXPECT_EQ(batches[0].problem.capacity_Bps, (std::vector<double>{5, 2}));
  EXPECT_EQ(batches[0].problem.crossings, (Crossings{{0, 1}, {1, 1}, {0, 2}}));
}

TEST(FlowBatches, ManyUnlikeComponentsAreSolvedInTurn) {
  // 2000 links of their own, every flow of another size: far more than are in flight at a time.
  MaxMinProblem problem;
  for (std::uint32_t f = 0; f < 2000; ++f) {
    problem.capacity_Bps.push_back(8);
    problem.add_flow(1 + f, Crossings{{f, 1}});
  }
  const std::vector<double> done_s = completion_s(problem);
  for (std::size_t f = 0; f < done_s.size(); ++f) EXPECT_NEAR(done_s[f], (1.0 + f) / 8, 1e-12 * (1.0 + f));
}

TEST(FlowBatches, AComponentTooLargeForSimgrid) {
  // Flow i over links i and i + 1 in a row, all capacities unlike, so no two flows are. Of one size: link i carries two
  // flows but for the ends; the slowest shared one, capacity 1 + 1/30000, is busiest: 2 / (1 + 1/30000) s.
  MaxMinProblem row;
  for (std::uint32_t l = 0; l <= 30000; ++l) row.capacity_Bps.push_back(1 + l / 30000.0);
  for (std::uint32_t f = 0; f < 30000; ++f) row.add_flow(1, Crossings{{f, 1}, {f + 1, 1}});
  EXPECT_DOUBLE_EQ(last_completion_s(row), 2 / (1 + 1 / 30000.0));
  EXPECT_THROW(completion_s(row), topology::TopologyError);
  row.bytes[7] = 2;
  EXPECT_THROW(last_completion_s(row), topology::TopologyError);
}

}  // namespace
}  // namespace toposim::sim
