#pragma once
// 784 inputs, 64 hidden units with ReLU, 10 classes: softmax and cross entropy.
#include <cstdint>
#include <vector>

#include "sim/workloads/buffer.hpp"
#include "sim/workloads/cross_entropy.hpp"
#include "sim/workloads/dense.hpp"

namespace toposim::workloads {

template <class Scalar>
class MlpModel {
 public:
  static constexpr std::size_t inputs = 784, hidden = 64, classes = 10;
  static constexpr Dense first{inputs, hidden, 0};
  static constexpr Dense second{hidden, classes, inputs* hidden + hidden};
  static constexpr std::size_t parameter_count = inputs * hidden + hidden + hidden * classes + classes;

  explicit MlpModel(std::size_t max_rows)
      : x_(padded_rows(max_rows) * inputs),
        h_(padded_rows(max_rows) * hidden),
        dh_(padded_rows(max_rows) * hidden),
        logits_(padded_rows(max_rows) * classes) {}

  Scalar* input(std::size_t row) { return x_.data() + row * inputs; }
  const Scalar* logits(std::size_t row) const { return logits_.data() + row * classes; }

  void forward(const Scalar* parameters, std::size_t rows) {
    const std::size_t padded = padded_rows(rows);
    first.forward(parameters, x_.data(), h_.data(), padded);
    for (std::size_t i = 0; i < padded * hidden; ++i) h_[i] = h_[i] < 0 ? Scalar(0) : h_[i];  // NaN stays
    second.forward(parameters, h_.data(), logits_.data(), padded);
  }

  /// After forward() of `workers` x `batch` rows; turns the logits into gradients.
  void backward(const Scalar* parameters, const std::uint8_t* labels, std::size_t workers, std::size_t batch,
                GradientRows<Scalar> gradients, double* losses) {
    const std::size_t padded = padded_rows(workers * batch);
    for (std::size_t w = 0; w < workers; ++w) losses[w] = loss(labels + w * batch, w * batch, batch);
    second.input_gradient(parameters, logits_.data(), dh_.data(), padded);
    for (std::size_t i = 0; i < padded * hidden; ++i) dh_[i] = h_[i] <= 0 ? Scalar(0) : dh_[i];
    for (std::size_t w = 0; w < workers; ++w) {
      const std::size_t row = w * batch;
      first.weight_gradient(input(row), dh_.data() + row * hidden, batch, gradients.worker(w));
      second.weight_gradient(h_.data() + row * hidden, logits_.data() + row * classes, batch, gradients.worker(w));
    }
  }

  /// Mean loss of rows [first_row, first_row + rows), after forward(); their logits become gradients of that mean.
  double loss(const std::uint8_t* labels, std::size_t first_row, std::size_t rows) {
    double total = 0;
    for (std::size_t r = 0; r < rows; ++r)
      total += cross_entropy(logits_.data() + (first_row + r) * classes, classes, labels[r],
                             Scalar(1) / static_cast<Scalar>(rows));
    return total / static_cast<double>(rows);
  }

 private:
  Buffer<Scalar> x_, h_, dh_, logits_;
};

}  // namespace toposim::workloads
