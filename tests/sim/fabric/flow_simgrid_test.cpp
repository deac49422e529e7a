// One SimGrid engine for the whole process: any thread, any number of times, the same bits, and nobody else's signals.
#include <gtest/gtest.h>
#include <signal.h>

#include <random>
#include <thread>

#include "sim/fabric/flow_problem.hpp"
#include "sim/fabric/simgrid_engine.hpp"

namespace toposim::sim {
namespace {

MaxMinProblem awkward(std::uint32_t seed) {
  std::mt19937 random(seed);
  MaxMinProblem problem;
  for (int l = 0; l < 12; ++l) problem.capacity_Bps.push_back(1e9 / (3 + random() % 100));
  for (int f = 0; f < 40; ++f) {
    const std::uint32_t from = random() % 12, to = (from + 1 + random() % 11) % 12;
    problem.add_flow(1e6 / (1 + random() % 7), std::vector<MaxMinProblem::Crossing>{{from, 1}, {to, 1}});
  }
  return problem;
}

TEST(FlowSimgrid, TheSameProblemGivesTheSameBitsHoweverMuchRanBefore) {
  const MaxMinProblem problem = awkward(1);
  const std::vector<double> first = completion_s(problem);
  // A long run moves SimGrid's clock to where a double resolves microseconds only.
  MaxMinProblem year;
  year.capacity_Bps = {1};
  year.add_flow(1e11, std::vector<MaxMinProblem::Crossing>{{0, 1}});
  EXPECT_DOUBLE_EQ(completion_s(year).at(0), 1e11);
  for (std::uint32_t seed = 2; seed < 50; ++seed) completion_s(awkward(seed));
  EXPECT_EQ(completion_s(problem), first);
  // More links than the platform has: it is built again, larger.
  MaxMinProblem wide;
  for (std::uint32_t f = 0; f < 3000; ++f) {
    wide.capacity_Bps.push_back(1.0 + f);
    wide.add_flow(1, std::vector<MaxMinProblem::Crossing>{{f, 1}});
  }
  EXPECT_DOUBLE_EQ(completion_unreduced_s(wide).at(2999), 1.0 / 3000);
  EXPECT_EQ(completion_s(problem), first);
}

TEST(FlowSimgrid, ThreadsTakeTurns) {
  std::vector<std::vector<double>> alone;
  for (std::uint32_t seed = 0; seed < 8; ++seed) alone.push_back(completion_s(awkward(seed)));
  std::vector<std::vector<double>> together(32);
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < 8; ++t)
      threads.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < 4; ++i) together[4 * t + i] = completion_s(awkward((t + i) % 8));
      });
  }
  for (std::uint32_t t = 0; t < 8; ++t)
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(together[4 * t + i], alone[(t + i) % 8]);
}

TEST(FlowSimgrid, ExceptionsComeBackToTheCaller) {
  EXPECT_THROW(with_simgrid([](SimgridEngine&) { throw std::runtime_error("inside"); }), std::runtime_error);
  EXPECT_THROW(with_simgrid([](SimgridEngine&) { with_simgrid([](SimgridEngine&) {}); }), std::logic_error);
  EXPECT_EQ(completion_s(awkward(3)), completion_s(awkward(3)));
}

TEST(FlowSimgrid, SignalHandlersAreLeftAlone) {
  struct sigaction before {
  }, after{}, segv_before{};
  sigaction(SIGSEGV, nullptr, &segv_before);  // a sanitizer's, or none
  struct sigaction ours {};
  ours.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ours, &before);
  with_simgrid([](SimgridEngine& engine) { engine.reserve(20000, 2); });  // makes a new engine
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  sigaction(SIGINT, &before, nullptr);
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(after.sa_handler, segv_before.sa_handler);
}

}  // namespace
}  // namespace toposim::sim
