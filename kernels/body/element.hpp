#pragma once
// What a vector in memory is made of. A source is where a pack loads from; the pack says how.
#include <cstdint>

#include "kernels/body/shape.hpp"

namespace toposim::kernels {

// Element types. bf16: the upper half of an fp32. int8: blocks of 128 (a row) with a scale each, value = q x scale.
struct Bf16 {
  std::uint16_t bits;
};
struct Int8 {
  std::int8_t q;
};

template <class T>
struct Source {
  const T* data;
};
template <>
struct Source<Int8> {
  const Int8* data;
  const float* scales;  ///< one per row
};

TK_FN std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
TK_FN float float_of(std::uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

// One number at a time, for packs whose lanes hold one each.
TK_FN float widened(float x, float) {
  return x;
}
TK_FN float widened(Bf16 x, float) {
  return float_of(static_cast<std::uint32_t>(x.bits) << 16);
}
TK_FN float widened(Int8 x, float scale) {
  return static_cast<float>(x.q) * scale;
}
TK_FN void narrow_to(float* to, float x) {
  *to = x;
}
/// To nearest, ties to even; every NaN becomes 0x7fc0.
TK_FN void narrow_to(Bf16* to, float x) {
  const std::uint32_t bits = bits_of(x);
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  to->bits = static_cast<std::uint16_t>(nan ? 0x7fc0u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// A row's scale; 1 where there are none.
template <class T>
TK_FN float scale_of(const Source<T>&, std::size_t) {
  return 1.0f;
}
TK_FN float scale_of(const Source<Int8>& source, std::size_t row) {
  return source.scales[row];
}

inline constexpr std::uint32_t sign_bit = 0x80000000u, infinity_bits = 0x7f800000u, nan_bits = 0x7fc00000u;

}  // namespace toposim::kernels
