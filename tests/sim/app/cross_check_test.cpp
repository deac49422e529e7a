#include "sim/app/cross_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "quickstart.hpp"
#include "sim/app/study.hpp"
#include "sim/app/world.hpp"

namespace toposim::sim::test {
namespace {

/// The flow model with every time 3 % longer, or whatever is asked for; notes which fabrics it was asked about.
class SlowerFlow final : public FabricModel {
 public:
  SlowerFlow(const topology::Router& router, double factor) : flow_(make_flow_model(router)), factor_(factor) {}
  PhaseTime solve(const Phase& phase, const topology::FabricState& state) override {
    if (!state.healthy()) broken_arcs.insert(state.entries().front().arc);
    PhaseTime time = flow_->solve(phase, state);
    time.transfer_s *= factor_;
    time.latency_s *= factor_;
    return time;
  }
  std::set<topology::ArcId> broken_arcs;

 private:
  std::unique_ptr<FabricModel> flow_;
  double factor_;
};

// Eight alike rings over one GPU of each node: every flow is of one size and the busiest arc decides, in both models.
TEST(CrossCheck, HonestModelsAgree) {
  const Scenario scenario = quickstart();
  const World world(scenario);
  const auto flow = make_flow_model(world.router);
  const CrossCheck check = cross_check(world.step_model, *flow, {}, 5);
  EXPECT_EQ(check.states, 1);
  EXPECT_LT(check.healthy_deviation, 1e-9);
  EXPECT_EQ(check.largest_deviation, check.healthy_deviation);
}

/// The quickstart on wires only: the launch of a collective costs nothing, so that all of its time is the fabric's.
Scenario wires(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  Scenario scenario = quickstart(changes);
  scenario.job.latency = by_hand();
  return scenario;
}

// With nothing hidden a step S is compute and communication, T of tensor and D of data parallelism; 3 % of that makes
// the fast step 0.03 (T + D) short of S + 0.03 (T + D). T: 128 micro-batches, 80 layers, 4 reduce-scatters and 4
// all-gathers of s b h x 2 B = 4096 x 8192 x 2 = 67,108,864 B, 7/8 of it at 450 GB/s, and 7 hops of 2 x 250 ns.
TEST(CrossCheck, ThreePercentOfWhatIsExposed) {
  const Scenario scenario = wires({{"job.overlap.data", "0%"}});
  const World world(scenario);
  const StepBreakdown& step = world.nominal_step;
  const double tensor_s = 128 * 80 * 8 * (7.0 / 8 * 67108864 / 450e9 + 7 * 500e-9);
  ASSERT_NEAR(step.tensor_parallel_s, tensor_s, 1e-6);
  ASSERT_GT(step.data_parallel_s, 0.5);
  const double extra_s = 0.03 * (step.tensor_parallel_s + step.data_parallel_s);

  SlowerFlow slower(world.router, 1.03);
  const CrossCheck check = cross_check(world.step_model, slower, {}, 5);
  EXPECT_NEAR(check.healthy_deviation, extra_s / (step.step_time_s + extra_s), 1e-9);
  EXPECT_NEAR(check.largest_deviation, extra_s / (step.step_time_s + extra_s), 1e-9);
  EXPECT_NEAR(check.largest_deviation_s, extra_s, 1e-6);

  // A model that is faster than the fast one is as wrong: |S - (S - x)| / (S - x).
  SlowerFlow faster(world.router, 0.97);
  EXPECT_NEAR(cross_check(world.step_model, faster, {}, 5).healthy_deviation, extra_s / (step.step_time_s - extra_s),
              1e-9);
}

// Micro-batches of 8 sequences cover all of the data-parallel exchange, also if it takes 3 % longer: T alone deviates.
// With those of one sequence both windows, for gradients and for parameters, are full: what is longer is exposed, 3 %
// of the hidden part as well.
TEST(CrossCheck, WhatStaysHiddenDoesNotDeviate) {
  for (const char* micro_batch : {"8", "1"}) {
    const Scenario scenario = wires({{"job.micro_batch", micro_batch}});
    const World world(scenario);
    const StepBreakdown& step = world.nominal_step;
    ASSERT_GT(step.hidden_data_parallel_s, 0.3);
    double extra_s = 0.03 * step.tensor_parallel_s;
    if (*micro_batch == '8') {
      ASSERT_EQ(step.data_parallel_s, 0);
    } else {
      ASSERT_DOUBLE_EQ(step.hidden_data_parallel_s, step.gradient_window_s + step.parameter_window_s);
      extra_s += 0.03 * (step.data_parallel_s + step.hidden_data_parallel_s);
    }
    SlowerFlow slower(world.router, 1.03);
    EXPECT_NEAR(cross_check(world.step_model, slower, {}, 5).healthy_deviation, extra_s / (step.step_time_s + extra_s),
                1e-9)
        << micro_batch;
  }
}

// Four broken states, one NIC each that sends at half speed: a asked for 100 times at 1 s a step, b 50 times at 2 s, c
// twice at 8 s, d once at 9 s. Turn by turn the most used and the slowest: a, d, b, c; and the healthy state beside
// them.
TEST(CrossCheck, LooksAtTheMostUsedAndTheSlowest) {
  const Scenario scenario = quickstart();
  const World world(scenario);
  std::vector<topology::ArcId> arcs;
  std::vector<StateUse> states{{{}, 1, 1'000'000}};
  const std::vector<std::pair<std::int64_t, std::int64_t>> time_and_use{{1, 100}, {2, 50}, {8, 2}, {9, 1}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    const topology::ArcId arc = world.cluster.cable(topology::LinkKind::access, i);
    arcs.push_back(arc);
    StateUse use;
    use.state.fabric.set_arc(arc, 0.5);
    use.step_time_ns = time_and_use[i].first * 1'000'000'000;
    use.queries = time_and_use[i].second;
    states.push_back(use);
  }
  const auto looked_at = [&](std::int64_t broken_states) {
    SlowerFlow flow(world.router, 1);
    const CrossCheck check = cross_check(world.step_model, flow, states, broken_states);
    EXPECT_EQ(check.states, 1 + static_cast<std::int64_t>(flow.broken_arcs.size()));
    return flow.broken_arcs;
  };
  using Arcs = std::set<topology::ArcId>;
  EXPECT_EQ(looked_at(0), Arcs{});
  EXPECT_EQ(looked_at(1), (Arcs{arcs[0]}));
  EXPECT_EQ(looked_at(2), (Arcs{arcs[0], arcs[3]}));
  EXPECT_EQ(looked_at(3), (Arcs{arcs[0], arcs[3], arcs[1]}));
  EXPECT_EQ(looked_at(100), (Arcs{arcs.begin(), arcs.end()}));
}

// A step at half the compute speed has the same 3 % extra and is longer: less off than the healthy one, S + x. A NIC
// that sends at a tenth makes each ring ten times as slow in transfer: D' is far above D, and so is the deviation.
TEST(CrossCheck, TheLargestDeviationCounts) {
  const Scenario scenario = wires({{"job.overlap.data", "0%"}});
  const World world(scenario);
  SlowerFlow slower(world.router, 1.03);
  const auto extra_s = [](const StepBreakdown& step) { return 0.03 * (step.tensor_parallel_s + step.data_parallel_s); };
  const StepBreakdown& healthy = world.nominal_step;
  StateUse slow, narrow;
  slow.state.compute_speed = 0.5;
  CrossCheck check = cross_check(world.step_model, slower, {slow}, 5);
  EXPECT_EQ(check.states, 2);
  EXPECT_EQ(check.largest_deviation, check.healthy_deviation);
  EXPECT_NEAR(check.largest_deviation_s, extra_s(healthy), 1e-6);

  narrow.state.fabric.set_arc(world.cluster.cable(topology::LinkKind::access, 0), 0.1);
  const StepBreakdown broken = world.step_model.step_incremental(narrow.state);
  ASSERT_GT(broken.data_parallel_s, 5 * healthy.data_parallel_s);
  check = cross_check(world.step_model, slower, {slow, narrow}, 5);
  EXPECT_EQ(check.states, 3);
  EXPECT_NEAR(check.healthy_deviation, extra_s(healthy) / (healthy.step_time_s + extra_s(healthy)), 1e-9);
  EXPECT_NEAR(check.largest_deviation, extra_s(broken) / (broken.step_time_s + extra_s(broken)), 1e-9);
  EXPECT_NEAR(check.largest_deviation_s, extra_s(broken), 1e-6);
}

// At 2 % it stands; above, the error says how far off, of how many states, and what to set.
TEST(CrossCheck, AboveTheBoundTheRunFails) {
  CrossCheck check;
  check.states = 6;
  check.healthy_deviation = 0.001;
  check.largest_deviation = 0.02;
  EXPECT_NO_THROW(require_close(check));
  check.largest_deviation = 0.0312;
  check.largest_deviation_s = 1.5;
  try {
    require_close(check);
    FAIL() << "3.12 % passed";
  } catch (const StudyError& error) {
    const std::string words = error.what();
    for (const char* part : {"3.1 %", "1.5 s", "6 states", "2 %", "set run.fidelity: flow"})
      EXPECT_NE(words.find(part), std::string::npos) << part << " is not in: " << words;
  }
  check.largest_deviation = std::nextafter(0.02, 1);
  EXPECT_THROW(require_close(check), StudyError);
}

}  // namespace
}  // namespace toposim::sim::test
