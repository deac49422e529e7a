#pragma once
// exp, log and the like from plain arithmetic: the same bits wherever IEEE 754 holds. libm promises no such thing:
// glibc picks variants by processor, and Eigen's array functions end in libm for the last few elements.
#include <bit>
#include <cstdint>
#include <limits>

#include "sim/workloads/pack.hpp"

namespace toposim::workloads {

/// How exp is cut up in each precision.
template <class Scalar>
struct ExpParts;

template <>
struct ExpParts<float> {
  static constexpr float lowest = -87.33f, highest = 88.37f;  // 2^-126 and 2^127.5: n stays an exponent
  static constexpr float round = 12582912.0f;                 // 1.5 * 2^23: adding it rounds to whole numbers
  static constexpr float ln2_high = 0.693359375f;             // 10 bits, so that n * ln2_high is exact
  static constexpr float ln2_low = -2.12194440054690583e-4f;
  static constexpr int degree = 7, mantissa_bits = 23, bias = 127;  // 0.347^8 / 8! = 5e-9
};

template <>
struct ExpParts<double> {
  static constexpr double lowest = -708.39, highest = 709.43;
  static constexpr double round = 6755399441055744.0;             // 1.5 * 2^52
  static constexpr double ln2_high = 6.93147180369123816490e-01;  // 32 bits
  static constexpr double ln2_low = 1.90821492927058770002e-10;
  static constexpr int degree = 13, mantissa_bits = 52, bias = 1023;  // 0.347^14 / 14! = 4e-18
};

/// 1 / k!, to k = 13.
inline constexpr double inverse_factorial[] = {
    1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
    1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};

/// e^x, lane by lane, within 2 units in the last place. x = n ln 2 + r, |r| <= ln 2 / 2; Taylor's series of e^r. Zero
/// below -87.33 (double: -708.39), where results would be subnormal; infinite above 88.37 (709.43). NaN stays NaN.
/// Written for packs of `Scalar`; exp(Scalar) is one lane of it.
template <class Scalar>
Pack<Scalar> exp_pack(const Pack<Scalar>& x) {
  using Part = ExpParts<Scalar>;
  using Bits = typename Lanes<Scalar>::Bits;
  Pack<Scalar> clamped = x < Part::lowest ? splat(Part::lowest) : x;
  clamped = clamped > Part::highest ? splat(Part::highest) : clamped;
  const Pack<Scalar> shifted = fma(clamped, splat(Scalar(1.44269504088896340736)), splat(Part::round));
  const Pack<Scalar> n = shifted - Part::round;
  Pack<Scalar> r = fma(n, splat(-Part::ln2_high), clamped);
  r = fma(n, splat(-Part::ln2_low), r);
  Pack<Scalar> y = splat(Scalar(inverse_factorial[Part::degree]));
  for (int k = Part::degree - 1; k >= 0; --k) y = fma(y, r, splat(Scalar(inverse_factorial[k])));
  // The last bits of `shifted` hold n: 2^n is built from them as an exponent.
  const Bits exponent = ((Bits)shifted + Part::bias) << Part::mantissa_bits;
  y *= (Pack<Scalar>)exponent;
  y = x < Part::lowest ? Pack<Scalar>{} : y;
  return x > Part::highest ? splat(std::numeric_limits<Scalar>::infinity()) : y;
}

template <class Scalar>
Scalar exp(Scalar x) {
  return exp_pack<Scalar>(splat(x))[0];
}

/// 1 / (1 + e^-x), within 3 units in the last place.
template <class Scalar>
Pack<Scalar> sigmoid_pack(const Pack<Scalar>& x) {
  return Scalar(1) / (Scalar(1) + exp_pack<Scalar>(-x));
}

/// Natural logarithm, within 2 units in the last place. x = 2^e m, m in [sqrt(1/2), sqrt(2)); log m = 2 artanh(s),
/// s = (m - 1) / (m + 1), |s| < 0.172, by its series to s^21. log 0 = -inf; negative: NaN; inf and NaN stay.
inline double log(double x) {
  if (!(x > 0)) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  int e = 0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    e = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  e += static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);
  if (m > 1.41421356237309504880) {
    m *= 0.5;
    ++e;
  }
  const double f = m - 1, s = f / (m + 1), z = s * s;
  double series = 0;
  for (int k = 21; k >= 3; k -= 2) series = (series + 2.0 / k) * z;
  // log m = f - s (f - R), since 2 s = f - s f: the large part stays exact.
  const double n = e;
  return n * 6.93147180369123816490e-01 - ((s * (f - series) - n * 1.90821492927058770002e-10) - f);
}

struct SineCosine {
  double sine, cosine;
};

/// Of an angle in turns (1 is 2 pi), each within 2e-16 of the truth for |turns| < 2^40. Reduced to an eighth of a turn
/// without rounding; Taylor's series of pi/4 or less.
inline SineCosine sine_cosine(double turns) {
  constexpr double round = 6755399441055744.0;
  const double quarters = (turns * 4 + round) - round;
  const double angle = (turns - quarters * 0.25) * 6.28318530717958647693, z = angle * angle;
  double s = 0, c = 0;
  constexpr double odd[] = {1.0 / 6, 1.0 / 20, 1.0 / 42, 1.0 / 72, 1.0 / 110, 1.0 / 156, 1.0 / 210, 1.0 / 272};
  constexpr double even[] = {1.0 / 2, 1.0 / 12, 1.0 / 30, 1.0 / 56, 1.0 / 90, 1.0 / 132, 1.0 / 182, 1.0 / 240};
  for (int k = 7; k >= 0; --k) {
    s = z * odd[k] * (1 - s);
    c = z * even[k] * (1 - c);
  }
  s = angle - angle * s;
  c = 1 - c;
  switch (static_cast<std::int64_t>(quarters) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

}  // namespace toposim::workloads
