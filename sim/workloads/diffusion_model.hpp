#pragma once
// Predicts the noise in a 14 x 14 image x_t: 196 pixels and 32 numbers of the timestep, two hidden layers of 128 with
// SiLU, 196 outputs. Loss: equation 14 of Ho, Jain, Abbeel, "Denoising diffusion probabilistic models" (NeurIPS 2020),
// as a mean over pixels.
//
// 128 hidden units cannot hand on 196 independent numbers, so the noise is predicted as sqrt(1 - a_t) x_t + the output:
// the best guess for white images of variance 1, and what the network adds to it (a skip connection as of Karras et al.
// 2022, table 1). The target of the output is the noise less the guess; the error is the noise's own.
#include "sim/workloads/activation.hpp"
#include "sim/workloads/buffer.hpp"
#include "sim/workloads/dense.hpp"

namespace toposim::workloads {

template <class Scalar>
class DiffusionModel {
 public:
  static constexpr std::size_t pixels = 196, time_numbers = 32, inputs = pixels + time_numbers, hidden = 128;
  static constexpr Dense first{inputs, hidden, 0};
  static constexpr Dense second{hidden, hidden, first.end()};
  static constexpr Dense third{hidden, pixels, second.end()};
  static constexpr std::size_t parameter_count = third.end();

  explicit DiffusionModel(std::size_t max_rows)
      : x_(padded_rows(max_rows) * inputs),
        target_(padded_rows(max_rows) * pixels),
        y_(padded_rows(max_rows) * pixels),
        h1_(padded_rows(max_rows) * hidden),
        slope1_(padded_rows(max_rows) * hidden),
        h2_(padded_rows(max_rows) * hidden),
        slope2_(padded_rows(max_rows) * hidden),
        dh_(padded_rows(max_rows) * hidden) {}

  /// Noisy pixels, then the numbers of the timestep.
  Scalar* input(std::size_t row) { return x_.data() + row * inputs; }
  /// The noise in them less the guess.
  Scalar* target(std::size_t row) { return target_.data() + row * pixels; }

  void forward(const Scalar* parameters, std::size_t rows) {
    const std::size_t padded = padded_rows(rows);
    first.forward(parameters, x_.data(), h1_.data(), padded);
    silu(h1_.data(), slope1_.data(), padded * hidden);
    second.forward(parameters, h1_.data(), h2_.data(), padded);
    silu(h2_.data(), slope2_.data(), padded * hidden);
    third.forward(parameters, h2_.data(), y_.data(), padded);
  }

  /// After forward(): mean square error of rows [first_row, first_row + rows); their outputs become gradients of it.
  double loss(std::size_t first_row, std::size_t rows) {
    const Scalar factor = Scalar(2) / static_cast<Scalar>(pixels * rows);
    double total = 0;
    for (std::size_t i = first_row * pixels; i < (first_row + rows) * pixels; ++i) {
      const Scalar error = y_[i] - target_[i];
      total += static_cast<double>(error) * static_cast<double>(error);
      y_[i] = factor * error;
    }
    return total / static_cast<double>(pixels * rows);
  }

  /// After forward() of `workers` x `batch` rows.
  void backward(const Scalar* parameters, std::size_t workers, std::size_t batch, GradientRows<Scalar> gradients,
                double* losses) {
    const std::size_t padded = padded_rows(workers * batch);
    for (std::size_t w = 0; w < workers; ++w) losses[w] = loss(w * batch, batch);
    weight_gradients(third, h2_, y_, workers, batch, gradients);
    third.input_gradient(parameters, y_.data(), dh_.data(), padded);
    multiply(dh_.data(), slope2_.data(), padded * hidden);
    weight_gradients(second, h1_, dh_, workers, batch, gradients);
    second.input_gradient(parameters, dh_.data(), h2_.data(), padded);  // h2_ has served
    multiply(h2_.data(), slope1_.data(), padded * hidden);
    weight_gradients(first, x_, h2_, workers, batch, gradients);
  }

 private:
  static void weight_gradients(const Dense& layer, const Buffer<Scalar>& x, const Buffer<Scalar>& dy,
                               std::size_t workers, std::size_t batch, GradientRows<Scalar> gradients) {
    for (std::size_t w = 0; w < workers; ++w)
      layer.weight_gradient(x.data() + w * batch * layer.in, dy.data() + w * batch * layer.out, batch,
                            gradients.worker(w));
  }

  Buffer<Scalar> x_, target_, y_, h1_, slope1_, h2_, slope2_, dh_;
};

}  // namespace toposim::workloads
