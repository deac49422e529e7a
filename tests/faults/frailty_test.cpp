// Lemons: components that fail more often than others of their kind.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "faults/fault_timeline.hpp"
#include "faults/random_stream.hpp"

namespace toposim::faults {
namespace {

constexpr std::int64_t frailty_day_ns = 86'400'000'000'000;

FaultSpec frail_nodes(double frailty) {
  FaultClassSpec c;
  c.name = "node";
  c.component = Component::node;
  c.mtbf_s = 100 * 86400.0;
  c.repair = {RepairShape::constant, 1, 0};
  c.frailty = frailty;
  return {"", {c}};
}

// Gamma of shape 1 is the exponential: -ln(1 - u), at u = 1/2 ln 2 = 0.693147. Mean 1 and variance 2 over the unit
// interval, from 2^12 midpoints: the tails beyond them hold less than 0.002 and 0.05 of these.
TEST(Frailty, RatesHaveMeanOneAndTheirVariance) {
  EXPECT_EQ(Frailty(1).rate_ppm(std::uint64_t{1} << 62), 693147);
  double mean = 0, square = 0;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const double rate = static_cast<double>(Frailty(2).rate_ppm((2 * i + 1) << 50)) * 1e-6;
    mean += rate / 4096;
    square += rate * rate / 4096;
  }
  EXPECT_NEAR(mean, 1, 0.002);
  EXPECT_NEAR(square - mean * mean, 2, 0.05);
}

TEST(Frailty, GapsAreStretched) {
  EXPECT_EQ(Frailty::stretched_ns(3'000'000, 2'000'000), 1'500'000);
  EXPECT_EQ(Frailty::stretched_ns(3'000'000, 500'000), 6'000'000);
  EXPECT_EQ(Frailty::stretched_ns(3, 0), longest_time_ns);
  EXPECT_EQ(Frailty::stretched_ns(longest_time_ns / 2, 1), longest_time_ns);
}

// 4,000 nodes for 200 days at one fault in 100: mean 2, variance 2 + 2 x 1.5 x 2 = 8 with frailty 1.5, 2 without. The
// standard error of the mean is sqrt(8 / 4000) = 0.045; that of the variance, of a negative binomial (kurtosis excess 6
// x 1.5 + 1 / 8), is 8 sqrt((2 + 9.1) / 4000) = 0.42. Within four of each.
TEST(Frailty, CountsAreNegativeBinomial) {
  const FaultModel model(frail_nodes(1.5), std::vector<std::uint32_t>{4000});
  std::vector<double> counts(4000);
  for (const FaultEvent& e : model.draw(1, 0, 200 * frailty_day_ns)) ++counts[e.component];
  double mean = 0, variance = 0;
  for (const double n : counts) mean += n / 4000;
  for (const double n : counts) variance += (n - mean) * (n - mean) / 4000;
  EXPECT_NEAR(mean, 2, 4 * 0.045);
  EXPECT_NEAR(variance, 8, 4 * 0.42);
}

// A lemon of one class is a lemon of every class of nodes: counts of two classes correlate, by 4 x 1.5 / 8 = 0.75 in
// the limit (covariance frailty x mean^2).
TEST(Frailty, IsOfTheNodeNotOfTheClass) {
  FaultSpec spec = frail_nodes(1.5);
  spec.classes.push_back(spec.classes.front());
  spec.classes.back().name = "other";
  const FaultModel model(spec, {4000, 4000});
  std::vector<double> a(4000), b(4000);
  for (const FaultEvent& e : model.draw(1, 0, 200 * frailty_day_ns)) ++(e.fault_class == 0 ? a : b)[e.component];
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    ab += (a[i] - 2) * (b[i] - 2);
    aa += (a[i] - 2) * (a[i] - 2);
    bb += (b[i] - 2) * (b[i] - 2);
  }
  EXPECT_NEAR(ab / std::sqrt(aa * bb), 0.75, 0.06);
}

// The filter that spares components their logarithm may not lose a fault: the same draw over a longer time begins with
// what a shorter one gives.
TEST(Frailty, AShorterDrawIsTheBeginningOfALongerOne) {
  const FaultModel model(frail_nodes(2), std::vector<std::uint32_t>{2000});
  const FaultTimeline longer = model.draw(3, 1, 300 * frailty_day_ns), shorter = model.draw(3, 1, 30 * frailty_day_ns);
  ASSERT_LT(shorter.size(), longer.size());
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST(Frailty, OutOfRangeIsSaid) {
  EXPECT_TRUE(problems_of(frail_nodes(0)).empty());
  for (const double bad : {-1.0, 0.01, 11.0, std::nan("")}) EXPECT_EQ(problems_of(frail_nodes(bad)).size(), 1U) << bad;
}

}  // namespace
}  // namespace toposim::faults
