#include "topology/semantic/fixed_math.hpp"

#include <cmath>

namespace toposim::topology {
namespace {

// ln 2 in two parts: k * ln2_high is exact for |k| < 2^20 (fdlibm's e_exp.c and e_log.c use the same split).
constexpr double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;

}  // namespace

// x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716: the series
// s + s^3/3 + ... to s^23 leaves less than s^25/25 = 1e-20.
double fixed_log(double x) {
  int k = 0;
  double m = std::frexp(x, &k);  // exact
  if (m < 0.70710678118654752) {
    m *= 2;
    --k;
  }
  const double s = (m - 1) / (m + 1), z = s * s;
  double series = 0;
  for (int odd = 23; odd >= 3; odd -= 2) series = series * z + 1.0 / odd;
  const double tail = s * (z * series) * 2 + k * ln2_low;
  return k * ln2_high + (2 * s + tail);
}

// x = k ln 2 + r, |r| <= ln 2 / 2 = 0.3466; Taylor to r^14: 0.3466^15 / 15! = 1e-19.
double fixed_exp(double x) {
  if (x < -708) return 0;
  const double k = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double series = 1;
  for (int n = 14; n >= 1; --n) series = series * (r / n) + 1;
  return std::ldexp(series, static_cast<int>(k));
}

}  // namespace toposim::topology
