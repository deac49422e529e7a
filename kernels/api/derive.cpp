// What host code derives from sums: the same bits on every machine, so nothing here comes from the C library.
#include <cmath>
#include <limits>

#include "kernels/api/message.hpp"
#include "kernels/backend/plain_arithmetic.hpp"
#include "kernels/topokernels.h"

namespace toposim::kernels {
namespace {

/// atan(t), 0 <= t <= 1: the angle halved three times, by tan(a / 2) = tan(a) / (1 + sqrt(1 + tan(a)^2)), to 5.7
/// degrees at most, there by its series: t^17 / 17 is below 2^-60 of t.
double arc_tangent(double t) {
  for (int halving = 0; halving < 3; ++halving) t /= 1 + std::sqrt(1 + t * t);
  double series = 0;
  for (int power = 15; power >= 1; power -= 2) series = 1.0 / power - t * t * series;
  return 8 * t * series;
}

/// acos, in degrees, by tan(a / 2)^2 = (1 - cos a) / (1 + cos a). 1 - c is exact where it is small.
double angle_deg(double cosine) {
  if (cosine == 0) return 90;
  const double c = std::fabs(cosine);
  const double acute = 2 * 57.295779513082320877 * arc_tangent(std::sqrt((1 - c) / (1 + c)));
  return cosine > 0 ? acute : 180 - acute;
}

}  // namespace
}  // namespace toposim::kernels

extern "C" tk_metrics tk_derive_metrics(const tk_metrics_sums* sums) {
  using namespace toposim::kernels;
  const PlainArithmetic plain;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  if (sums == nullptr) {
    fail(TK_BAD_ARGUMENT, "sums is a null pointer");
    return {nan, nan, nan};
  }
  succeed();
  const double norms = std::sqrt(sums->estimate_square) * std::sqrt(sums->truth_square);
  tk_metrics m{};
  m.cosine = norms > 0 ? sums->dot / norms : norms == 0 ? 0 : norms;  // NaN stays NaN
  m.angle_deg = angle_deg(m.cosine > 1 ? 1 : m.cosine < -1 ? -1 : m.cosine);
  m.relative_l2 = std::sqrt(sums->error_square / sums->truth_square);
  if (sums->truth_square == 0)  // NaN stays NaN
    m.relative_l2 = sums->error_square == 0 ? 0 : sums->error_square * infinity;
  return m;
}
