#pragma once
// The pack of slots on a CPU: V vector registers of the width that this translation unit is compiled for. Compiled
// several times, each in a namespace of its own (TK_ISA), so that the linker never mixes instruction sets.
//
// GCC's vector extensions for everything but fma: operators on them are the IEEE operation on each element.

#include "kernels/body/element.hpp"
#if defined(__FMA__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define TK_VECTOR_BYTES 64
#define TK_ISA avx512
#elif defined(__AVX2__)
#define TK_VECTOR_BYTES 32
#define TK_ISA avx2
#else
#define TK_VECTOR_BYTES 16
#define TK_ISA baseline
#endif

namespace toposim::kernels::TK_ISA {

inline constexpr int lanes = TK_VECTOR_BYTES / 4;
using Floats = float __attribute__((vector_size(TK_VECTOR_BYTES)));
using Words = std::uint32_t __attribute__((vector_size(TK_VECTOR_BYTES)));
using Ints = std::int32_t __attribute__((vector_size(TK_VECTOR_BYTES)));
using Halves = std::uint16_t __attribute__((vector_size(TK_VECTOR_BYTES / 2)));
using Bytes = std::int8_t __attribute__((vector_size(TK_VECTOR_BYTES / 4)));

template <class To, class From>
TK_FN To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
template <class Vector, class T>
TK_FN Vector read(const T* from) {
  Vector v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class Vector, class T>
TK_FN void write(T* to, const Vector& v) {
  __builtin_memcpy(to, &v, sizeof v);
}

/// r[i] = x[index[i]].
TK_FN Floats permuted(Floats x, Words index) {
#ifdef __clang__  // clang-tidy, which reads this with another compiler's eyes
  Floats r{};
  for (int i = 0; i < lanes; ++i) r[i] = x[index[i]];
  return r;
#else
  return __builtin_shuffle(x, as<Ints>(index));
#endif
}

TK_FN Words iota() {
  Words w{};
  for (int i = 0; i < lanes; ++i) w[i] = static_cast<std::uint32_t>(i);
  return w;
}

#if defined(__AVX512F__)
TK_FN Floats fma(Floats a, Floats b, Floats c) {
  return as<Floats>(_mm512_fmadd_ps(as<__m512>(a), as<__m512>(b), as<__m512>(c)));
}
#elif defined(__FMA__)
TK_FN Floats fma(Floats a, Floats b, Floats c) {
  return as<Floats>(_mm256_fmadd_ps(as<__m256>(a), as<__m256>(b), as<__m256>(c)));
}
#else
/// The product of two floats is exact in double, so only the sum rounds: to odd in double (Boldo and Melquiond, 2008),
/// which 53 >= 24 + 2 bits make harmless for the rounding to float that follows.
TK_FN float fma(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, addend = c, sum = product + addend;
  const double back = sum - product, error = (product - (sum - back)) + (addend - back);
  std::uint64_t bits;
  __builtin_memcpy(&bits, &sum, sizeof bits);
  // error is NaN for infinite sums, and 0 for exact ones. An inexact even sum moves one step towards the error.
  if ((error < 0 || error > 0) && (bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : -1ull;
  double odd;
  __builtin_memcpy(&odd, &bits, sizeof odd);
  return static_cast<float>(odd);
}
TK_FN Floats fma(Floats a, Floats b, Floats c) {
  Floats r;
  for (int i = 0; i < lanes; ++i) r[i] = fma(a[i], b[i], c[i]);
  return r;
}
#endif

TK_FN Floats widen(const float* p, float) {
  return read<Floats>(p);
}
// GCC 12 widens small integers one by one where it is not told the instruction.
#if defined(__AVX512F__)
TK_FN Words widen_words(const Bf16* p) {
  return as<Words>(_mm512_cvtepu16_epi32(read<__m256i>(p)));
}
TK_FN Ints widen_ints(const Int8* p) {
  return as<Ints>(_mm512_cvtepi8_epi32(read<__m128i>(p)));
}
#elif defined(__AVX2__)
TK_FN Words widen_words(const Bf16* p) {
  return as<Words>(_mm256_cvtepu16_epi32(read<__m128i>(p)));
}
TK_FN Ints widen_ints(const Int8* p) {
  return as<Ints>(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(read<long long>(p))));
}
#else
TK_FN Words widen_words(const Bf16* p) {
  return __builtin_convertvector(read<Halves>(p), Words);
}
TK_FN Ints widen_ints(const Int8* p) {
  return __builtin_convertvector(read<Bytes>(p), Ints);
}
#endif

TK_FN Floats widen(const Bf16* p, float) {
  return as<Floats>(widen_words(p) << 16);
}
TK_FN Floats widen(const Int8* p, float scale) {
  const Floats q = __builtin_convertvector(widen_ints(p), Floats);
  return q * (Floats{} + scale);
}

/// To nearest, ties to even; every NaN becomes the one with bits 0x7fc0.
TK_FN Halves narrow_bf16(Floats x) {
  const Words bits = as<Words>(x), absolute = bits & ~sign_bit;
  const Words rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const Words nan = as<Words>(absolute > infinity_bits);
  return __builtin_convertvector((rounded & ~nan) | (nan & 0x7fc0u), Halves);
}
TK_FN void narrow(float* p, Floats x) {
  write(p, x);
}
TK_FN void narrow(Bf16* p, Floats x) {
  write(p, narrow_bf16(x));
}

/// The 128 partial sums of a strip.
class Slots {
 public:
  template <class P>
  TK_FN void put(int slot, const P& pack) {
    pack.each_vector([&](auto i, const Floats& x) TK_INLINE { write(s + slot + i * lanes, x); });
  }
  template <class P>
  TK_FN P get(int slot) const {
    return P::load(Source<float>{s}, WholePlace{0, slot});
  }
  TK_FN float tree() {
    Floats t[row_slots / lanes];
    each<row_slots / lanes>([&](auto i) TK_INLINE { t[i] = read<Floats>(s + i * lanes); });
    halve<row_slots / lanes / 2>(t);
    each<log2_lanes>([&](auto level) TK_INLINE {
      constexpr std::uint32_t half = lanes >> (level + 1);
      t[0] += permuted(t[0], iota() ^ half);
    });
    return t[0][0];
  }

 private:
  alignas(64) float s[row_slots];
  static constexpr int log2_lanes = lanes == 16 ? 4 : lanes == 8 ? 3 : 2;
  template <int Half>
  TK_FN static void halve(Floats* t) {
    each<Half>([&](auto i) TK_INLINE { t[i] += t[i + Half]; });
    if constexpr (Half > 1) halve<Half / 2>(t);
  }
};

/// 128 sums in fp64.
struct Doubles {
  alignas(64) double s[row_slots];
  TK_FN Doubles() : s{} {}
  template <class T>
  TK_FN void add(const T* from, int valid) {
    for (int i = 0; i < valid; ++i) s[i] += static_cast<double>(from[i]);
    for (int i = valid; i < row_slots; ++i) s[i] += 0.0;
  }
  TK_FN double tree() {
    for (int half = row_slots / 2; half >= 1; half /= 2)
      for (int i = 0; i < half; ++i) s[i] += s[i + half];
    return s[0];
  }
};

template <int V>
struct CpuPack {
  static constexpr int width = V * lanes;
  static_assert(row_slots % width == 0);
  using Slots = TK_ISA::Slots;
  Floats v[V];

  CpuPack() = default;
  // Register by register: a copy of the whole array would keep it in memory.
  TK_FN CpuPack(const CpuPack& other) { *this = other; }
  TK_FN CpuPack& operator=(const CpuPack& other) {
    each<V>([&](auto i) TK_INLINE { v[i] = other.v[i]; });
    return *this;
  }

  TK_FN static CpuPack splat(float x) {
    CpuPack p;
    each<V>([&](auto i) TK_INLINE { p.v[i] = Floats{} + x; });
    return p;
  }
  template <class T>
  TK_FN static CpuPack load(const Source<T>& source, const WholePlace& at) {
    return full(source.data + at.index(), scale_of(source, at.row));
  }
  /// Elements beyond the last are +0. Out of line: it is rare, and would take registers from what is not.
  template <class T>
  __attribute__((noinline)) static CpuPack load(const Source<T>& source, const Place& at) {
    const float scale = at.valid > 0 ? scale_of(source, at.row) : 0.0f;
    T rest[width];
    __builtin_memset(rest, 0, sizeof rest);
    for (int i = 0; i < at.valid; ++i) rest[i] = source.data[at.index() + static_cast<std::size_t>(i)];
    float numbers[width];
    const CpuPack p = full(rest, scale);
    __builtin_memcpy(numbers, p.v, sizeof numbers);
    for (int i = at.valid; i < width; ++i) numbers[i] = 0.0f;  // 0 x an infinite scale is no zero
    return full(numbers, 1.0f);
  }
  template <class T>
  TK_FN void store(T* to, const WholePlace& at) const {
    T* p = to + at.index();
    each<V>([&](auto i) TK_INLINE { narrow(p + i * lanes, v[i]); });
  }
  template <class T>
  __attribute__((noinline)) void store(T* to, const Place& at) const {
    T all[width];
    each<V>([&](auto i) TK_INLINE { narrow(all + i * lanes, v[i]); });
    for (int i = 0; i < at.valid; ++i) to[at.index() + static_cast<std::size_t>(i)] = all[i];
  }

  template <class F>
  TK_FN void each_vector(const F& f) const {
    each<V>([&](auto i) TK_INLINE { f(i, v[i]); });
  }

  TK_FN friend CpuPack fma(const CpuPack& a, const CpuPack& b, const CpuPack& c) {
    CpuPack r;
    each<V>([&](auto i) TK_INLINE { r.v[i] = TK_ISA::fma(a.v[i], b.v[i], c.v[i]); });
    return r;
  }
  TK_FN friend CpuPack operator+(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    each<V>([&](auto i) TK_INLINE { r.v[i] = a.v[i] + b.v[i]; });
    return r;
  }
  TK_FN friend CpuPack operator-(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    each<V>([&](auto i) TK_INLINE { r.v[i] = a.v[i] - b.v[i]; });
    return r;
  }
  TK_FN friend CpuPack operator*(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    each<V>([&](auto i) TK_INLINE { r.v[i] = a.v[i] * b.v[i]; });
    return r;
  }

  // Whole rows only (width 128).

  /// The largest magnitude as bits, which order like the numbers; infinity above all numbers, NaN above infinity.
  TK_FN std::uint32_t max_magnitude_bits() const {
    Words most{};
    for (int i = 0; i < V; ++i) {
      const Words bits = as<Words>(v[i]) & ~sign_bit;
      most = as<Ints>(bits) > as<Ints>(most) ? bits : most;
    }
    std::uint32_t result = 0;
    for (int i = 0; i < lanes; ++i) result = most[i] > result ? most[i] : result;
    return result;
  }
  /// round(x / scale) to nearest, ties to even, within -127 to 127. |x / scale| < 2^22.
  TK_FN void quantise(Int8* to, const WholePlace& at, float scale) const {
    each<V>([&](auto i) TK_INLINE { write(to + at.index() + i * lanes, quantised(v[i], scale)); });
  }
  __attribute__((noinline)) void quantise(Int8* to, const Place& at, float scale) const {
    Int8 all[width];
    each<V>([&](auto i) TK_INLINE { write(all + i * lanes, quantised(v[i], scale)); });
    for (int i = 0; i < at.valid; ++i) to[at.index() + static_cast<std::size_t>(i)] = all[i];
  }
  /// table[(s mod 64) ^ mask] += +-x[s] for the 64 slots of one half of the row; bit s mod 64 of `signs` set: minus.
  TK_FN void scatter_half(float* table, int half, std::uint32_t mask, std::uint64_t signs) const {
    constexpr int chunks = 64 / lanes;
    const Words permutation = iota() ^ (mask % lanes);
    for (int c = 0; c < chunks; ++c) {
      const auto bits = static_cast<std::uint32_t>(signs >> (c * lanes));
      const Words minus = ((Words{} + bits) << (31u - iota())) & sign_bit;
      const Floats x = as<Floats>(as<Words>(v[half * chunks + c]) ^ minus);
      float* to = table + ((static_cast<std::uint32_t>(c) ^ (mask / lanes)) * lanes);
      write(to, read<Floats>(to) + permuted(x, permutation));
    }
  }

 private:
  TK_FN static Bytes quantised(Floats x, float scale) {
    constexpr float shift = 12582912.0f;  // 1.5 x 2^23: adding it leaves no fraction bits
    const Ints q = __builtin_convertvector((x / (Floats{} + scale) + shift) - shift, Ints);
    const Ints most = Ints{} + 127;
    const Ints below = q > most ? most : q;
    return __builtin_convertvector(below < -most ? -most : below, Bytes);
  }
  template <class T>
  TK_FN static CpuPack full(const T* from, float scale) {
    CpuPack p;
    each<V>([&](auto i) TK_INLINE { p.v[i] = widen(from + i * lanes, scale); });
    return p;
  }
};

}  // namespace toposim::kernels::TK_ISA
