#pragma once
// What every operation should give, in fp64 by plain loops, and how far from it a chain of fp32 roundings may end.
// Shares no code with kernels/: numbers are rounded by arithmetic here and by bits there.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels::oracle {

// One rounding to fp32 moves a number by at most `unit` of it, or by `tiny` (half the smallest subnormal) below 2^-126.
inline constexpr double unit = 0x1p-24, tiny = 0x1p-150;
// The same for bf16, whose significand has 8 bits instead of 24.
inline constexpr double bf16_unit = 0x1p-8, bf16_tiny = 0x1p-134;

/// n roundings, one on top of the other: (1 + unit)^n - 1.
inline double roundings(double n) {
  return std::expm1(n * std::log1p(unit));
}

/// To the nearest number with `digits` bits of significand and the exponents of fp32, ties to even.
inline double rounded(double x, int digits) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double step = std::ldexp(1.0, std::max(std::ilogb(x), -126) - (digits - 1));
  const double nearest = std::nearbyint(x / step) * step;
  return std::fabs(nearest) >= 0x1p128 ? std::copysign(std::numeric_limits<double>::infinity(), x) : nearest;
}
inline double as_fp32(double x) {
  return rounded(x, 24);
}
inline double as_bf16(double x) {
  return rounded(x, 8);
}
inline std::uint16_t bf16_bits(double x) {
  if (std::isnan(x)) return 0x7fc0;
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(as_bf16(x))) >> 16);
}
inline double bf16_value(std::uint16_t bits) {
  const double sign = bits & 0x8000 ? -1 : 1;
  const int exponent = bits >> 7 & 0xff, fraction = bits & 0x7f;
  if (exponent == 255)
    return fraction ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  return exponent == 0 ? sign * std::ldexp(fraction, -133) : sign * std::ldexp(128 + fraction, exponent - 134);
}

inline std::size_t blocks(std::size_t elements) {
  return (elements + 127) / 128;
}
inline std::size_t bytes_per_element(tk_type type) {
  return type == TK_FP32 ? 4 : type == TK_BF16 ? 2 : 1;
}

/// Numbers in one of the three types, with guard bytes behind them, aligned to 16 bytes.
class Vector {
 public:
  /// Nothing yet: for outputs.
  Vector(tk_type vector_type, std::size_t count)
      : type(vector_type),
        elements(count),
        scales(blocks(count) + guard / 4, 0.0f),
        bytes_(count * bytes_per_element(vector_type) + guard, pattern) {}
  /// The nearest numbers of that type.
  Vector(tk_type vector_type, const std::vector<double>& numbers) : Vector(vector_type, numbers.size()) {
    for (std::size_t block = 0; block < blocks(elements); ++block) {
      const std::size_t first = 128 * block, end = std::min(first + 128, elements);
      double most = 0;
      for (std::size_t j = first; j < end; ++j) most = std::max(most, std::fabs(numbers[j]));
      scales[block] = static_cast<float>(as_fp32(most / 127));
      for (std::size_t j = first; j < end; ++j) put(j, numbers[j]);
    }
    refresh();
  }

  tk_vector view() const { return {bytes_.data(), type == TK_INT8 ? scales.data() : nullptr}; }
  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }
  /// What the kernels should read, after they or a test wrote to data().
  void refresh() {
    values.resize(elements);
    for (std::size_t j = 0; j < elements; ++j) values[j] = get(j);
  }
  /// The bits of the numbers, without the guard.
  std::vector<unsigned char> bits(std::size_t count) const {
    return {bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count * bytes_per_element(type))};
  }
  std::vector<unsigned char> bits() const { return bits(elements); }
  /// Nothing was written behind the first `count` elements, which holds for outputs made for more than that.
  bool untouched_behind(std::size_t count) const {
    return std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(count * bytes_per_element(type)), bytes_.end(),
                       [](unsigned char byte) { return byte == pattern; });
  }

  static constexpr std::size_t guard = 64;
  static constexpr unsigned char pattern = 0xa5;

  tk_type type;
  std::size_t elements;
  std::vector<float> scales;   ///< int8 only
  std::vector<double> values;  ///< exact

 private:
  template <class T>
  void write(std::size_t j, T x) {
    std::memcpy(bytes_.data() + j * sizeof x, &x, sizeof x);
  }
  template <class T>
  T read(std::size_t j) const {
    T x;
    std::memcpy(&x, bytes_.data() + j * sizeof x, sizeof x);
    return x;
  }
  void put(std::size_t j, double x) {
    if (type == TK_FP32) return write(j, static_cast<float>(as_fp32(x)));
    if (type == TK_BF16) return write(j, bf16_bits(x));
    const auto scale = static_cast<double>(scales[j / 128]);
    const double q = scale > 0 ? std::nearbyint(x / scale) : 0;
    write(j, static_cast<std::int8_t>(std::clamp(q, -127.0, 127.0)));
  }
  double get(std::size_t j) const {
    if (type == TK_FP32) return static_cast<double>(read<float>(j));
    if (type == TK_BF16) return bf16_value(read<std::uint16_t>(j));
    return as_fp32(read<std::int8_t>(j) * static_cast<double>(scales[j / 128]));  // exact in fp64, rounded once
  }

  std::vector<unsigned char> bytes_;
};

/// Numbers, and how far from each the result may be.
struct Expected {
  std::vector<double> value, bound;
};

/// What storing adds: half a step of bf16; fp32 results are fp32 already.
inline Expected stored_as(tk_type type, Expected e) {
  if (type == TK_BF16)
    for (std::size_t j = 0; j < e.value.size(); ++j)
      e.bound[j] += bf16_unit * (std::fabs(e.value[j]) + e.bound[j]) + bf16_tiny;
  return e;
}

/// The largest error over its bound: at most 1 where all is well, infinite where a result is NaN.
struct Worst {
  double ratio = 0;
  std::size_t at = 0;
  void see(double got, double value, double bound, std::size_t j) {
    const double error = std::fabs(got - value);
    const double r = error == 0 ? 0 : error <= bound ? error / bound : std::max(1.001, error / bound);
    const double seen = std::isnan(r) ? std::numeric_limits<double>::infinity() : r;
    if (seen > ratio) *this = {seen, j};
  }
  void see(const std::vector<double>& got, const Expected& e) {
    for (std::size_t j = 0; j < e.value.size(); ++j) see(got[j], e.value[j], e.bound[j], j);
  }
};

/// a_i = w_i / (sum of w), in fp64, rounded to fp32.
inline std::vector<float> normalised(const std::vector<float>& weights) {
  double sum = 0;
  for (const float w : weights) sum += static_cast<double>(w);
  std::vector<float> a;
  for (const float w : weights) a.push_back(static_cast<float>(as_fp32(static_cast<double>(w) / sum)));
  return a;
}

/// sum a_i G_i. K fma: each rounds a partial sum, which is at most sum |a_i G_i| times what the roundings before added.
inline Expected pool(const std::vector<const Vector*>& inputs, const std::vector<float>& a, std::size_t elements) {
  Expected e{std::vector<double>(elements), std::vector<double>(elements)};
  const auto k = static_cast<double>(inputs.size());
  for (std::size_t j = 0; j < elements; ++j) {
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const double term = static_cast<double>(a[i]) * inputs[i]->values[j];
      sum += term;
      size += std::fabs(term);
    }
    e.value[j] = sum;
    e.bound[j] = roundings(k) * size + k * tiny;
  }
  return e;
}

/// beta l + (1 - beta) g. 1 - beta, its product with g, and the fma round once each.
inline Expected correct(const Vector& local, const Vector& global, float beta, std::size_t elements) {
  Expected e{std::vector<double>(elements), std::vector<double>(elements)};
  for (std::size_t j = 0; j < elements; ++j) {
    const double l = static_cast<double>(beta) * local.values[j];
    const double g = (1 - static_cast<double>(beta)) * global.values[j];
    e.value[j] = l + g;
    e.bound[j] = roundings(3) * (std::fabs(l) + std::fabs(g)) + 2 * tiny;
  }
  return e;
}

struct Sum {
  double value = 0, bound = 0;
};
/// A term of a strip's sum is rounded by its slot's fma, one a row and 32 at most, and by the 7 levels of the tree.
/// What fp64 adds across strips is below 2^-40 of that. An fma whose result is subnormal is off by up to `tiny`; sums
/// of subnormals are exact.
inline double sum_roundings(std::size_t elements) {
  return static_cast<double>(std::min<std::size_t>(blocks(elements), 32)) + 7 + 0x1p-20;
}
/// sum of x y, where x is off by `x_roundings` roundings of x_size, likewise y.
template <class X, class Y, class Size>
Sum sum_of_products(std::size_t elements, double more_roundings, const X& x, const Y& y, const Size& size) {
  Sum s;
  double sizes = 0;
  for (std::size_t j = 0; j < elements; ++j) {
    s.value += x(j) * y(j);
    sizes += size(j);
  }
  s.bound = roundings(sum_roundings(elements) + more_roundings) * sizes + static_cast<double>(elements) * tiny;
  return s;
}
inline Sum dot(const Vector& x, const Vector& y, std::size_t elements) {
  return sum_of_products(
      elements, 0, [&](std::size_t j) { return x.values[j]; }, [&](std::size_t j) { return y.values[j]; },
      [&](std::size_t j) { return std::fabs(x.values[j] * y.values[j]); });
}

/// dot, estimate_square, truth_square, error_square of an estimate that is off by up to k roundings of size[j] each (k
/// 0: exact, size |estimate|). A square holds the estimate's roundings twice; estimate - truth is one rounding more.
inline std::array<Sum, 4> metrics(const std::vector<double>& estimate, const std::vector<double>& size, double k,
                                  const Vector& truth, std::size_t elements) {
  const auto x = [&](std::size_t j) { return estimate[j]; };
  const auto y = [&](std::size_t j) { return truth.values[j]; };
  const auto d = [&](std::size_t j) { return x(j) - y(j); };
  const auto magnitude = [&](std::size_t j) { return k > 0 ? size[j] + std::fabs(y(j)) : std::fabs(d(j)); };
  const auto square = [](double value) { return value * value; };
  return {sum_of_products(elements, k, x, y, [&](std::size_t j) { return std::fabs(size[j] * y(j)); }),
          sum_of_products(elements, 2 * k, x, x, [&](std::size_t j) { return square(size[j]); }),
          sum_of_products(elements, 0, y, y, [&](std::size_t j) { return square(y(j)); }),
          sum_of_products(elements, 2 * (k + 1), d, d, [&](std::size_t j) { return square(magnitude(j)); })};
}

/// The sketch as kernels/body/sketch.hpp describes it. A bucket takes one number a half row that falls into its group:
/// that many fp32 additions in a block (adding subnormals is exact), and one rounding of the fp64 sum at the end.
inline Expected sketch(const Vector& x, std::size_t elements, std::size_t width, std::uint64_t seed) {
  const auto draw = [&](std::uint64_t number) {
    std::uint64_t z = seed + number * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  };
  Expected e{std::vector<double>(width), std::vector<double>(width)};
  std::vector<double> size(width), additions(width);
  for (std::size_t j = 0; j < elements; ++j) {
    const std::uint64_t half_row = j / 64, slot = j % 64;
    const std::uint64_t bits = draw(2 * half_row + 1), signs = draw(2 * half_row + 2);
    const std::uint64_t group = (bits >> 32) * (width / 64) >> 32, mask = bits % 64;
    const std::size_t bucket = 64 * group + (slot ^ mask);
    e.value[bucket] += signs >> slot & 1 ? -x.values[j] : x.values[j];
    size[bucket] += std::fabs(x.values[j]);
    ++additions[bucket];
  }
  for (std::size_t b = 0; b < width; ++b) e.bound[b] = roundings(additions[b] + 1) * size[b];
  return e;
}

// Data. std::mt19937_64 gives the same numbers everywhere; the distributions of the standard library need not.
enum class Data { uniform, wide, subnormal };

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : bits_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(bits_() >> 11), -53);
  }
  double normal() {
    return std::sqrt(-2 * std::log(between(0x1p-60, 1))) * std::cos(6.283185307179586 * between(0, 1));
  }

 private:
  std::mt19937_64 bits_;
};

/// Uniform: -1 to 1. Wide: magnitudes from 2^-45 to 2^45, where no sum of squares overflows, neighbours in a block
/// within 2^10 so that int8 keeps them. Subnormal: up to 2^-125, most of them below fp32's least normal number, 2^-126.
/// No -0.
inline std::vector<double> numbers(Data data, std::size_t count, std::uint64_t seed) {
  Numbers draw(seed);
  std::vector<double> result(count);
  int block_exponent = 0;
  for (std::size_t j = 0; j < count; ++j) {
    if (j % 128 == 0) block_exponent = static_cast<int>(draw.between(-40, 40));
    const double x = draw.between(-1, 1);
    const int exponent = data == Data::wide ? block_exponent + static_cast<int>(draw.between(-5, 5)) : 0;
    result[j] =
        data == Data::subnormal ? as_bf16(x * 0x1p-125) + 0x1p-149 * std::floor(4 * x) : std::ldexp(x, exponent);
    if (std::fabs(result[j]) < 0x1p-132) result[j] = 0;
  }
  return result;
}
/// `count` vectors, different from each other.
inline std::vector<Vector> vectors(tk_type type, Data data, std::size_t count, std::size_t elements,
                                   std::uint64_t seed = 1) {
  std::vector<Vector> result;
  for (std::size_t i = 0; i < count; ++i) result.emplace_back(type, numbers(data, elements, 1000 * seed + i));
  return result;
}
inline std::vector<float> some_weights(std::size_t count, std::uint64_t seed = 7) {
  Numbers draw(seed);
  std::vector<float> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(static_cast<float>(draw.between(-0.5, 1)));
  return result;
}

inline const char* name_of(tk_type type) {
  return type == TK_FP32 ? "fp32" : type == TK_BF16 ? "bf16" : "int8";
}
inline const char* name_of(tk_isa isa) {
  return isa == TK_ISA_BASELINE ? "baseline" : isa == TK_ISA_AVX2 ? "avx2" : "avx512";
}
inline const char* name_of(Data data) {
  return data == Data::uniform ? "uniform" : data == Data::wide ? "wide" : "subnormal";
}

}  // namespace toposim::kernels::oracle
