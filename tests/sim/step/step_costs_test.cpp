#include "sim/step/step_costs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace toposim::sim {
namespace {

StepState missing(std::vector<std::uint32_t> replicas) {
  StepState state;
  state.missing_replicas = std::move(replicas);
  return state;
}

TEST(StepCosts, PricesEachStateOnce) {
  int calls = 0;
  MemoisedStepCosts costs([&](const StepState& state) {
    ++calls;
    return 1.5 + static_cast<double>(state.missing_replicas.size());
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(costs.step_time_ns(StepState{}), 1'500'000'000);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(costs.step_time_ns(missing({7})), 2'500'000'000);
  EXPECT_EQ(costs.step_time_ns(missing({8})), 2'500'000'000);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(costs.queries(), 6);
  EXPECT_EQ(costs.misses(), 3);
  EXPECT_EQ(costs.hits(), 3);
  const std::vector<StateUse> uses = costs.states();
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_TRUE(uses[0].state.nominal());
  EXPECT_EQ(uses[0].queries, 3);
  EXPECT_EQ(uses[1].state, missing({7}));
  EXPECT_EQ(uses[1].queries, 2);
  EXPECT_EQ(uses[2].state, missing({8}));
}

TEST(StepCosts, RoundsToWholeNanoseconds) {
  MemoisedStepCosts costs([](const StepState& state) { return state.compute_speed * 1e-9; });
  StepState slow;
  slow.compute_speed = 0.1;  // 0.1 ns: at least one
  EXPECT_EQ(costs.step_time_ns(slow), 1);
  EXPECT_EQ(costs.step_time_ns(StepState{}), 1);
  MemoisedStepCosts other([](const StepState&) { return 2.6e-9; });
  EXPECT_EQ(other.step_time_ns(StepState{}), 3);
}

TEST(StepCosts, RedistributionIsNoStateOfItsOwnWhileNobodyIsMissing) {
  MemoisedStepCosts costs([](const StepState&) { return 1.0; });
  StepState state;
  state.redistribute = true;
  costs.step_time_ns(state);
  costs.step_time_ns(StepState{});
  state.compute_speed = 0.5;
  costs.step_time_ns(state);
  state.redistribute = false;
  costs.step_time_ns(state);
  EXPECT_EQ(costs.misses(), 2);
}

TEST(StepCosts, CountsDoNotDependOnThreads) {
  const auto run = [](int threads) {
    MemoisedStepCosts costs([](const StepState& state) { return 1.0 + state.compute_speed; });
    std::vector<std::thread> pool;
    std::atomic<int> next{0};
    for (int t = 0; t < threads; ++t) {
      pool.emplace_back([&] {
        for (int i = next++; i < 4000; i = next++) {
          StepState state = missing({static_cast<std::uint32_t>(i % 37)});
          state.compute_speed = i % 5 == 0 ? 0.5 : 1;
          costs.step_time_ns(i % 3 == 0 ? StepState{} : state);
        }
      });
    }
    for (std::thread& thread : pool) thread.join();
    std::vector<std::int64_t> counts{costs.queries(), costs.misses(), costs.hits()};
    for (const StateUse& use : costs.states()) counts.insert(counts.end(), {use.step_time_ns, use.queries});
    return counts;
  };
  EXPECT_EQ(run(1), run(4));
}

TEST(StepCosts, ImpossibleTimesAreErrors) {
  MemoisedStepCosts costs([](const StepState& state) { return state.nominal() ? 0.0 : 1e12; });
  EXPECT_THROW(costs.step_time_ns(StepState{}), std::invalid_argument);
  EXPECT_THROW(costs.step_time_ns(missing({1})), std::invalid_argument);
  EXPECT_EQ(costs.misses(), 0);
}

TEST(StepState, EqualityHashAndOrder) {
  const StepState a = missing({1, 2}), b = missing({1, 3});
  EXPECT_EQ(a.hash(), missing({1, 2}).hash());
  EXPECT_NE(a.hash(), b.hash());
  EXPECT_TRUE(state_less(a, b));
  EXPECT_FALSE(state_less(b, a));
  StepState slow;
  slow.compute_speed = 0.5;
  EXPECT_NE(slow.hash(), StepState{}.hash());
  EXPECT_TRUE(state_less(slow, StepState{}));
}

}  // namespace
}  // namespace toposim::sim
