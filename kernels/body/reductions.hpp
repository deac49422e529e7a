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
  sum_strip<P, metric_sums>(elements, strip, sums, [&](P* acc, const auto& at) TK_INLINE {
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
    metrics_of_strip<B>(elements, strip, truth, partial, [&](const auto& at) TK_INLINE {
      if (at.slot == 0) {
        B::read_ahead(estimate, elements, at.row);
        B::read_ahead(truth, elements, at.row);
      }
      return P::load(estimate, at);
    });
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
    const auto start = [](const auto&) TK_INLINE { return P::splat(0.0f); };
    StreamedSum<B> pooled(elements, strip, count);
    pooled.template lead<P>(inputs, weights, start);
    metrics_of_strip<B>(elements, strip, truth, partial,
                        [&](const auto& at) TK_INLINE { return pooled.template sum<P>(inputs, weights, at, start); });
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
    sum_strip<P, 1>(elements, strip, &sum, [&](P* acc, const auto& at) TK_INLINE {
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

/// All pairs' dot products: blocks of inputs against blocks, tile by tile of pairs whose sums stay in registers over
/// all rows of a strip. A panel is what a block of inputs has in the strip.
template <class T>
struct GramJob {
  std::size_t elements;
  int count;
  Source<T> inputs[pool_inputs];
  float* partial;

  TK_FN std::size_t items() const { return strips_of(elements); }
  template <class B>
  TK_FN void run(std::size_t strip) const {
    constexpr int block = B::gram_block;
    const RowRange range = rows_of_strip(elements, strip);
    for (int i = 0; i < count; i += block)
      for (int j = 0; j <= i; j += block) block_of_pairs<B>(strip, range, i, j);
  }

 private:
  template <class B>
  TK_FN void block_of_pairs(std::size_t strip, const RowRange& range, int i_first, int j_first) const {
    using P = typename B::template Pack<1>;
    using Panel = typename B::template Panel<T>;
    constexpr int block = B::gram_block, rows = B::gram_rows, columns = B::gram_columns;
    const int i_count = i_first + block < count ? block : count - i_first;
    const int j_count = i_first == j_first ? i_count : block;
    const auto place_of = [&](int i, int j) TK_INLINE {
      return partial + static_cast<std::size_t>(pair_index(i_first + i, j_first + j)) * strips_of(elements) + strip;
    };
    // Pairs i >= j: all of the block, or the lower half of one on the diagonal.
    const auto j_end_of = [&](int i) TK_INLINE { return i_first == j_first ? i + 1 : j_count; };
    const Source<T>*x_inputs = inputs + i_first, *y_inputs = inputs + j_first;
    typename B::PairSums sums;
    const Panel x_panel(x_inputs, i_count, elements, range);
    const Panel y_panel(y_inputs, i_first == j_first ? 0 : j_count, elements, range);
    const Panel& y_of = i_first == j_first ? x_panel : y_panel;
    for (int slot = 0; slot < row_slots; slot += P::width) {
      for (int i0 = 0; i0 < i_count; i0 += rows)
        for (int j0 = 0; j0 < j_end_of(i0 + rows < i_count ? i0 + rows - 1 : i_count - 1); j0 += columns) {
          P acc[rows * columns];
          each<rows * columns>([&](auto q) TK_INLINE { acc[q] = P::splat(0.0f); });
          for_each_row(elements, range, slot, P::width, [&](const auto& at) TK_INLINE {
            P y[columns];
            each<columns>([&](auto c) TK_INLINE { y[c] = y_of.load(y_inputs, j0, c, at); });
            each<rows>([&](auto r) TK_INLINE {
              const P x = x_panel.load(x_inputs, i0, r, at);
              each<columns>([&](auto c) TK_INLINE { acc[r * columns + c] = fma(x, y[c], acc[r * columns + c]); });
            });
          });
          each<rows>([&](auto r) TK_INLINE {
            each<columns>([&](auto c) TK_INLINE {
              const int i = i0 + r, j = j0 + c;
              if (i < i_count && j < j_end_of(i)) sums.add(i, j, slot, acc[r * columns + c], place_of(i, j));
            });
          });
        }
    }
    for (int i = 0; i < i_count; ++i)
      for (int j = 0; j < j_end_of(i); ++j) sums.finish(i, j, place_of(i, j));
  }
};

}  // namespace toposim::kernels
