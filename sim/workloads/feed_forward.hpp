#pragma once
// The two-layer perceptron of a transformer block, 48 - 192 - 48 with GELU.
#include "sim/workloads/activation.hpp"
#include "sim/workloads/buffer.hpp"
#include "sim/workloads/dense.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::workloads {

/// Rows of many workers: worker after worker, the same number each.
struct WorkerRows {
  std::size_t workers, rows_each;
  std::size_t rows() const { return workers * rows_each; }
};

/// Parameters that start as random numbers, and whether they end a residual branch.
struct DrawnWeights {
  std::size_t begin, end;
  bool ends_branch;
};

template <class Scalar>
class FeedForward {
 public:
  static constexpr std::size_t width = 48, hidden = 192, experts = 0;

  FeedForward(std::size_t begin, std::size_t max_rows)
      : up_{width, hidden, begin},
        down_{hidden, width, up_.end()},
        h_(max_rows * hidden),
        slope_(max_rows * hidden),
        dh_(max_rows * hidden) {}

  std::size_t end() const { return down_.end(); }
  std::vector<DrawnWeights> drawn_weights() const {
    return {{up_.begin, up_.bias(), false}, {down_.begin, down_.bias(), true}};
  }
  std::vector<LayerGroup> groups(const std::string& block) const { return {{block + ".mlp", up_.begin, down_.end()}}; }
  static constexpr double multiplications_per_row = 2.0 * width * hidden;

  /// y += the layer's output.
  void forward(const Scalar* parameters, const Scalar* x, Scalar* y, std::size_t rows) {
    up_.forward(parameters, x, h_.data(), rows);
    gelu(h_.data(), slope_.data(), rows * hidden);
    down_.forward(parameters, h_.data(), y, rows, true);
  }

  /// dx = the gradient of x; weight gradients of each worker. Losses of its own: none.
  void backward(const Scalar* parameters, const Scalar* x, const Scalar* dy, Scalar* dx, WorkerRows shape,
                GradientRows<Scalar> gradients, double*) {
    down_.input_gradient(parameters, dy, dh_.data(), shape.rows());
    multiply(dh_.data(), slope_.data(), shape.rows() * hidden);
    up_.input_gradient(parameters, dh_.data(), dx, shape.rows());
    for (std::size_t w = 0; w < shape.workers; ++w) {
      const std::size_t row = w * shape.rows_each;
      up_.weight_gradient(x + row * width, dh_.data() + row * hidden, shape.rows_each, gradients.worker(w));
      down_.weight_gradient(h_.data() + row * hidden, dy + row * width, shape.rows_each, gradients.worker(w));
    }
  }

 private:
  Dense up_, down_;
  Buffer<Scalar> h_, slope_, dh_;
};

}  // namespace toposim::workloads
