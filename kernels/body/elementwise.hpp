#pragma once
// Kernels that touch every element once: scale, correct, dequantise.
#include "kernels/body/element.hpp"
#include "kernels/body/nests.hpp"

namespace toposim::kernels {

/// x[j] *= factor, in place: what a survivor does to its own gradient before the all-reduce.
template <class T>
struct ScaleJob {
  std::size_t elements;
  T* data;
  float factor;
  const float* factor_at;  ///< where the factor is known only on the device; null: `factor`

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<4>;
    const P a = P::splat(factor_at ? *factor_at : factor);
    for_each_pack<P>(elements, strip,
                     [&](const auto& at) TK_INLINE { (a * P::load(Source<T>{data}, at)).store(data, at); });
  }
};

/// out = beta local + (1 - beta) global: fma(beta, local, (1 - beta) x global), 1 - beta rounded to fp32 once.
template <class In, class Out>
struct CorrectJob {
  std::size_t elements;
  Source<In> local, global;
  float beta, rest;
  Out* output;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<4>;
    const P b = P::splat(beta), r = P::splat(rest);
    for_each_pack<P>(elements, strip, [&](const auto& at) TK_INLINE {
      fma(b, P::load(local, at), r * P::load(global, at)).store(output, at);
    });
  }
};

/// out = x, converted: int8 blocks to fp32 or bf16.
template <class In, class Out>
struct ConvertJob {
  std::size_t elements;
  Source<In> input;
  Out* output;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<4>;
    for_each_pack<P>(elements, strip, [&](const auto& at) TK_INLINE { P::load(input, at).store(output, at); });
  }
};

/// Blocks of 128: scale = max |x| / 127, q = round(x / scale). A block of zeros, or one whose scale would round to
/// zero, has scale 0 and q 0. A block that holds an infinity or a NaN has scale NaN and q 0: it reads back as NaN, all
/// of it.
template <class In>
struct QuantiseJob {
  std::size_t elements;
  Source<In> input;
  Int8* output;
  float* scales;  ///< one per block

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::Row;
    for_each_pack<P>(elements, strip, [&](const auto& at) TK_INLINE {
      const P x = P::load(input, at);
      const std::uint32_t most = x.max_magnitude_bits();
      const bool finite = most < infinity_bits;
      const float scale = finite ? float_of(most) / 127.0f : float_of(nan_bits);
      B::put(scales + at.row, scale);
      if (finite && scale > 0.0f)
        x.quantise(output, at, scale);
      else
        P::splat(0.0f).quantise(output, at, 1.0f);
    });
  }
};

}  // namespace toposim::kernels
