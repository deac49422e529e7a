#include "faults/fit/maximum_likelihood.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>
#include <span>
#include <tuple>

namespace toposim::faults {
namespace {

double sum(std::span<const double> values) {
  double total = 0;
  for (const double v : values) total += v;
  return total;
}

std::vector<double> logs(std::span<const double> values) {
  std::vector<double> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(std::log(v));
  return out;
}

struct MeanAndSd {
  double mean = 0, sd = 0;
};

MeanAndSd mean_and_sd(std::span<const double> values) {
  MeanAndSd out;
  const auto n = static_cast<double>(values.size());
  out.mean = sum(values) / n;
  for (const double v : values) out.sd += (v - out.mean) * (v - out.mean);
  out.sd = std::sqrt(out.sd / n);
  return out;
}

Distribution fit_exponential(const Sample& sample) {
  const double total_h = sum(sample.values_h) + sum(sample.censored_h);
  return {Family::exponential, total_h / static_cast<double>(sample.values_h.size()), 1};
}

/// sum x^k ln x / sum x^k - 1/k - mean of the observed ln x = 0, which rises with k; then lambda^k = sum x^k / events.
Distribution fit_weibull(const std::vector<double>& observed, const std::vector<double>& censored) {
  const MeanAndSd log_times = mean_and_sd(observed);
  const auto events = static_cast<double>(observed.size());
  double s0 = 0;
  const auto equation = [&](double k) {
    double s1 = 0, s2 = 0;
    s0 = 0;
    for (const auto* part : {&observed, &censored})
      for (const double y : *part) {
        const double centred = y - log_times.mean, power = std::exp(k * centred);
        s0 += power;
        s1 += power * centred;
        s2 += power * centred * centred;
      }
    const double mean = s1 / s0;
    return std::pair(mean - 1 / k, s2 / s0 - mean * mean + 1 / (k * k));
  };
  // The slope of ln x against the Gumbel's has standard deviation pi / sqrt(6) / k.
  const double guess = std::clamp(std::numbers::pi / std::sqrt(6) / log_times.sd, 1e-3, 1e3);
  std::uintmax_t iterations = 200;
  const double k = boost::math::tools::newton_raphson_iterate(equation, guess, 1e-4, 1e4, 50, iterations);
  equation(k);
  return {Family::weibull, std::exp(log_times.mean + std::log(s0 / events) / k), k};
}

/// phi(z) / (1 - Phi(z)), the normal hazard.
double normal_hazard(double z) {
  if (z > 35) return z + 1 / z - 2 / (z * z * z);
  return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi) / (std::erfc(z / std::numbers::sqrt2) / 2);
}

/// a = mu / sigma, b = 1 / sigma, z = b y - a.
struct LognormalStep {
  double likelihood = 0, ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0;
};

LognormalStep lognormal_step(double a, double b, const std::vector<double>& observed,
                             const std::vector<double>& censored) {
  LognormalStep s;
  const auto events = static_cast<double>(observed.size());
  s.likelihood = events * std::log(b);
  s.gb = events / b;
  s.haa = -events;
  s.hbb = -events / (b * b);
  for (const double y : observed) {
    const double z = b * y - a;
    s.likelihood -= z * z / 2;
    s.ga += z;
    s.gb -= z * y;
    s.hab += y;
    s.hbb -= y * y;
  }
  for (const double y : censored) {
    const double z = b * y - a, h = normal_hazard(z), slope = h * (h - z);
    s.likelihood += log_survival({Family::lognormal, 1, 1}, std::exp(std::min(z, 700.0)));
    s.ga += h;
    s.gb -= y * h;
    s.haa -= slope;
    s.hab += y * slope;
    s.hbb -= y * y * slope;
  }
  return s;
}

Distribution fit_lognormal(const std::vector<double>& observed, const std::vector<double>& censored) {
  const MeanAndSd start = mean_and_sd(observed);
  if (censored.empty()) return {Family::lognormal, std::exp(start.mean), start.sd};
  double a = start.mean / start.sd, b = 1 / start.sd;
  LognormalStep s = lognormal_step(a, b, observed, censored);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double determinant = s.haa * s.hbb - s.hab * s.hab;
    double da = -(s.hbb * s.ga - s.hab * s.gb) / determinant, db = -(s.haa * s.gb - s.hab * s.ga) / determinant;
    // Concave: a step that overshoots is halved until it climbs.
    LognormalStep next;
    for (int halving = 0; halving < 60; ++halving, da /= 2, db /= 2) {
      if (b + db <= 0) continue;
      next = lognormal_step(a + da, b + db, observed, censored);
      if (next.likelihood >= s.likelihood) break;
    }
    if (b + db <= 0) break;
    a += da;
    b += db;
    s = next;
    if (std::abs(da) <= 1e-13 * (1 + std::abs(a)) && std::abs(db) <= 1e-13 * b) break;
  }
  return {Family::lognormal, std::exp(a / b), 1 / b};
}

}  // namespace

std::optional<Fit> fit(Family family, const Sample& sample) {
  const auto [least, most] = std::minmax_element(sample.values_h.begin(), sample.values_h.end());
  if (least == sample.values_h.end() || *least == *most) return std::nullopt;
  Fit result;
  if (family == Family::exponential) {
    result.distribution = fit_exponential(sample);
  } else {
    const std::vector<double> observed = logs(sample.values_h), censored = logs(sample.censored_h);
    result.distribution =
        family == Family::weibull ? fit_weibull(observed, censored) : fit_lognormal(observed, censored);
  }
  for (const double v : sample.values_h) result.log_likelihood += log_density(result.distribution, v);
  for (const double v : sample.censored_h) result.log_likelihood += log_survival(result.distribution, v);
  result.aic = 2 * (family == Family::exponential ? 1 : 2) - 2 * result.log_likelihood;
  return result;
}

}  // namespace toposim::faults
