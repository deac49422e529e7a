#pragma once
// Smooth activations and their derivatives; counts are whole packs.
#include <cstddef>

#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

/// GELU in its tanh form (Hendrycks and Gimpel 2016): x / 2 (1 + tanh u) = x sigmoid(2 u), u = sqrt(2 / pi)
/// (x + 0.044715 x^3). x becomes gelu(x), `derivative` receives gelu'(x).
template <class Scalar>
void gelu(Scalar* x, Scalar* derivative, std::size_t count) {
  constexpr auto a = static_cast<Scalar>(1.59576912160573071176);  // 2 sqrt(2 / pi)
  constexpr auto b = static_cast<Scalar>(1.59576912160573071176 * 0.044715);
  const Pack<Scalar> one = splat(Scalar(1));
  for (std::size_t i = 0; i < count; i += lanes<Scalar>) {
    const Pack<Scalar> v = load(x + i), square = v * v;
    const Pack<Scalar> s = sigmoid_pack<Scalar>(v * fma(square, splat(b), splat(a)));
    const Pack<Scalar> slope = fma(square, splat(3 * b), splat(a)), y = v * s;
    store(x + i, y);
    store(derivative + i, fma(y * (one - s), slope, s));
  }
}

/// SiLU (Elfwing, Uchibe, Doya 2018): x sigmoid(x), its derivative sigmoid(x) (1 + x (1 - sigmoid(x))).
template <class Scalar>
void silu(Scalar* x, Scalar* derivative, std::size_t count) {
  const Pack<Scalar> one = splat(Scalar(1));
  for (std::size_t i = 0; i < count; i += lanes<Scalar>) {
    const Pack<Scalar> v = load(x + i), s = sigmoid_pack<Scalar>(v), y = v * s;
    store(x + i, y);
    store(derivative + i, fma(y, one - s, s));
  }
}

/// x *= y.
template <class Scalar>
void multiply(Scalar* x, const Scalar* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) x[i] *= y[i];
}

}  // namespace toposim::workloads
