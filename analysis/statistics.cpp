#include "analysis/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/check.hpp"
#include "analysis/student.hpp"

namespace toposim::analysis {
namespace {

__extension__ typedef __int128 Int128;

/// Neumaier's compensated sum (ZAMM 54, 1974): the error is a few ulps of the sum of magnitudes, whatever the length.
class Sum {
 public:
  void add(double x) {
    const double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

void require_finite(std::span<const double> values) {
  for (const double v : values)
    if (!std::isfinite(v)) throw ResultsError(fmt::format("statistics of {}, which is not a finite number", v));
}
void require_finite(std::span<const std::int64_t>) {}

/// The mean as pivot + rest: for integers the pivot is whole, so that deviations from it are exact up to the rest.
template <class T>
struct Mean {
  T pivot;
  double rest;
};

Mean<std::int64_t> mean_of(std::span<const std::int64_t> values) {
  Int128 sum = 0;
  for (const std::int64_t v : values) sum += v;
  const auto n = static_cast<Int128>(values.size());
  const Int128 whole = sum / n;
  return {static_cast<std::int64_t>(whole), static_cast<double>(sum - whole * n) / static_cast<double>(n)};
}

Mean<double> mean_of(std::span<const double> values) {
  // Equal values have exactly that mean; their sum over their number may be a last bit off.
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  if (*min == *max) return {*min, 0};
  Sum sum;
  for (const double v : values) sum.add(v);
  return {sum.value() / static_cast<double>(values.size()), 0};
}

template <class T>
Summary<T> summarise_values(std::span<const T> values, double confidence) {
  if (values.empty()) throw ResultsError("statistics of no values");
  require_finite(values);
  Summary<T> s;
  s.n = static_cast<std::int64_t>(values.size());
  const Mean<T> mean = mean_of(values);
  s.mean = static_cast<double>(mean.pivot) + mean.rest;
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  s.min = *min;
  s.max = *max;
  s.p50 = quantile(values, 0.5);
  s.p95 = quantile(values, 0.95);
  if (s.n < 2) return s;
  Sum squares;
  for (const T v : values) {
    const double d = static_cast<double>(v - mean.pivot) - mean.rest;
    squares.add(d * d);
  }
  const auto n = static_cast<double>(s.n);
  s.sd = std::sqrt(squares.value() / (n - 1));
  const double half_width = student_t(s.n, confidence) * *s.sd / std::sqrt(n);
  s.interval = Interval{s.mean - half_width, s.mean + half_width};
  return s;
}

template <class T>
T nearest_rank(std::span<const T> values, double p) {
  if (values.empty()) throw ResultsError("quantile of no values");
  if (!(p >= 0 && p <= 1)) throw ResultsError(fmt::format("quantile {} is not in [0, 1]", p));
  require_finite(values);
  std::vector<T> sorted(values.begin(), values.end());
  // 0.07 * 100 is a little above 7 in binary: without the allowance the rank would be 8.
  const double rank = std::ceil(p * static_cast<double>(sorted.size()) * (1 - 1e-12));
  const auto index = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(sorted.begin(), sorted.begin() + index, sorted.end());
  return sorted[static_cast<std::size_t>(index)];
}

}  // namespace

double half_width(const Summary<double>& summary) {
  return summary.interval ? summary.interval->half_width() : 0;
}

double student_t(std::int64_t n, double confidence) {
  if (n < 2) throw ResultsError("an interval needs at least two values");
  if (!(confidence > 0 && confidence < 1))
    throw ResultsError(fmt::format("confidence {} is not in (0, 1)", confidence));
  return student_quantile(static_cast<double>(n - 1), confidence);
}

Summary<std::int64_t> summarise(std::span<const std::int64_t> values, double confidence) {
  return summarise_values(values, confidence);
}

Summary<double> summarise(std::span<const double> values, double confidence) {
  return summarise_values(values, confidence);
}

Summary<double> summarise(const Metric& metric, double confidence) {
  if (metric.unit == Unit::ratio || metric.unit == Unit::number)
    return summarise(std::span<const double>(metric.reals), confidence);
  const Summary<std::int64_t> s = summarise(std::span<const std::int64_t>(metric.integers), confidence);
  const double per_unit = metric.unit == Unit::duration_ns ? 1e9 : 1;
  Summary<double> r;
  r.n = s.n;
  r.mean = s.mean / per_unit;
  if (s.sd) r.sd = *s.sd / per_unit;
  if (s.interval) r.interval = Interval{s.interval->low / per_unit, s.interval->high / per_unit};
  r.min = static_cast<double>(s.min) / per_unit;
  r.max = static_cast<double>(s.max) / per_unit;
  r.p50 = static_cast<double>(s.p50) / per_unit;
  r.p95 = static_cast<double>(s.p95) / per_unit;
  return r;
}

std::vector<double> known_values(const Metric& metric) {
  const double per_unit = metric.unit == Unit::duration_ns ? 1e9 : 1;
  std::vector<double> known;
  for (const std::int64_t v : metric.integers) known.push_back(static_cast<double>(v) / per_unit);
  for (const double v : metric.reals)
    if (!std::isnan(v)) known.push_back(v);
  return known;
}

std::optional<Summary<double>> summarise_known(const Metric& metric, double confidence) {
  const std::vector<double> known = known_values(metric);
  if (known.empty()) return std::nullopt;
  return summarise(std::span<const double>(known), confidence);
}

std::int64_t quantile(std::span<const std::int64_t> values, double p) {
  return nearest_rank(values, p);
}
double quantile(std::span<const double> values, double p) {
  return nearest_rank(values, p);
}

Metric difference(const Metric& metric, const Metric& reference) {
  if (metric.name != reference.name || metric.unit != reference.unit ||
      metric.integers.size() != reference.integers.size() || metric.reals.size() != reference.reals.size())
    throw ResultsError(fmt::format("{} and {} cannot be compared replica by replica", metric.name, reference.name));
  Metric d = metric;
  d.bucket = false;
  for (std::size_t i = 0; i < d.integers.size(); ++i) d.integers[i] -= reference.integers[i];
  for (std::size_t i = 0; i < d.reals.size(); ++i) d.reals[i] -= reference.reals[i];
  return d;
}

}  // namespace toposim::analysis
