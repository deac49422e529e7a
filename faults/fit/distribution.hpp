#pragma once
#include <cstdint>
#include <string_view>

namespace toposim::faults {

enum class Family : std::uint8_t { exponential, weibull, lognormal };
inline constexpr Family all_families[] = {Family::exponential, Family::weibull, Family::lognormal};

std::string_view to_string(Family family);

/// A distribution of times in hours, from 0 on.
struct Distribution {
  Family family = Family::exponential;
  double scale_h = 1;  ///< exponential: the mean; Weibull: lambda; lognormal: exp(mu), the median
  double shape = 1;    ///< Weibull: k; lognormal: sigma; exponential: unused
};

double cdf(const Distribution& d, double time_h);
double log_density(const Distribution& d, double time_h);
double log_survival(const Distribution& d, double time_h);
double hazard_per_h(const Distribution& d, double time_h);
/// The time that a share p of all times does not exceed, 0 < p < 1.
double quantile_h(const Distribution& d, double p);
double mean_h(const Distribution& d);

}  // namespace toposim::faults
