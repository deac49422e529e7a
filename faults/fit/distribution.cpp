#include "faults/fit/distribution.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace toposim::faults {
namespace {

double z_of(const Distribution& d, double time_h) {
  return (std::log(time_h) - std::log(d.scale_h)) / d.shape;
}

/// log(1 - Phi(z)); its leading terms where the tail is below what doubles hold.
double log_normal_tail(double z) {
  if (z > 35) return -z * z / 2 - std::log(z * std::sqrt(2 * std::numbers::pi)) + std::log1p(-1 / (z * z));
  return std::log(std::erfc(z / std::numbers::sqrt2) / 2);
}

/// -log of the Weibull's survival; the exponential's at shape 1.
double cumulated_hazard(const Distribution& d, double time_h) {
  return d.family == Family::exponential ? time_h / d.scale_h : std::pow(time_h / d.scale_h, d.shape);
}

}  // namespace

std::string_view to_string(Family family) {
  switch (family) {
    case Family::exponential:
      return "exponential";
    case Family::weibull:
      return "weibull";
    case Family::lognormal:
      return "lognormal";
  }
  return "";
}

double cdf(const Distribution& d, double time_h) {
  if (time_h <= 0) return 0;
  if (d.family == Family::lognormal) return std::erfc(-z_of(d, time_h) / std::numbers::sqrt2) / 2;
  return -std::expm1(-cumulated_hazard(d, time_h));
}

double log_density(const Distribution& d, double time_h) {
  if (d.family == Family::lognormal) {
    const double z = z_of(d, time_h);
    return -std::log(time_h * d.shape * std::sqrt(2 * std::numbers::pi)) - z * z / 2;
  }
  const double k = d.family == Family::exponential ? 1 : d.shape;
  return std::log(k / d.scale_h) + (k - 1) * std::log(time_h / d.scale_h) - cumulated_hazard(d, time_h);
}

double log_survival(const Distribution& d, double time_h) {
  return d.family == Family::lognormal ? log_normal_tail(z_of(d, time_h)) : -cumulated_hazard(d, time_h);
}

double hazard_per_h(const Distribution& d, double time_h) {
  return std::exp(log_density(d, time_h) - log_survival(d, time_h));
}

double quantile_h(const Distribution& d, double p) {
  if (d.family == Family::lognormal)
    return d.scale_h * std::exp(d.shape * boost::math::quantile(boost::math::normal(), p));
  const double e = -std::log1p(-p);
  return d.scale_h * (d.family == Family::exponential ? e : std::pow(e, 1 / d.shape));
}

double mean_h(const Distribution& d) {
  switch (d.family) {
    case Family::exponential:
      return d.scale_h;
    case Family::weibull:
      return d.scale_h * boost::math::tgamma(1 + 1 / d.shape);
    case Family::lognormal:
      return d.scale_h * std::exp(d.shape * d.shape / 2);
  }
  return 0;
}

}  // namespace toposim::faults
