#include "analysis/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "analysis/check.hpp"

namespace toposim::analysis {
namespace {

Summary<double> of(const std::vector<double>& v) {
  return summarise(std::span<const double>(v));
}
Summary<std::int64_t> of(const std::vector<std::int64_t>& v) {
  return summarise(std::span<const std::int64_t>(v));
}

TEST(StudentT, IsTheTablesTwoSidedQuantile) {
  // Any table of Student's t, two-sided 95 %: 12.706, 4.303, 2.365, 1.984 at 1, 2, 7, 99 degrees of freedom.
  EXPECT_NEAR(student_t(2, 0.95), 12.7062, 1e-4);
  EXPECT_NEAR(student_t(3, 0.95), 4.30265, 1e-5);
  EXPECT_NEAR(student_t(8, 0.95), 2.364624, 1e-6);
  EXPECT_NEAR(student_t(100, 0.95), 1.984217, 1e-6);
  EXPECT_NEAR(student_t(8, 0.99), 3.499483, 1e-6);
  EXPECT_THROW(student_t(1, 0.95), ResultsError);
  EXPECT_THROW(student_t(8, 1), ResultsError);
}

TEST(Summarise, MeanSpreadAndInterval) {
  // Mean 40/8 = 5; squares of deviations 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, sd = sqrt(32/7) = 2.138090; half width
  // 2.364624 x 2.138090 / sqrt(8) = 1.787488.
  const Summary<double> s = of(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_EQ(s.n, 8);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_NEAR(*s.sd, 2.138090, 1e-6);
  EXPECT_NEAR(s.interval->low, 5 - 1.787488, 1e-6);
  EXPECT_NEAR(s.interval->high, 5 + 1.787488, 1e-6);
  EXPECT_EQ(s.min, 2);
  EXPECT_EQ(s.max, 9);
  EXPECT_EQ(s.p50, 4);  // nearest rank: the 4th of 8
  EXPECT_EQ(s.p95, 9);  // 7.6, so the 8th
  const Summary<std::int64_t> i = of(std::vector<std::int64_t>{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(i.mean, s.mean);
  EXPECT_DOUBLE_EQ(*i.sd, *s.sd);
}

TEST(Summarise, OneValueHasNoSpread) {
  const Summary<double> s = of(std::vector<double>{0.93});
  EXPECT_EQ(s.mean, 0.93);
  EXPECT_FALSE(s.sd);
  EXPECT_FALSE(s.interval);
}

TEST(Summarise, EqualValuesHaveNoSpreadAtAll) {
  const Summary<double> s = of(std::vector<double>(1001, 0.1));  // 0.1 is not exact in binary
  EXPECT_EQ(s.mean, 0.1);
  EXPECT_EQ(*s.sd, 0);
  EXPECT_EQ(s.interval->low, 0.1);
  EXPECT_EQ(s.interval->high, 0.1);
}

TEST(Summarise, LosesNothingToCancellation) {
  EXPECT_DOUBLE_EQ(of(std::vector<double>{1e16, 1, -1e16}).mean, 1.0 / 3);  // a plain sum gives 0
  // Deviations of 1 ns around 90 days: -1, 0, 1, so sd 1 ns. Squares of 7.8e15 do not fit in 53 bits.
  const std::int64_t ns = std::int64_t{90} * 86400 * 1'000'000'000;
  const Summary<std::int64_t> s = of(std::vector<std::int64_t>{ns - 1, ns, ns + 1});
  EXPECT_DOUBLE_EQ(*s.sd, 1);
  EXPECT_EQ(s.p50, ns);
  // Sums beyond 64 bits: 100 values of 2^62.
  const Summary<std::int64_t> big = of(std::vector<std::int64_t>(100, std::int64_t{1} << 62));
  EXPECT_DOUBLE_EQ(big.mean, std::ldexp(1.0, 62));
  EXPECT_EQ(*big.sd, 0);
}

TEST(Summarise, RefusesWhatIsNotANumber) {
  EXPECT_THROW(of(std::vector<double>{1, std::nan(""), 2}), ResultsError);
  EXPECT_THROW(of(std::vector<double>{1, std::numeric_limits<double>::infinity()}), ResultsError);
  EXPECT_THROW(of(std::vector<double>{}), ResultsError);
  EXPECT_THROW(of(std::vector<std::int64_t>{}), ResultsError);
}

TEST(Summarise, ShowsDurationsInSeconds) {
  const Metric m{"wall_s", Unit::duration_ns, {1'000'000'000, 3'000'000'000}, {}, false};
  const Summary<double> s = summarise(m);
  EXPECT_DOUBLE_EQ(s.mean, 2);
  EXPECT_DOUBLE_EQ(*s.sd, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(s.max, 3);
}

TEST(Quantile, IsTheNearestRank) {
  std::vector<std::int64_t> v;
  for (std::int64_t i = 100; i >= 1; --i) v.push_back(i);
  const std::span<const std::int64_t> values(v);
  EXPECT_EQ(quantile(values, 0), 1);
  EXPECT_EQ(quantile(values, 0.07), 7);  // 0.07 x 100 > 7 in binary
  EXPECT_EQ(quantile(values, 0.5), 50);
  EXPECT_EQ(quantile(values, 0.99), 99);
  EXPECT_EQ(quantile(values, 0.991), 100);
  EXPECT_EQ(quantile(values, 1), 100);
  EXPECT_THROW(quantile(values, 1.01), ResultsError);
  EXPECT_THROW(quantile(values, std::nan("")), ResultsError);
}

TEST(Difference, IsReplicaByReplica) {
  // Unpaired, the two spread over 0.1; the pairs differ by 0.01 +- 0.001: mean 0.01, deviations -1, 0, 1 thousandths,
  // so sd 0.001 and half width 4.30265 x 0.001 / sqrt(3) = 0.0024841.
  const Metric a{"ettr", Unit::ratio, {}, {0.809, 0.860, 0.911}, false};
  const Metric b{"ettr", Unit::ratio, {}, {0.800, 0.850, 0.900}, false};
  const Summary<double> d = summarise(difference(a, b));
  EXPECT_NEAR(d.mean, 0.01, 1e-12);
  EXPECT_NEAR(*d.sd, 0.001, 1e-12);
  EXPECT_NEAR(d.interval->half_width(), 0.0024841, 1e-7);
  const Metric ns{"wall_s", Unit::duration_ns, {5, 7}, {}, true};
  EXPECT_EQ(difference(ns, ns).integers, (std::vector<std::int64_t>{0, 0}));
  EXPECT_THROW(difference(a, ns), ResultsError);
  EXPECT_THROW(difference(a, Metric{"ettr", Unit::ratio, {}, {0.8}, false}), ResultsError);
}

// Known: 1, 3, 8. Mean 4, sd sqrt((9 + 1 + 16) / 2) = sqrt(13).
TEST(SummariseKnown, LeavesOutWhatDoesNotExist) {
  const double nan = std::nan("");
  const Metric m{"final_loss", Unit::number, {}, {nan, 1, 3, nan, 8}, false};
  EXPECT_EQ(known_values(m), (std::vector<double>{1, 3, 8}));
  const auto s = summarise_known(m);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->n, 3);
  EXPECT_DOUBLE_EQ(s->mean, 4);
  EXPECT_DOUBLE_EQ(*s->sd, std::sqrt(13.0));
  EXPECT_FALSE(summarise_known({"final_loss", Unit::number, {}, {nan, nan}, false}));
  EXPECT_EQ(known_values({"wall_s", Unit::duration_ns, {1'500'000'000}, {}, false}), std::vector<double>{1.5});
  EXPECT_THROW(summarise_known({"x", Unit::number, {}, {HUGE_VAL}, false}), ResultsError);
}

// Both known in the first and the last pair only: 1 and 3, so the mean is 2 and not that of other pairings.
TEST(SummariseKnown, OfADifferenceIsOverTheCompletePairs) {
  const double nan = std::nan("");
  const Metric a{"x", Unit::number, {}, {11, 100, nan, 33}, false}, b{"x", Unit::number, {}, {10, nan, 5, 30}, false};
  const auto d = summarise_known(difference(a, b));
  ASSERT_TRUE(d);
  EXPECT_EQ(d->n, 2);
  EXPECT_DOUBLE_EQ(d->mean, 2);
}

}  // namespace
}  // namespace toposim::analysis
