#pragma once
// Mean, spread and Student-t intervals over replicas, and paired differences between schemes that met the same faults.
//
// Sums run in replica order and are compensated (Neumaier; integers: exact in 128 bits), so that they depend neither on
// thread count nor on the order in which replicas finished.
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/results.hpp"

namespace toposim::analysis {

inline constexpr double default_confidence = 0.95;

struct Interval {
  double low = 0, high = 0;
  double half_width() const { return (high - low) / 2; }
};

/// In the unit of the values (durations: nanoseconds). T: std::int64_t or double.
template <class T>
struct Summary {
  std::int64_t n = 0;
  double mean = 0;
  std::optional<double> sd;          ///< sample standard deviation, n - 1 below; none for n = 1
  std::optional<Interval> interval;  ///< of the mean, Student's t; none for n = 1: one run says nothing of its spread
  T min{}, max{}, p50{}, p95{};
};

/// Of the interval of the mean; 0 where there is none.
double half_width(const Summary<double>& summary);

/// Throws ResultsError for no values, or for a NaN or infinity among them.
Summary<std::int64_t> summarise(std::span<const std::int64_t> values, double confidence = default_confidence);
Summary<double> summarise(std::span<const double> values, double confidence = default_confidence);
/// Of a metric, for printing: durations in seconds, everything as double.
Summary<double> summarise(const Metric& metric, double confidence = default_confidence);

/// The values of a metric that exist (those that are not NaN), in order; durations in seconds.
std::vector<double> known_values(const Metric& metric);
/// Of those; none where there are none.
std::optional<Summary<double>> summarise_known(const Metric& metric, double confidence = default_confidence);

/// The smallest value that at least a share p of the values does not exceed (nearest rank), p in [0, 1]: always one of
/// the values. Throws ResultsError for no values, a NaN, or p outside.
std::int64_t quantile(std::span<const std::int64_t> values, double p);
double quantile(std::span<const double> values, double p);

/// Replica by replica, metric - reference: summarise() of it is the paired difference with its interval. Where either
/// is NaN the difference is, so that summarise_known() of it is over the pairs of which both are known. Throws
/// ResultsError if the two differ in name, unit or length.
Metric difference(const Metric& metric, const Metric& reference);

/// t with P(|T| <= t) = confidence at n - 1 degrees of freedom; n >= 2.
double student_t(std::int64_t n, double confidence);

}  // namespace toposim::analysis
