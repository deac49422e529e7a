#include "faults/gap_distribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "faults/fault_timeline.hpp"
#include "faults/random_stream.hpp"

namespace toposim::faults {
namespace {

constexpr int n = 20'000;

std::uint64_t draw63(int i) {
  const auto block = random_block({{42, 42}}, static_cast<std::uint32_t>(i), 0, 0, 0);
  return (static_cast<std::uint64_t>(block[0]) << 32 | block[1]) >> 1;
}

FaultClassSpec gaps(double mean_s, Shape shape = Shape::exponential, double k = 1) {
  FaultClassSpec c;
  c.mtbf_s = mean_s;
  c.shape = shape;
  c.weibull_k = k;
  return c;
}

template <class Draw>
std::vector<double> sample_s(const Draw& draw) {
  std::vector<double> s(n);
  for (int i = 0; i < n; ++i) s[static_cast<std::size_t>(i)] = static_cast<double>(draw(draw63(i))) * 1e-9;
  return s;
}

double mean(const std::vector<double>& s) {
  double sum = 0;
  for (const double x : s) sum += x;
  return sum / static_cast<double>(s.size());
}

/// Kolmogorov's distance between a sample and a distribution function.
template <class Cdf>
double ks_distance(std::vector<double> s, const Cdf& cdf) {
  std::sort(s.begin(), s.end());
  const double count = static_cast<double>(s.size());
  double worst = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double f = cdf(s[i]);
    worst = std::max({worst, f - static_cast<double>(i) / count, static_cast<double>(i + 1) / count - f});
  }
  return worst;
}

// sqrt(n) D exceeds 1.949 with probability 0.001 (Kolmogorov's limit 2 exp(-2 x^2)).
const double ks_limit = 1.949 / std::sqrt(n);

// Mean 1000 s, standard deviation 1000 s: four standard errors are 4 x 1000 / sqrt(20000) = 28.3 s.
TEST(Gap, Exponential) {
  const GapDistribution d(gaps(1000));
  const auto s = sample_s([&](std::uint64_t v) { return d.gap_ns(v); });
  EXPECT_NEAR(mean(s), 1000, 28.3);
  EXPECT_LT(ks_distance(s, [](double t) { return 1 - std::exp(-t / 1000); }), ks_limit);
}

// k = 0.7: scale = 1000 / Gamma(1 + 1/0.7) = 1000 / 1.2658 = 790.0 s; variance / mean^2 = Gamma(1 + 2/0.7) / 1.2658^2
// - 1 = 5.0294 / 1.6023 - 1 = 2.139, standard deviation 1463 s: four standard errors are 41.4 s. Gamma by tgamma, apart
// from the code's.
TEST(Gap, Weibull) {
  const GapDistribution d(gaps(1000, Shape::weibull, 0.7));
  const auto s = sample_s([&](std::uint64_t v) { return d.gap_ns(v); });
  EXPECT_NEAR(mean(s), 1000, 41.4);
  const double scale = 1000 / std::tgamma(1 + 1 / 0.7);
  EXPECT_NEAR(scale, 790.0, 0.1);
  EXPECT_LT(ks_distance(s, [&](double t) { return 1 - std::exp(-std::pow(t / scale, 0.7)); }), ks_limit);
}

// First gap of a Weibull with k = 2: F(t) = (1/m) integral_0^t exp(-(x/scale)^2) dx = erf(t / scale), since
// m = scale sqrt(pi) / 2. No incomplete gamma function needed.
TEST(Gap, FirstGapHasTheAgeOfALongRunningComponent) {
  const GapDistribution d(gaps(1000, Shape::weibull, 2));
  const auto s = sample_s([&](std::uint64_t v) { return d.first_gap_ns(v); });
  const double scale = 1000 * 2 / std::sqrt(std::acos(-1.0));
  EXPECT_LT(ks_distance(s, [&](double t) { return std::erf(t / scale); }), ks_limit);
  EXPECT_NEAR(d.first_fault_probability(500'000'000'000), std::erf(500 / scale), 1e-12);
}

// For k = 1 the Weibull is the exponential, and a long-running exponential is as good as new.
TEST(Gap, WeibullOfShapeOneIsExponential) {
  const GapDistribution weibull(gaps(1000, Shape::weibull, 1)), exponential(gaps(1000));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(weibull.gap_ns(draw63(i)), exponential.gap_ns(draw63(i)));
    EXPECT_EQ(exponential.first_gap_ns(draw63(i)), exponential.gap_ns(draw63(i)));
  }
}

// Weibull with k = 0.7, mtbf 1000 h (scale 790 h), repairs of 1 s, 20,000 components, 10 h. With the age of a
// long-running process 20000 x 10 / 1000 = 200 faults are expected; a fresh start would give 20000 (10 / 790)^0.7 =
// 938. Variance: Poisson's, times at most 1 + 2 x 0.047 because a fault is followed by another within 10 h with
// probability (10 / 790)^0.7 = 0.047. Four standard deviations are 4 sqrt(200 x 1.094) = 59.
TEST(Gap, WeibullKeepsTheStatedRateFromTheStart) {
  FaultClassSpec c = gaps(1000 * 3600, Shape::weibull, 0.7);
  c.name = "weibull";
  c.repair = {RepairShape::constant, 1, 0};
  const FaultTimeline timeline = FaultModel({"", {c}}, {20'000}).draw(3, 0, 36'000'000'000'000);
  EXPECT_NEAR(static_cast<double>(timeline.size()), 200, 59);
  // At a constant rate: half of them in the first half, 4 sqrt(100 x 1.094) = 42.
  const auto early = std::count_if(timeline.begin(), timeline.end(),
                                   [](const FaultEvent& e) { return e.start_ns < 18'000'000'000'000; });
  EXPECT_NEAR(static_cast<double>(early), 100, 42);
}

// Alternating renewal process with exponential gaps (rate a = 1/9 per h) and repairs (b = 1 per h), up at time 0:
// E[N(t)] = t a b / (a + b) + (a / (a + b))^2 = 100 + 0.01 for t = 1000 h; variance t (81 + 1) / 10^3 = 82. For 1000
// components 100,010 with standard deviation sqrt(82,000) = 286; four of them.
TEST(Gap, RestartsAfterTheRepair) {
  FaultClassSpec c = gaps(9 * 3600);
  c.name = "often";
  c.repair = {RepairShape::exponential, 3600, 0};
  const FaultTimeline timeline = FaultModel({"", {c}}, {1000}).draw(3, 0, 1000LL * 3600 * 1'000'000'000);
  EXPECT_NEAR(static_cast<double>(timeline.size()), 100'010, 1145);
}

// Mean 3600 s at sigma 1: standard deviation 3600 sqrt(e - 1) = 4719 s; four standard errors are 133.5 s. Median
// 3600 exp(-1/2) = 2183.5 s.
TEST(Repair, Lognormal) {
  const RepairDistribution d({RepairShape::lognormal, 3600, 1});
  const auto s = sample_s([&](std::uint64_t v) { return d.repair_ns(v); });
  EXPECT_NEAR(mean(s), 3600, 133.5);
  const auto cdf = [](double t) { return 0.5 * std::erfc(-(std::log(t / 3600) + 0.5) / std::sqrt(2.0)); };
  EXPECT_LT(ks_distance(s, cdf), ks_limit);
  EXPECT_NEAR(static_cast<double>(d.repair_ns(std::uint64_t{1} << 62)) * 1e-9, 2183.510, 0.001);
}

TEST(Repair, ExponentialAndConstant) {
  const RepairDistribution d({RepairShape::exponential, 3600, 0});
  const auto s = sample_s([&](std::uint64_t v) { return d.repair_ns(v); });
  EXPECT_LT(ks_distance(s, [](double t) { return 1 - std::exp(-t / 3600); }), ks_limit);
  const RepairDistribution constant({RepairShape::constant, 1.5, 0});
  EXPECT_EQ(constant.repair_ns(0), 1'500'000'000);
  EXPECT_EQ(constant.repair_ns(~std::uint64_t{0} >> 1), 1'500'000'000);
}

// Never zero, never past the longest time, at either end of the uniform draw.
TEST(Repair, Bounds) {
  constexpr std::uint64_t last = ~std::uint64_t{0} >> 1;
  for (const RepairShape shape : {RepairShape::constant, RepairShape::exponential, RepairShape::lognormal}) {
    const RepairDistribution shortest({shape, 1e-12, 10}), longest({shape, repair_mean_s_max, 10});
    for (const std::uint64_t v : {std::uint64_t{0}, last / 2, last}) {
      EXPECT_GE(shortest.repair_ns(v), 1);
      EXPECT_GE(longest.repair_ns(v), 1);
      EXPECT_LE(longest.repair_ns(v), longest_time_ns);
    }
  }
}

// v = 0 is u = 2^-64: the gap is 2^-64 of the mean, 0.05 us for 10^12 s, rounded to 0. The largest v is 1 - u = 2^-64:
// 64 ln 2 = 44.361 means.
TEST(Gap, EndsOfTheUniformDraw) {
  const GapDistribution d(gaps(1000));
  EXPECT_EQ(d.gap_ns(0), 0);
  EXPECT_EQ(d.gap_ns(~std::uint64_t{0} >> 1), 44'361'419'556'000);
  const GapDistribution weibull(gaps(1000, Shape::weibull, weibull_k_min));
  EXPECT_EQ(weibull.gap_ns(0), 0);
  EXPECT_GT(weibull.first_gap_ns(~std::uint64_t{0} >> 1), weibull.gap_ns(std::uint64_t{1} << 62));
}

// No throw, no overflow, and in order, from the first draw to the last, for every shape allowed.
TEST(Gap, FirstGapOverTheWholeRange) {
  for (const double k : {weibull_k_min, 0.3, 0.7, 0.99, 1.5, 4.0, weibull_k_max}) {
    const GapDistribution d(gaps(1e6, Shape::weibull, k));
    std::int64_t last = 0;
    for (int bit = 0; bit < 126; ++bit) {
      // 2^0 ... 2^62, then 2^63 - 2^62 ... 2^63 - 2^0.
      const std::uint64_t v =
          bit < 63 ? std::uint64_t{1} << bit : (std::uint64_t{1} << 63) - (std::uint64_t{1} << (125 - bit));
      const std::int64_t gap_ns = d.first_gap_ns(v);
      EXPECT_GE(gap_ns, last) << k << " " << bit;
      last = gap_ns;
      if (gap_ns == longest_time_ns) break;
      // Half a millisecond of rounding, at most 1/mean of probability a second.
      EXPECT_NEAR(d.first_fault_probability(gap_ns), std::ldexp(static_cast<double>(v), -63), 5e-4 / 1e6 + 1e-12)
          << k << " " << bit;
    }
  }
}

// Where a value is next to the boundary between two microseconds. Mean 10^6 s, so 10^12 us; with 60-digit decimals
// -10^12 ln(1 - (v + 1/2) / 2^63) is ...560.49999993 for v = 4611686018429945962 and ...560.50000015 for the next one,
// while a unit of 2^-64 is 4e-8 of them.
TEST(Gap, RoundedCorrectlyNextToABoundary) {
  const GapDistribution d(gaps(1e6));
  EXPECT_EQ(d.gap_ns(4611686018429945961), 693147180560'000);
  EXPECT_EQ(d.gap_ns(4611686018429945962), 693147180560'000);
  EXPECT_EQ(d.gap_ns(4611686018429945963), 693147180561'000);
}

}  // namespace
}  // namespace toposim::faults
