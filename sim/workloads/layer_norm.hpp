#pragma once
// Layer normalisation (Ba, Kiros, Hinton 2016): y = g x^ + b, x^ = (x - mean) / sqrt(variance + 1e-5), over each row.
#include <cmath>
#include <cstddef>

#include "sim/workloads/pack.hpp"

namespace toposim::workloads {

/// Width: numbers of a row; whole packs.
template <std::size_t width>
struct LayerNorm {
  std::size_t begin;  ///< of the gains among the parameters, then the biases

  constexpr std::size_t bias() const { return begin + width; }
  constexpr std::size_t end() const { return bias() + width; }

  /// Keeps x^ and 1 / sqrt(variance + 1e-5) of each row for the way back.
  template <class Scalar>
  void forward(const Scalar* parameters, const Scalar* x, std::size_t rows, Scalar* y, Scalar* normal,
               Scalar* inverse_deviation) const {
    constexpr std::size_t step = lanes<Scalar>, packs = width / step;
    static_assert(width % step == 0);
    for (std::size_t r = 0; r < rows; ++r) {
      Pack<Scalar> v[packs], total{}, squares{};
      for (std::size_t p = 0; p < packs; ++p) total += v[p] = load(x + r * width + p * step);
      const Scalar mean = sum<Scalar>(total) / width;
      for (std::size_t p = 0; p < packs; ++p) {
        v[p] -= mean;
        squares = fma(v[p], v[p], squares);
      }
      const Scalar inverse = 1 / std::sqrt(sum<Scalar>(squares) / width + Scalar(1e-5));
      inverse_deviation[r] = inverse;
      for (std::size_t p = 0; p < packs; ++p) {
        const Pack<Scalar> n = v[p] * inverse;
        store(normal + r * width + p * step, n);
        store(y + r * width + p * step,
              fma(n, load(parameters + begin + p * step), load(parameters + bias() + p * step)));
      }
    }
  }

  /// dx += (a - mean(a) - x^ mean(a x^)) / sqrt(variance + 1e-5), a = g dy.
  template <class Scalar>
  void input_gradient(const Scalar* parameters, const Scalar* dy, std::size_t rows, const Scalar* normal,
                      const Scalar* inverse_deviation, Scalar* dx) const {
    constexpr std::size_t step = lanes<Scalar>, packs = width / step;
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t row = r * width;
      Pack<Scalar> a[packs], total{}, products{};
      for (std::size_t p = 0; p < packs; ++p) {
        a[p] = load(dy + row + p * step) * load(parameters + begin + p * step);
        total += a[p];
        products = fma(a[p], load(normal + row + p * step), products);
      }
      const Scalar mean = sum<Scalar>(total) / width, slope = sum<Scalar>(products) / width;
      for (std::size_t p = 0; p < packs; ++p) {
        const Pack<Scalar> centred = fma(load(normal + row + p * step), splat(-slope), a[p] - mean);
        store(dx + row + p * step, fma(centred, splat(inverse_deviation[r]), load(dx + row + p * step)));
      }
    }
  }

  /// Gains and biases of one worker's rows.
  template <class Scalar>
  void weight_gradient(const Scalar* dy, const Scalar* normal, std::size_t rows, Scalar* gradient) const {
    constexpr std::size_t step = lanes<Scalar>, packs = width / step;
    Pack<Scalar> gain[packs] = {}, shift[packs] = {};
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t p = 0; p < packs; ++p) {
        const Pack<Scalar> d = load(dy + r * width + p * step);
        gain[p] = fma(d, load(normal + r * width + p * step), gain[p]);
        shift[p] += d;
      }
    for (std::size_t p = 0; p < packs; ++p) {
      store(gradient + begin + p * step, gain[p]);
      store(gradient + bias() + p * step, shift[p]);
    }
  }
};

}  // namespace toposim::workloads
