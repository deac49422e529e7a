#pragma once
// The pack of slots on a CPU: V vector registers of the width that this translation unit is compiled for. Compiled
// several times, each in a namespace of its own (TK_ISA), so that the linker never mixes instruction sets.
//
// GCC's vector extensions for everything but fma: operators on them are the IEEE operation on each element.
#include <cstring>

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
TK_FN Floats widen(const Bf16* p, float) {
  return as<Floats>(__builtin_convertvector(read<Halves>(p), Words) << 16);
}
TK_FN Floats widen(const Int8* p, float scale) {
  const Floats q = __builtin_convertvector(__builtin_convertvector(read<Bytes>(p), Ints), Floats);
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
struct Slots {
  alignas(64) float s[row_slots];
  template <class P>
  TK_FN void put(int slot, const P& pack) {
    __builtin_memcpy(s + slot, pack.v, sizeof pack.v);
  }
  TK_FN void tree(float* sum) {
    for (int half = row_slots / 2; half >= 1; half /= 2)
      for (int i = 0; i < half; ++i) s[i] += s[i + half];
    *sum = s[0];
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

  TK_FN static CpuPack splat(float x) {
    CpuPack p;
    for (int i = 0; i < V; ++i) p.v[i] = Floats{} + x;
    return p;
  }
  /// Elements beyond the last are +0.
  template <class T>
  TK_FN static CpuPack load(const Source<T>& source, const Place& at) {
    const float scale = at.valid > 0 ? scale_of(source, at.row) : 0.0f;
    if (at.valid == width) return full(source.data + at.index(), scale);
    T rest[width];
    __builtin_memset(rest, 0, sizeof rest);
    for (int i = 0; i < at.valid; ++i) rest[i] = source.data[at.index() + static_cast<std::size_t>(i)];
    CpuPack p = full(rest, scale);
    for (int i = at.valid; i < width; ++i) p.v[i / lanes][i % lanes] = 0.0f;  // 0 x an infinite scale is no zero
    return p;
  }
  template <class T>
  TK_FN void store(T* to, const Place& at) const {
    T* p = to + at.index();
    if (at.valid == width) {
      for (int i = 0; i < V; ++i) narrow(p + i * lanes, v[i]);
      return;
    }
    T all[width];
    for (int i = 0; i < V; ++i) narrow(all + i * lanes, v[i]);
    for (int i = 0; i < at.valid; ++i) p[i] = all[i];
  }

  TK_FN friend CpuPack fma(const CpuPack& a, const CpuPack& b, const CpuPack& c) {
    CpuPack r;
    for (int i = 0; i < V; ++i) r.v[i] = TK_ISA::fma(a.v[i], b.v[i], c.v[i]);
    return r;
  }
  TK_FN friend CpuPack operator+(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    for (int i = 0; i < V; ++i) r.v[i] = a.v[i] + b.v[i];
    return r;
  }
  TK_FN friend CpuPack operator-(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    for (int i = 0; i < V; ++i) r.v[i] = a.v[i] - b.v[i];
    return r;
  }
  TK_FN friend CpuPack operator*(const CpuPack& a, const CpuPack& b) {
    CpuPack r;
    for (int i = 0; i < V; ++i) r.v[i] = a.v[i] * b.v[i];
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
  TK_FN void quantise(Int8* to, const Place& at, float scale) const {
    constexpr float shift = 12582912.0f;  // 1.5 x 2^23: adding it leaves no fraction bits
    alignas(64) std::int32_t q[width];
    for (int i = 0; i < V; ++i) {
      const Floats rounded = (v[i] / (Floats{} + scale) + shift) - shift;
      write(q + i * lanes, __builtin_convertvector(rounded, Ints));
    }
    for (int i = 0; i < at.valid; ++i)
      to[at.index() + static_cast<std::size_t>(i)].q = static_cast<std::int8_t>(q[i] > 127    ? 127
                                                                                : q[i] < -127 ? -127
                                                                                              : q[i]);
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
      write(to, read<Floats>(to) + __builtin_shuffle(x, as<Ints>(permutation)));
    }
  }

 private:
  template <class T>
  TK_FN static CpuPack full(const T* from, float scale) {
    CpuPack p;
    for (int i = 0; i < V; ++i) p.v[i] = widen(from + i * lanes, scale);
    return p;
  }
};

/// The pack family of this instruction set.
struct Cpu {
  template <int V>
  using Pack = CpuPack<V>;
  using Row = CpuPack<row_slots / lanes>;
  using Doubles = TK_ISA::Doubles;
  static constexpr int gram_rows = 4, gram_columns = 2;  ///< tile of pairs whose sums stay in registers

  /// A value that is the same in all lanes, written once.
  template <class T>
  TK_FN static void put(T* to, T value) {
    *to = value;
  }
  /// body(i) for 0 <= i < count, independent of each other: shared out among lanes where there are any.
  template <class Body>
  TK_FN static void for_each_index(int count, const Body& body) {
    for (int i = 0; i < count; ++i) body(i);
  }
  TK_FN static void zero(float* table, int count) {
    __builtin_memset(table, 0, sizeof(float) * static_cast<unsigned>(count));
  }
};

}  // namespace toposim::kernels::TK_ISA
