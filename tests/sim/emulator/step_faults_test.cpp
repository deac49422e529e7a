#include "sim/emulator/step_faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace toposim::emulator::test {
namespace {

std::vector<std::uint32_t> domains(std::size_t workers, std::size_t size) {
  std::vector<std::uint32_t> domain;
  for (std::size_t w = 0; w < workers; ++w) domain.push_back(static_cast<std::uint32_t>(w / size));
  return domain;
}

std::vector<std::size_t> dead_by_domain(const std::vector<std::uint8_t>& answered,
                                        const std::vector<std::uint32_t>& domain) {
  std::vector<std::size_t> dead(domain.back() + 1);
  for (std::size_t w = 0; w < domain.size(); ++w) dead[domain[w]] += answered[w] == 0;
  std::sort(dead.rbegin(), dead.rend());
  return dead;
}

TEST(StepFaults, TransientOnesComeAndGoAtTheirRate) {
  // 200 steps of 500 workers at 5 %: 5,000 expected, standard deviation sqrt(100,000 x .05 x .95) = 69.
  const auto domain = domains(500, 10);
  const StepFaults faults({FaultPattern::transient, 0.05, 6, 0, 3}, domain);
  double dead = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const auto answered = faults.answered(step);
    dead += static_cast<double>(std::count(answered.begin(), answered.end(), 0));
  }
  EXPECT_NEAR(dead, 5000, 4 * 69);
  EXPECT_NE(faults.answered(0), faults.answered(1));
  EXPECT_EQ(faults.answered(7), faults.answered(7));
}

TEST(StepFaults, LastingOnesStay) {
  const auto domain = domains(64, 8);
  const StepFaults faults({FaultPattern::permanent, 0.25, 6, 10, 3}, domain);
  const auto before = faults.answered(9), after = faults.answered(10);
  EXPECT_EQ(std::count(before.begin(), before.end(), 0), 0);
  EXPECT_EQ(std::count(after.begin(), after.end(), 0), 16);
  EXPECT_EQ(faults.answered(1000), after);
}

TEST(StepFaults, SkewedOnesHitFewDomains) {
  // 12 of 64, six in a domain: two domains.
  const auto domain = domains(64, 8);
  const StepFaults faults({FaultPattern::skewed, 12.0 / 64, 6, 0, 3}, domain);
  const auto dead = dead_by_domain(faults.answered(0), domain);
  EXPECT_EQ(dead, (std::vector<std::size_t>{6, 6, 0, 0, 0, 0, 0, 0}));
}

TEST(StepFaults, AWholeDomain) {
  const auto domain = domains(64, 8);
  const StepFaults faults({FaultPattern::domain, 0, 6, 0, 3}, domain);
  EXPECT_EQ(dead_by_domain(faults.answered(0), domain)[0], 8U);
  EXPECT_EQ(dead_by_domain(faults.answered(0), domain)[1], 0U);
}

TEST(StepFaults, ATimelineIsRunThroughAtItsOwnPace) {
  // Ten steps have their middles at 0.05, 0.15, ...: absent from 0.2 to 0.5 is absent in steps 2, 3 and 4. Both are
  // from 0.9 on, and then the first stays.
  const auto domain = domains(2, 2);
  StepFaultSpec spec;
  spec.pattern = FaultPattern::timeline;
  spec.steps = 10;
  spec.absences = {{1, 0.2, 0.5}, {0, 0.9, 1}, {1, 0.9, 1}};
  const StepFaults faults(spec, domain);
  const std::vector<std::uint8_t> all{1, 1}, one{1, 0};
  for (const std::uint64_t step : {0U, 1U, 5U, 8U}) EXPECT_EQ(faults.answered(step), all) << step;
  for (const std::uint64_t step : {2U, 3U, 4U, 9U}) EXPECT_EQ(faults.answered(step), one) << step;
  EXPECT_FALSE(lasting(FaultPattern::timeline)) << "the absent come back";
  spec.absences[0].worker = 2;
  EXPECT_THROW(StepFaults(spec, domain), std::invalid_argument);
  spec.absences.clear();
  spec.steps = 0;
  EXPECT_THROW(StepFaults(spec, domain), std::invalid_argument);
}

TEST(StepFaults, WhatLeavesNobodyIsRefused) {
  const auto domain = domains(8, 8);
  EXPECT_THROW(StepFaults({FaultPattern::permanent, 1, 6, 0, 1}, domain), std::invalid_argument);
  EXPECT_THROW(StepFaults({FaultPattern::domain, 0, 6, 0, 1}, domain), std::invalid_argument);
  EXPECT_THROW(StepFaults({FaultPattern::skewed, 0.9, 6, 0, 1}, domain), std::invalid_argument);
  EXPECT_THROW(StepFaults({FaultPattern::transient, -0.1, 6, 0, 1}, domain), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::emulator::test
