// Fits give back the model that a sample was drawn from; with censoring too.
#include "faults/fit/maximum_likelihood.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "faults/fit/goodness.hpp"
#include "faults/random_stream.hpp"

namespace toposim::faults {
namespace {

/// n independent times; those beyond `end_h` are censored there.
Sample drawn(const Distribution& model, std::size_t n, std::uint32_t stream, double end_h = 1e300) {
  Sample sample;
  const StreamKey key = stream_key(7, StreamPurpose::fit_bootstrap, "maximum_likelihood_test");
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto words = random_block(key, i, stream, 0, 0);
    const double time_h = quantile_h(model, (words[0] + 0.5) * 0x1p-32);
    (time_h < end_h ? sample.values_h : sample.censored_h).push_back(std::min(time_h, end_h));
  }
  return sample;
}

// Asymptotic standard errors at n = 10,000: exponential mean / sqrt(n); Weibull 0.7797 k / sqrt(n) and
// 1.0530 lambda / (k sqrt(n)); lognormal sigma / sqrt(n) of mu and sigma / sqrt(2 n) (Lawless, Statistical Models and
// Methods for Lifetime Data, 2003). Within four of them: one test in 16,000 misses.
TEST(MaximumLikelihood, TenThousandDrawsGiveTheModelBack) {
  constexpr double n = 10'000;
  const auto exponential = fit(Family::exponential, drawn({Family::exponential, 20, 1}, 10'000, 1));
  ASSERT_TRUE(exponential);
  EXPECT_NEAR(exponential->distribution.scale_h, 20, 4 * 20 / std::sqrt(n));

  const auto weibull = fit(Family::weibull, drawn({Family::weibull, 11, 0.6}, 10'000, 2));
  ASSERT_TRUE(weibull);
  EXPECT_NEAR(weibull->distribution.shape, 0.6, 4 * 0.7797 * 0.6 / std::sqrt(n));
  EXPECT_NEAR(weibull->distribution.scale_h, 11, 4 * 1.0530 * 11 / (0.6 * std::sqrt(n)));

  const auto lognormal = fit(Family::lognormal, drawn({Family::lognormal, 16, 2.5}, 10'000, 3));
  ASSERT_TRUE(lognormal);
  EXPECT_NEAR(std::log(lognormal->distribution.scale_h), std::log(16), 4 * 2.5 / std::sqrt(n));
  EXPECT_NEAR(lognormal->distribution.shape, 2.5, 4 * 2.5 / std::sqrt(2 * n));
}

// Censored at the median, half of the sample says "longer". Half the events lose less than two thirds of the
// information on each parameter (Lawless, tables 4.1, 5.2), so errors are within a factor sqrt(3).
TEST(MaximumLikelihood, CensoredAtTheMedianGivesTheModelBack) {
  constexpr double n = 10'000;
  const Distribution w{Family::weibull, 11, 0.6}, l{Family::lognormal, 16, 2.5};
  const auto weibull = fit(Family::weibull, drawn(w, 10'000, 4, quantile_h(w, 0.5)));
  ASSERT_TRUE(weibull);
  EXPECT_NEAR(weibull->distribution.shape, 0.6, std::sqrt(3) * 4 * 0.7797 * 0.6 / std::sqrt(n));
  EXPECT_NEAR(weibull->distribution.scale_h, 11, std::sqrt(3) * 4 * 1.0530 * 11 / (0.6 * std::sqrt(n)));
  const auto lognormal = fit(Family::lognormal, drawn(l, 10'000, 5, 16));
  ASSERT_TRUE(lognormal);
  EXPECT_NEAR(std::log(lognormal->distribution.scale_h), std::log(16), std::sqrt(3) * 4 * 2.5 / std::sqrt(n));
  EXPECT_NEAR(lognormal->distribution.shape, 2.5, std::sqrt(3) * 4 * 2.5 / std::sqrt(2 * n));
}

// Two deaths at 1 h and 2 h and a life of 3 h that goes on: (1 + 2 + 3) / 2 = 3 h. log-likelihood 2 log(1/3) - 6/3.
TEST(MaximumLikelihood, ExponentialByHand) {
  const auto fitted = fit(Family::exponential, Sample{{1, 2}, {3}, 0});
  ASSERT_TRUE(fitted);
  EXPECT_DOUBLE_EQ(fitted->distribution.scale_h, 3);
  EXPECT_DOUBLE_EQ(fitted->log_likelihood, -2 * std::log(3) - 2);
  EXPECT_DOUBLE_EQ(fitted->aic, 2 + 4 * std::log(3) + 4);
}

// At the maximum no parameter can be moved for the better: steps of a thousandth lower the likelihood.
TEST(MaximumLikelihood, NoNeighbourIsLikelier) {
  const Sample sample{{0.5, 1, 1.5, 3, 8, 20}, {4, 30}, 0};
  for (const Family family : {Family::weibull, Family::lognormal}) {
    const auto fitted = fit(family, sample);
    ASSERT_TRUE(fitted);
    for (const auto& [scale, shape] : {std::pair{1.001, 1.0}, {0.999, 1.0}, {1.0, 1.001}, {1.0, 0.999}}) {
      Distribution near = fitted->distribution;
      near.scale_h *= scale;
      near.shape *= shape;
      double likelihood = 0;
      for (const double v : sample.values_h) likelihood += log_density(near, v);
      for (const double v : sample.censored_h) likelihood += log_survival(near, v);
      EXPECT_LT(likelihood, fitted->log_likelihood) << to_string(family) << ' ' << scale << ' ' << shape;
    }
  }
}

TEST(MaximumLikelihood, NothingIsToldByEqualTimes) {
  for (const Family family : all_families) {
    EXPECT_FALSE(fit(family, Sample{}));
    EXPECT_FALSE(fit(family, Sample{{2}, {}, 0}));
    EXPECT_FALSE(fit(family, Sample{{2, 2, 2}, {5}, 0}));
  }
}

TEST(Distribution, PartsBelongTogether) {
  for (const Distribution& d : {Distribution{Family::exponential, 5, 1}, Distribution{Family::weibull, 5, 0.7},
                                Distribution{Family::lognormal, 5, 2}}) {
    for (const double p : {1e-6, 0.3, 0.999}) EXPECT_NEAR(cdf(d, quantile_h(d, p)), p, 1e-12);
    EXPECT_NEAR(log_survival(d, 7), std::log(1 - cdf(d, 7)), 1e-12);
    // The hazard is the slope of -log S.
    EXPECT_NEAR(hazard_per_h(d, 7), (log_survival(d, 7 - 1e-4) - log_survival(d, 7 + 1e-4)) / 2e-4, 1e-8);
    EXPECT_EQ(cdf(d, 0), 0);
  }
  EXPECT_DOUBLE_EQ(mean_h({Family::weibull, 5, 0.5}), 10);  // Gamma(3) = 2
  EXPECT_DOUBLE_EQ(mean_h({Family::lognormal, 5, 2}), 5 * std::numbers::e * std::numbers::e);
  // z = 40, far below what doubles hold: log(phi(40) / 40 (1 - 1/1600)) = -800 - log(40 sqrt(2 pi)) - 1/1600 - ...
  EXPECT_NEAR(log_survival({Family::lognormal, 1, 1}, std::exp(40)), -800 - 4.607818 - 0.000625, 1e-5);
}

// A step at each of the times: at 1 h, F = 1 - 1/e = 0.632 against 0, 1/2; at 2 h 0.865 against 1/2, 1.
TEST(Goodness, DistanceByHand) {
  const std::vector<double> times = {1, 2};
  EXPECT_DOUBLE_EQ(ks_distance(times, {Family::exponential, 1, 1}), 1 - std::exp(-1));
}

// Draws of the model itself: the p of their own family is uniform, so above 1 % in 99 of 100; an exponential for
// Weibull times of k = 0.6 is refuted. The smallest p that 199 draws give is 1 / 200.
TEST(Goodness, BootstrapKnowsTheFamily) {
  const Sample sample = drawn({Family::weibull, 11, 0.6}, 500, 6);
  const Bootstrap bootstrap{1, 199, 1'000'000};
  const auto weibull = fit(Family::weibull, sample), exponential = fit(Family::exponential, sample);
  ASSERT_TRUE(weibull && exponential);
  EXPECT_GT(ks_p_value(sample, *weibull, bootstrap, "gaps").value(), 0.01);
  EXPECT_EQ(ks_p_value(sample, *exponential, bootstrap, "gaps").value(), 1.0 / 200);
  EXPECT_FALSE(ks_p_value(sample, *weibull, {1, 199, 1000}, "gaps"));  // two draws would be all
  EXPECT_FALSE(ks_p_value(sample, *weibull, {1, 0, 1000}, "gaps"));
  EXPECT_EQ(ks_p_value(sample, *weibull, bootstrap, "gaps"), ks_p_value(sample, *weibull, bootstrap, "gaps"));
}

}  // namespace
}  // namespace toposim::faults
