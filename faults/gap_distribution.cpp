#include "faults/gap_distribution.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

namespace toposim::faults {

namespace {

using Quad = boost::multiprecision::cpp_bin_float_quad;
static_assert(std::numeric_limits<long double>::digits >= 64, "needs 80-bit or 128-bit long double");

constexpr std::int64_t us_ns = 1000;

/// u of the 63-bit draw v, exact in 64 bits of mantissa.
template <class Real>
Real uniform(std::uint64_t v) {
  return (Real(v) + Real(0.5)) / Real(9223372036854775808.0L);
}

/// value(Real), in units of grid_ns, rounded to the nearest whole one; in nanoseconds, at most longest_time_ns. `error`
/// bounds the relative error of the value in Fast arithmetic: where that leaves the rounding open, Quad decides.
template <class Fast, class Value>
std::int64_t rounded_ns(const Value& value, std::int64_t grid_ns, Fast error) {
  const Fast x = value(Fast{});
  const std::int64_t longest_in_grid = longest_time_ns / grid_ns;
  if (!(x < static_cast<Fast>(longest_in_grid))) return longest_time_ns;
  const Fast from_boundary = std::fabs(x - std::floor(x) - Fast(0.5));
  if (from_boundary > x * error) return grid_ns * static_cast<std::int64_t>(std::floor(x + Fast(0.5)));
  return grid_ns * static_cast<std::int64_t>(floor(value(Quad{}) + 0.5));
}

/// Whole microseconds by way of long double. Its functions are good to a few units of 2^-64; exponents of up to a
/// hundred or so cost another 7 bits.
template <class Value>
std::int64_t rounded_to_us(const Value& value) {
  return rounded_ns<long double>(value, us_ns, 0x1p-54L);
}

/// -log(1 - u), the standard exponential.
template <class Real>
Real standard_exponential(std::uint64_t v) {
  return -boost::math::log1p(Real(-uniform<Real>(v)));
}

/// The standard gamma quantile of the draw, by the smaller tail: u of a draw close to the last one is 1 in double, and
/// 1 - u is the u of the mirrored draw. In double good to 100 units of 2^-53 for shapes of 0.05 to 10.
template <class Real>
Real standard_gamma(double shape, std::uint64_t v) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  constexpr std::uint64_t last = ~std::uint64_t{0} >> 1;
  return v <= last / 2 ? boost::math::gamma_p_inv(Real(shape), uniform<Real>(v), Policy{})
                       : boost::math::gamma_q_inv(Real(shape), uniform<Real>(last - v), Policy{});
}

}  // namespace

GapDistribution::GapDistribution(const FaultClassSpec& spec)
    : exponential_(spec.shape == Shape::exponential || spec.weibull_k == 1), mean_us_(spec.mtbf_s * 1e6) {
  k_ = exponential_ ? 1 : spec.weibull_k;
  inverse_k_ = 1 / k_;
  // In Quad, because every machine must get the same double.
  scale_us_ = exponential_ ? mean_us_ : static_cast<double>(Quad(mean_us_) / boost::math::tgamma(Quad(1 + inverse_k_)));
}

std::int64_t GapDistribution::gap_ns(std::uint64_t v) const {
  return rounded_to_us([&]<class Real>(Real) {
    using std::pow;
    const Real e = standard_exponential<Real>(v);
    return exponential_ ? Real(Real(mean_us_) * e) : Real(Real(scale_us_) * pow(e, Real(inverse_k_)));
  });
}

std::int64_t GapDistribution::first_gap_ns(std::uint64_t v) const {
  if (exponential_) return gap_ns(v);
  // Every component that fails pays this inverse: in double, where it takes 1.5 us instead of 5, and so to a coarser
  // grid.
  const auto milliseconds = [&]<class Real>(Real) {
    using std::pow;
    return Real(Real(scale_us_) * pow(standard_gamma<Real>(inverse_k_, v), Real(inverse_k_)) / 1000);
  };
  return rounded_ns<double>(milliseconds, gap_grid_max_ns, 0x1p-44);
}

std::int64_t Frailty::rate_ppm(std::uint64_t v) const {
  const auto millionths = [&]<class Real>(Real) {
    return Real(standard_gamma<Real>(1 / variance_, v) * Real(variance_) * 1000000);
  };
  return rounded_ns<double>(millionths, 1, 0x1p-44);
}

std::int64_t Frailty::stretched_ns(std::int64_t gap_ns, std::int64_t rate_ppm) {
  if (rate_ppm == 0) return longest_time_ns;
  // Products and quotients of doubles are the same on every machine.
  const double stretched = static_cast<double>(gap_ns) * 1e6 / static_cast<double>(rate_ppm);
  return stretched < static_cast<double>(longest_time_ns) ? std::llround(stretched) : longest_time_ns;
}

double GapDistribution::first_fault_probability(std::int64_t time_ns) const {
  const double t_us = static_cast<double>(time_ns) / us_ns;
  if (exponential_) return -std::expm1(-t_us / mean_us_);
  return boost::math::gamma_p(inverse_k_, std::pow(t_us / scale_us_, k_));
}

RepairDistribution::RepairDistribution(const RepairSpec& spec)
    : shape_(spec.shape), mean_us_(spec.mean_s * 1e6), sigma_(spec.sigma) {
  const double ns = std::round(spec.mean_s * 1e9);
  constant_ns_ = ns >= static_cast<double>(longest_time_ns) ? longest_time_ns
                                                            : std::max<std::int64_t>(1, static_cast<std::int64_t>(ns));
}

std::int64_t RepairDistribution::repair_ns(std::uint64_t v) const {
  std::int64_t ns = 0;
  switch (shape_) {
    case RepairShape::constant:
      return constant_ns_;
    case RepairShape::exponential:
      ns = rounded_to_us([&]<class Real>(Real) { return Real(Real(mean_us_) * standard_exponential<Real>(v)); });
      break;
    case RepairShape::lognormal:
      ns = rounded_to_us([&]<class Real>(Real) {
        using std::exp, std::sqrt;
        const Real z = -sqrt(Real(2)) * boost::math::erfc_inv(Real(2 * uniform<Real>(v)));
        return Real(Real(mean_us_) * exp(Real(Real(sigma_) * z - Real(sigma_) * Real(sigma_) / 2)));
      });
      break;
  }
  return std::max(us_ns, ns);
}

}  // namespace toposim::faults
