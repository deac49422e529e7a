#pragma once
// A fully connected layer, y = x W + b: W is `in` x `out`, row-major, then b.
#include <algorithm>

#include "sim/workloads/matrix.hpp"

namespace toposim::workloads {

struct Dense {
  std::size_t in, out;
  std::size_t begin;  ///< of the weights among the parameters

  constexpr std::size_t bias() const { return begin + in * out; }
  constexpr std::size_t end() const { return bias() + out; }

  /// y = x W + b, or with `onto` y += x W + b. All rows at once: `rows` is a multiple of row_multiple.
  template <class Scalar>
  void forward(const Scalar* parameters, const Scalar* x, Scalar* y, std::size_t rows, bool onto = false) const {
    const Scalar* b = parameters + bias();
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < out; ++c) y[r * out + c] = onto ? y[r * out + c] + b[c] : b[c];
    matrix(y, rows, out).noalias() += matrix(x, rows, in) * matrix(parameters + begin, in, out);
  }

  /// dx = dy W^T, all rows at once.
  template <class Scalar>
  void input_gradient(const Scalar* parameters, const Scalar* dy, Scalar* dx, std::size_t rows) const {
    matrix(dx, rows, in).noalias() = matrix(dy, rows, out) * matrix(parameters + begin, in, out).transpose();
  }

  /// dW = x^T dy and db = the sum of the rows of dy, of one worker's rows.
  template <class Scalar>
  void weight_gradient(const Scalar* x, const Scalar* dy, std::size_t rows, Scalar* gradient) const {
    matrix(gradient + begin, in, out).noalias() = matrix(x, rows, in).transpose() * matrix(dy, rows, out);
    Scalar* db = gradient + bias();
    std::copy(dy, dy + out, db);
    for (std::size_t r = 1; r < rows; ++r)
      for (std::size_t c = 0; c < out; ++c) db[c] += dy[r * out + c];
  }
};

}  // namespace toposim::workloads
