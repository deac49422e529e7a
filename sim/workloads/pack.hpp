#pragma once
// Arithmetic on 256 bits at a time: 8 floats or 4 doubles. What is done is written out, so that the bits do not hang on
// what a compiler makes of a loop. Needs -march=x86-64-v3 (the target toposim_eigen).
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace toposim::workloads {

template <class Scalar>
struct PackTypes;
template <>
struct PackTypes<float> {
  using Integer = std::int32_t;
};
template <>
struct PackTypes<double> {
  using Integer = std::int64_t;
};

/// GCC's vector types: + - * / and comparisons go lane by lane, `mask ? a : b` picks lane by lane.
template <class Scalar>
struct Lanes {
  using Integer = typename PackTypes<Scalar>::Integer;
  static constexpr std::size_t count = 32 / sizeof(Scalar);
  typedef Scalar Pack __attribute__((vector_size(32)));
  typedef Integer Bits __attribute__((vector_size(32)));
};

template <class Scalar>
using Pack = typename Lanes<Scalar>::Pack;

template <class Scalar>
inline constexpr std::size_t lanes = Lanes<Scalar>::count;

template <class Scalar>
Pack<Scalar> load(const Scalar* from) {
  Pack<Scalar> p;
  std::memcpy(&p, from, sizeof p);
  return p;
}

template <class Scalar>
void store(Scalar* to, const Pack<Scalar>& p) {
  std::memcpy(to, &p, sizeof p);
}

template <class Scalar>
Pack<Scalar> splat(Scalar x) {
  return x - Pack<Scalar>{};
}

/// a b + c, rounded once.
inline Pack<float> fma(Pack<float> a, Pack<float> b, Pack<float> c) {
  return _mm256_fmadd_ps(a, b, c);
}
inline Pack<double> fma(Pack<double> a, Pack<double> b, Pack<double> c) {
  return _mm256_fmadd_pd(a, b, c);
}

/// Halves onto each other until one lane is left: ((0+4) + (2+6)) + ((1+5) + (3+7)).
template <class Scalar>
Scalar sum(const Pack<Scalar>& p) {
  Scalar x[lanes<Scalar>];
  std::memcpy(x, &p, sizeof p);
  for (std::size_t half = lanes<Scalar> / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) x[i] += x[i + half];
  return x[0];
}

}  // namespace toposim::workloads
