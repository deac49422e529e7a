#pragma once
// Causal self-attention (Vaswani et al. 2017, section 3.2.1) of one sequence: softmax(q k^T / sqrt(d)) v in each head.
//
// Positions that ask (queries) run along the lanes, positions asked (keys) along rows: softmax needs no sums across
// lanes, and everything below the diagonal's blocks is left out.
#include <array>
#include <cmath>
#include <cstddef>

#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

template <class Scalar>
class Attention {
 public:
  static constexpr std::size_t length = 64, heads = 4, depth = 12, width = heads * depth;
  static constexpr std::size_t projected = 3 * width;              ///< of a row of q, k, v; head by head in each
  static constexpr std::size_t weights = heads * length * length;  ///< of a sequence

  /// `qkv`: length x projected. `out`: length x width. `p` keeps the attention weights, p[head][key][query].
  void forward(const Scalar* qkv, Scalar* out, Scalar* p) {
    for (std::size_t h = 0; h < heads; ++h) {
      const Scalar *k = qkv + width + h * depth, *v = k + width;
      Scalar* ph = p + h * length * length;
      take_columns(qkv + h * depth, projected, scale(), query_);
      for (std::size_t i = 0; i < length; i += block) {
        products(k, i + block, query_, i, ph);
        softmax(i, ph);
        combine(ph, i, v, mixed_);
      }
      put_columns(mixed_, Scalar(1), out + h * depth, width);
    }
  }

  /// From the gradient of `out` that of `qkv`.
  void backward(const Scalar* qkv, const Scalar* p, const Scalar* dout, Scalar* dqkv) {
    for (std::size_t h = 0; h < heads; ++h) {
      const Scalar *q = qkv + h * depth, *k = q + width, *v = k + width;
      const Scalar* ph = p + h * length * length;
      Scalar *dq = dqkv + h * depth, *dk = dq + width, *dv = dk + width;
      take_columns(dout + h * depth, width, Scalar(1), query_);
      for (std::size_t i = 0; i < length; i += block) {
        products(v, i + block, query_, i, ds_.data());
        softmax_gradient(i, ph, ds_.data());
        combine(ds_.data(), i, k, mixed_);
      }
      put_columns(mixed_, scale(), dq, projected);
      take_rows(dout + h * depth, width, Scalar(1));
      gather(ph, dv);
      take_rows(q, projected, scale());
      gather(ds_.data(), dk);
    }
  }

 private:
  static constexpr std::size_t step = lanes<Scalar>, block = 2 * step, padded = 16;
  using Columns = std::array<Scalar, depth * length>;  ///< [component][position]

  static Scalar scale() { return 1 / std::sqrt(static_cast<Scalar>(depth)); }

  static void take_columns(const Scalar* rows, std::size_t stride, Scalar factor, Columns& columns) {
    for (std::size_t c = 0; c < depth; ++c)
      for (std::size_t i = 0; i < length; ++i) columns[c * length + i] = rows[i * stride + c] * factor;
  }

  static void put_columns(const Columns& columns, Scalar factor, Scalar* rows, std::size_t stride) {
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t c = 0; c < depth; ++c) rows[i * stride + c] = columns[c * length + i] * factor;
  }

  void take_rows(const Scalar* rows, std::size_t stride, Scalar factor) {
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t c = 0; c < depth; ++c) rows_[i * padded + c] = rows[i * stride + c] * factor;
  }

  /// out[j][i .. i + block) = sum_c rows[j][c] columns[c][i ..], for j < count.
  static void products(const Scalar* rows, std::size_t count, const Columns& columns, std::size_t i, Scalar* out) {
    for (std::size_t j = 0; j < count; j += 4) {
      Pack<Scalar> s[4][2] = {};
      for (std::size_t c = 0; c < depth; ++c) {
        const Pack<Scalar> a = load(columns.data() + c * length + i), b = load(columns.data() + c * length + i + step);
        for (std::size_t n = 0; n < 4; ++n) {
          const Pack<Scalar> x = splat(rows[(j + n) * projected + c]);
          s[n][0] = fma(x, a, s[n][0]);
          s[n][1] = fma(x, b, s[n][1]);
        }
      }
      for (std::size_t n = 0; n < 4; ++n) {
        store(out + (j + n) * length + i, s[n][0]);
        store(out + (j + n) * length + i + step, s[n][1]);
      }
    }
  }

  /// out[c][i .. i + block) = sum_j weights[j][i ..] rows[j][c], over the keys j < i + block.
  static void combine(const Scalar* weights_of, std::size_t i, const Scalar* rows, Columns& out) {
    constexpr std::size_t half = depth / 2;
    for (std::size_t first = 0; first < depth; first += half) {
      Pack<Scalar> s[half][2] = {};
      for (std::size_t j = 0; j < i + block; ++j) {
        const Pack<Scalar> a = load(weights_of + j * length + i), b = load(weights_of + j * length + i + step);
        for (std::size_t c = 0; c < half; ++c) {
          const Pack<Scalar> x = splat(rows[j * projected + first + c]);
          s[c][0] = fma(x, a, s[c][0]);
          s[c][1] = fma(x, b, s[c][1]);
        }
      }
      for (std::size_t c = 0; c < half; ++c) {
        store(out.data() + (first + c) * length + i, s[c][0]);
        store(out.data() + (first + c) * length + i + step, s[c][1]);
      }
    }
  }

  /// out[j][c] = sum_i weights[j][i] rows_[i][c]; queries before the key have weight zero.
  void gather(const Scalar* weights_of, Scalar* out) const {
    constexpr std::size_t packs = padded / step;
    for (std::size_t j = 0; j < length; j += 4) {
      Pack<Scalar> s[4][packs] = {};
      for (std::size_t i = j; i < length; ++i)
        for (std::size_t n = 0; n < 4; ++n) {
          const Pack<Scalar> x = splat(weights_of[(j + n) * length + i]);
          for (std::size_t m = 0; m < packs; ++m) s[n][m] = fma(x, load(rows_.data() + i * padded + m * step), s[n][m]);
        }
      for (std::size_t n = 0; n < 4; ++n) {
        Scalar row[padded];
        for (std::size_t m = 0; m < packs; ++m) store(row + m * step, s[n][m]);
        for (std::size_t c = 0; c < depth; ++c) out[(j + n) * projected + c] = row[c];
      }
    }
  }

  /// Over the keys, for the queries of a block: keys after the query get weight zero.
  static void softmax(std::size_t first, Scalar* s) {
    typename Lanes<Scalar>::Bits number{};
    for (std::size_t l = 0; l < step; ++l) number[l] = static_cast<typename Lanes<Scalar>::Integer>(l);
    for (std::size_t i = first; i < first + block; i += step) {
      const Pack<Scalar> never = splat(Scalar(-1e30));
      Pack<Scalar> largest = never, total{};
      for (std::size_t j = 0; j < first + block; ++j) {
        Pack<Scalar> x = load(s + j * length + i);
        if (j > i)
          x = number + static_cast<typename Lanes<Scalar>::Integer>(i) < static_cast<typename Lanes<Scalar>::Integer>(j)
                  ? never
                  : x;
        store(s + j * length + i, x);
        largest = x > largest ? x : largest;
      }
      for (std::size_t j = 0; j < first + block; ++j) {
        const Pack<Scalar> e = exp_pack<Scalar>(load(s + j * length + i) - largest);
        store(s + j * length + i, e);
        total += e;
      }
      const Pack<Scalar> factor = Scalar(1) / total;
      for (std::size_t j = 0; j < first + block; ++j) store(s + j * length + i, load(s + j * length + i) * factor);
    }
  }

  /// d becomes p (d - sum over the keys of p d).
  static void softmax_gradient(std::size_t first, const Scalar* p, Scalar* d) {
    for (std::size_t i = first; i < first + block; i += step) {
      Pack<Scalar> total{};
      for (std::size_t j = 0; j < first + block; ++j)
        total = fma(load(p + j * length + i), load(d + j * length + i), total);
      for (std::size_t j = 0; j < first + block; ++j)
        store(d + j * length + i, load(p + j * length + i) * (load(d + j * length + i) - total));
    }
  }

  Columns query_{}, mixed_{};
  std::array<Scalar, length * padded> rows_{};
  std::array<Scalar, length * length> ds_{};
};

}  // namespace toposim::workloads
