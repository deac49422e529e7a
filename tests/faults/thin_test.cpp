#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "faults/error.hpp"
#include "faults/fault_timeline.hpp"

namespace toposim::faults {
namespace {

FaultTimeline some_faults() {
  FaultClassSpec c;
  c.name = "gpu";
  c.mtbf_s = 86400;
  c.repair = {RepairShape::constant, 60, 0};
  return FaultModel({"", {c}}, {10'000}).draw(1, 0, 86'400'000'000'000);
}

bool contains(const FaultTimeline& larger, const FaultTimeline& smaller) {
  std::size_t i = 0;  // both in the same order
  for (const FaultEvent& e : larger)
    if (i < smaller.size() && smaller[i] == e) ++i;
  return i == smaller.size();
}

TEST(Thin, SetsNest) {
  const FaultTimeline all = some_faults();
  FaultTimeline larger = all;
  for (const double keep : {1.0, 0.9, 0.5, 0.49, 0.01, 0.0}) {
    const FaultTimeline kept = thin(all, keep, 3);
    EXPECT_TRUE(contains(larger, kept)) << keep;
    larger = kept;
  }
  EXPECT_EQ(thin(all, 1, 3), all);
  EXPECT_TRUE(thin(all, 0, 3).empty());
}

// Whether an event stays does not depend on the others.
TEST(Thin, EachEventByItself) {
  const FaultTimeline all = some_faults();
  FaultTimeline half(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
  const FaultTimeline of_all = thin(all, 0.3, 3), of_half = thin(half, 0.3, 3);
  EXPECT_EQ(FaultTimeline(of_all.begin(), of_all.begin() + static_cast<std::ptrdiff_t>(of_half.size())), of_half);
}

// Binomial: standard deviation sqrt(n 0.3 0.7); four of them.
TEST(Thin, KeepsTheShare) {
  const FaultTimeline all = some_faults();
  const double n = static_cast<double>(all.size());
  EXPECT_NEAR(static_cast<double>(thin(all, 0.3, 3).size()), 0.3 * n, 4 * std::sqrt(0.21 * n));
  EXPECT_NE(thin(all, 0.3, 3), thin(all, 0.3, 4));
}

TEST(Thin, RefusesWhatIsNoShare) {
  EXPECT_THROW(thin({}, -0.1, 1), FaultError);
  EXPECT_THROW(thin({}, 1.1, 1), FaultError);
  EXPECT_THROW(thin({}, std::nan(""), 1), FaultError);
}

}  // namespace
}  // namespace toposim::faults
