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

/// The weighted sum over a strip, its inputs read B::pool_streams at a time: memory that is read in more streams than
/// its prefetchers follow is slower. Sums wait in B::Near in between. The order of additions, so the bits, stays the
/// same.
///
/// lead() takes all inputs but the last group; sum(at) finishes at one place. start(at): what to begin from. The inputs
/// are given anew to each, since on a GPU a pointer kept to a kernel's parameters makes it copy them.
template <class B>
class StreamedSum {
 public:
  TK_FN StreamedSum(std::size_t elements, std::size_t strip, int count)
      : elements_(elements), strip_(strip), count_(count) {}

  template <class P, class T, class Start>
  TK_FN void lead(const Source<T>* inputs, const float* weights, const Start& start) {
    for (; count_ - led_ > B::pool_streams; led_ += B::pool_streams)
      for_each_pack<P>(elements_, strip_, [&](const auto& at) TK_INLINE {
        const P acc = led_ > 0 ? near_.template load<P>(at) : start(at);
        near_.store(weighted_sum(acc, inputs + led_, weights + led_, B::pool_streams, at), at);
      });
  }
  template <class P, class T, class At, class Start>
  TK_FN P sum(const Source<T>* inputs, const float* weights, const At& at, const Start& start) const {
    const P acc = led_ > 0 ? near_.template load<P>(at) : start(at);
    return weighted_sum(acc, inputs + led_, weights + led_, count_ - led_, at);
  }

 private:
  std::size_t elements_, strip_;
  int count_;
  int led_ = 0;  ///< inputs that are in near_
  typename B::Near near_;
};

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
    const auto start = [&](const auto& at)
                           TK_INLINE { return resume ? P::load(Source<float>{partial}, at) : P::splat(0.0f); };
    StreamedSum<B> pooled(elements, strip, count);
    pooled.template lead<P>(inputs + from, weights + from, start);
    for_each_pack<P>(elements, strip, [&](const auto& at) TK_INLINE {
      const P acc = pooled.template sum<P>(inputs + from, weights + from, at, start);
      if (last)
        acc.store(outputs[segment], at);
      else
        acc.store(partial, at);
    });
  }
};

}  // namespace toposim::kernels
