#pragma once
// exp and log with the same bits on every machine: additions, multiplications and one division in a fixed order. The C
// library's choose fused variants by processor.
#include <bit>
#include <cstdint>

namespace toposim::topology {

/// Natural logarithm of a positive finite number; relative error below 1e-15 (absolute near 1).
double fixed_log(double x);

/// e^x for x <= 709; 0 below -708. Relative error below 1e-14.
double fixed_exp(double x);

/// e^x in single precision for x <= 88; 0 below -87. Relative error below 3e-7. Here so that loops over it vectorise.
/// x = k ln 2 + r, |r| <= ln 2 / 2 = 0.3466, Taylor to r^7: 0.3466^8 / 8! = 5e-9.
inline float fixed_exp_float(float x) {
  const float bounded = x < -87.0f ? -87.0f : x;
  const auto k = static_cast<std::int32_t>(bounded * 1.44269504f + (bounded < 0 ? -0.5f : 0.5f));
  const float kf = static_cast<float>(k);
  const float r = (bounded - kf * 0.693359375f) - kf * -2.12194440e-4f;  // Cephes' split of ln 2
  float series = 1.0f / 5040.0f;
  series = series * r + 1.0f / 720.0f;
  series = series * r + 1.0f / 120.0f;
  series = series * r + 1.0f / 24.0f;
  series = series * r + 1.0f / 6.0f;
  series = series * r + 0.5f;
  series = series * r + 1.0f;
  series = series * r + 1.0f;
  const float power = std::bit_cast<float>((k + 127) << 23);
  return x < -87.0f ? 0.0f : series * power;
}

}  // namespace toposim::topology
