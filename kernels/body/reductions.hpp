#pragma once
// Kernels that add over the elements of a strip: metrics, pool_metrics, gram. Each leaves its strips' sums, one row of
// `partial` per quantity; finish.hpp adds those.
#include "kernels/body/element.hpp"
#include "kernels/body/nests.hpp"
#include "kernels/body/pool.hpp"

namespace toposim::kernels {

inline constexpr int metric_sums = 4;  ///< x.y, x.x, y.y, |x - y|^2

template <class P>
TK_FN void add_metrics(P* acc, const P& x, const P& y) {
  acc[0] = fma(x, y, acc[0]);
  acc[1] = fma(x, x, acc[1]);
  acc[2] = fma(y, y, acc[2]);
  const P d = x - y;
  acc[3] = fma(d, d, acc[3]);
}

template <class B, int Q>
TK_FN void put_sums(float* partial, std::size_t strips, std::size_t strip, const float* sums) {
  for (int q = 0; q < Q; ++q) B::put(partial + static_cast<std::size_t>(q) * strips + strip, sums[q]);
}

/// Of an estimate, estimate_at(at), against a truth: one strip's four sums, to their places in `partial`.
template <class B, class T, class Estimate>
TK_FN void metrics_of_strip(std::size_t elements, std::size_t strip, const Source<T>& truth, float* partial,
                            const Estimate& estimate_at) {
  using P = typename B::template Pack<2>;
  float sums[metric_sums];
  sum_strip<P, metric_sums, 1>(elements, strip, sums, [&](P* acc, const auto& at) TK_INLINE {
    add_metrics(acc, estimate_at(at), P::load(truth, at));
  });
  put_sums<B, metric_sums>(partial, strips_of(elements), strip, sums);
}

template <class T>
struct MetricsJob {
  std::size_t elements;
  Source<T> estimate, truth;
  float* partial;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<2>;
    metrics_of_strip<B>(elements, strip, truth, partial,
                        [&](const auto& at) TK_INLINE { return P::load(estimate, at); });
  }
};

/// The estimate of pool against a truth, without storing it: fp32, as pool with fp32 output would have written it.
template <class T>
struct PoolMetricsJob {
  std::size_t elements;
  int count;
  Source<T> inputs[pool_inputs];
  float weights[pool_inputs];
  Source<T> truth;
  float* partial;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<2>;
    metrics_of_strip<B>(elements, strip, truth, partial, [&](const auto& at) TK_INLINE {
      return weighted_sum(P::splat(0.0f), inputs, weights, count, at);
    });
  }
};

/// |x|^2, for clip.
template <class T>
struct SquareJob {
  std::size_t elements;
  Source<T> input;
  float* partial;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<4>;
    float sum;
    sum_strip<P, 1, 1>(elements, strip, &sum, [&](P* acc, const auto& at) TK_INLINE {
      const P x = P::load(input, at);
      acc[0] = fma(x, x, acc[0]);
    });
    put_sums<B, 1>(partial, strips_of(elements), strip, &sum);
  }
};

/// Pairs i >= j in the order (0,0), (1,0), (1,1), (2,0), ...
TK_FN constexpr int pair_index(int i, int j) {
  return i * (i + 1) / 2 + j;
}

/// All pairs' dot products, tile by tile of pairs.
template <class T>
struct GramJob {
  std::size_t elements;
  int count;
  Source<T> inputs[pool_inputs];
  float* partial;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    using P = typename B::template Pack<1>;
    constexpr int rows = B::gram_rows, columns = B::gram_columns;
    const std::size_t strips = strips_of(elements);
    for (int i = 0; i < count; ++i) B::will_read(inputs[i], elements, rows_of_strip(elements, strip));
    for (int i0 = 0; i0 < count; i0 += rows) {
      const int i_end = i0 + rows < count ? i0 + rows : count;
      for (int j0 = 0; j0 < i_end; j0 += columns) {
        float sums[rows * columns];
        sum_strip<P, rows * columns, B::gram_group>(elements, strip, sums, [&](P* acc, const auto& at) TK_INLINE {
          P y[columns];
          each<columns>([&](auto c) TK_INLINE { y[c] = P::load(inputs[j0 + c < count ? j0 + c : j0], at); });
          each<rows>([&](auto r) TK_INLINE {
            const P x = P::load(inputs[i0 + r < count ? i0 + r : i0], at);
            each<columns>([&](auto c) TK_INLINE { acc[r * columns + c] = fma(x, y[c], acc[r * columns + c]); });
          });
        });
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c)
            if (i0 + r < count && j0 + c <= i0 + r)
              B::put(partial + static_cast<std::size_t>(pair_index(i0 + r, j0 + c)) * strips + strip,
                     sums[r * columns + c]);
      }
    }
  }
};

}  // namespace toposim::kernels
