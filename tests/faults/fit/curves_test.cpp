#include "faults/fit/curves.hpp"

#include <gtest/gtest.h>

namespace toposim::faults {
namespace {

// 40 events at 1 h, ..., 40 h in two bins. To 20 h: 20 events; the time at risk is 1 + ... + 20 and 20 x 20 h, 610 h.
// From there: 1 + ... + 20 = 210 h. With a life of 30 h that goes on, 20 h more in the first and 10 h in the second.
TEST(FaultCurves, HazardIsEventsOverTimeAtRisk) {
  Sample sample;
  for (int i = 40; i >= 1; --i) sample.values_h.push_back(i);
  auto bins = hazard_bins(sample);
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_EQ(bins[0].to_h, 20);
  EXPECT_EQ(bins[0].events, 20U);
  EXPECT_DOUBLE_EQ(bins[0].rate_per_h, 20.0 / 610);
  EXPECT_DOUBLE_EQ(bins[1].rate_per_h, 20.0 / 210);
  sample.censored_h = {30};
  bins = hazard_bins(sample);
  EXPECT_DOUBLE_EQ(bins[0].rate_per_h, 20.0 / 630);
  EXPECT_DOUBLE_EQ(bins[1].rate_per_h, 20.0 / 220);
  EXPECT_TRUE(hazard_bins(Sample{}).empty());
}

// At 1/8, 3/8, 5/8, 7/8 of four times stand these themselves.
TEST(FaultCurves, QuantilesAreTheTimes) {
  const std::vector<double> values = {4, 1, 3, 2};
  const auto quantiles = observed_quantiles(values);
  ASSERT_EQ(quantiles.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(quantiles[i].probability, (static_cast<double>(i) + 0.5) / 4);
    EXPECT_EQ(quantiles[i].time_h, static_cast<double>(i) + 1);
  }
  EXPECT_EQ(observed_quantiles(std::vector<double>(1000, 1.0)).size(), quantiles_max);
}

}  // namespace
}  // namespace toposim::faults
