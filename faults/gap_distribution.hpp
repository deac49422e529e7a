#pragma once
// How long a component works and how long its repair takes, by inversion of one 63-bit uniform each.
//
// Results are whole microseconds (the first gap of a Weibull: milliseconds), correctly rounded: where the fast
// arithmetic leaves the rounding open, 113-bit software arithmetic decides. So they are the same on every machine,
// whatever its libm.
#include <cstdint>

#include "faults/fault_spec.hpp"

namespace toposim::faults {

/// Times beyond this are this: a hundred years in nanoseconds, so that two of them still add up in 64 bits.
inline constexpr std::int64_t longest_time_ns = 3'155'760'000'000'000'000;

/// Drawn gaps are multiples of this or of less.
inline constexpr std::int64_t gap_grid_max_ns = 1'000'000;

/// The 63-bit draw v stands for the uniform u = (v + 1/2) / 2^63, strictly between 0 and 1.
class GapDistribution {
 public:
  /// Weibull with mean m and shape k has scale m / Gamma(1 + 1/k); the exponential is k = 1.
  explicit GapDistribution(const FaultClassSpec& spec);

  /// Time from a repair to the next fault: scale * (-log(1 - u))^(1/k).
  std::int64_t gap_ns(std::uint64_t v) const;

  /// Time from the start of the simulation to the first fault. Components did not all start to work at that moment:
  /// their age is that of a renewal process long under way, with forward recurrence time distribution
  /// F(t) = integral_0^t (1 - G) / m = P(1/k, (t/scale)^k), P the regularised lower incomplete gamma function (Cox,
  /// Renewal Theory, 1962, section 5.1). So the fault rate is 1/m from the first second. A fresh start would give a
  /// multiple of the stated rate for k < 1: 8 times at k = 0.7, t = m / 1000. Exponential: the same as gap_ns.
  std::int64_t first_gap_ns(std::uint64_t v) const;

  /// Probability that the first fault comes within `time_ns`, to about 1e-15: a filter, never a decision.
  double first_fault_probability(std::int64_t time_ns) const;

 private:
  bool exponential_ = true;
  double mean_us_ = 0, scale_us_ = 0, inverse_k_ = 1, k_ = 1;
};

/// Lemons: how many times the mean rate a component fails at, for as long as it lives. Gamma distributed with mean 1,
/// so that counts of faults are negative binomial (Greenwood and Yule, 1920): their variance over their mean is 1 +
/// frailty times the mean count.
class Frailty {
 public:
  explicit Frailty(double variance) : variance_(variance) {}
  bool alike() const { return variance_ == 0; }

  /// In millionths, correctly rounded; 0: it never fails.
  std::int64_t rate_ppm(std::uint64_t v) const;
  /// A gap at the mean rate as one at this rate, at most longest_time_ns.
  static std::int64_t stretched_ns(std::int64_t gap_ns, std::int64_t rate_ppm);

 private:
  double variance_;
};

class RepairDistribution {
 public:
  explicit RepairDistribution(const RepairSpec& spec);

  /// Constant; or -mean log(1 - u); or mean * exp(sigma z - sigma^2 / 2), z the normal quantile of u, so that the
  /// lognormal has the given mean. At least one microsecond (a constant: one nanosecond).
  std::int64_t repair_ns(std::uint64_t v) const;

 private:
  RepairShape shape_;
  std::int64_t constant_ns_ = 0;
  double mean_us_ = 0, sigma_ = 0;
};

}  // namespace toposim::faults
