#pragma once
// pool: out[j] = sum_i a_i G_i[j], the estimate itself, for one or many domains.
#include "kernels/body/element.hpp"
#include "kernels/body/nests.hpp"

namespace toposim::kernels {

inline constexpr int pool_inputs = 64;  ///< of one pass; more go in passes, with the same bits

/// acc, fma(a_0, G_0, acc), fma(a_1, G_1, ...), in the order of the inputs.
template <class P, class T, class At>
TK_FN P weighted_sum(P acc, const Source<T>* inputs, const float* weights, int count, const At& at) {
  for (int i = 0; i < count; ++i) acc = fma(P::splat(weights[i]), P::load(inputs[i], at), acc);
  return acc;
}

/// One work item per segment and strip.
template <class In, class Out>
struct PoolJob {
  std::size_t elements;
  int segments;
  bool resume;                 ///< start from what an earlier pass left in `partial`
  bool last;                   ///< write the output; else leave the sum in `partial`
  int first[pool_inputs + 1];  ///< a segment's inputs: first[s] to first[s + 1]
  Source<In> inputs[pool_inputs];
  float weights[pool_inputs];
  Out* outputs[pool_inputs];
  float* partial;  ///< `elements` floats; used between passes of one segment only

  TK_FN std::size_t items() const { return static_cast<std::size_t>(segments) * strips_of(elements); }

  template <class B>
  TK_FN void run(std::size_t item) const {
    using P = typename B::template Pack<4>;
    const std::size_t strips = strips_of(elements), strip = item % strips;
    const auto segment = static_cast<int>(item / strips);
    const int from = first[segment], count = first[segment + 1] - from;
    for_each_pack<P>(elements, strip, [&](const auto& at) TK_INLINE {
      P acc = resume ? P::load(Source<float>{partial}, at) : P::splat(0.0f);
      acc = weighted_sum(acc, inputs + from, weights + from, count, at);
      if (last)
        acc.store(outputs[segment], at);
      else
        acc.store(partial, at);
    });
  }
};

}  // namespace toposim::kernels
