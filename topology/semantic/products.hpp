#pragma once
// Matrix products of row-major blocks. Inside topology_semantic only.
#include <Eigen/Core>
#include <cstdint>

namespace toposim::topology {

using MatrixMap = Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using ConstMatrixMap = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

inline ConstMatrixMap as_matrix(const float* values, std::uint64_t rows, std::uint64_t columns) {
  return {values, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}
inline MatrixMap as_matrix(float* values, std::uint64_t rows, std::uint64_t columns) {
  return {values, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)};
}

/// out (m x n) = a (m x k) times the transpose of b (n x k).
inline void multiply_transposed(const float* a, std::uint64_t m, const float* b, std::uint64_t n, std::uint64_t k,
                                float* out) {
  as_matrix(out, m, n).noalias() = as_matrix(a, m, k) * as_matrix(b, n, k).transpose();
}

/// Squared length of a row: eight partial sums, so that it vectorises in a fixed order.
inline float squared_norm(const float* x, std::uint64_t dims) {
  float part[8] = {};
  std::uint64_t k = 0;
  for (; k + 8 <= dims; k += 8)
    for (std::uint64_t lane = 0; lane < 8; ++lane) part[lane] += x[k + lane] * x[k + lane];
  float sum = 0;
  for (; k < dims; ++k) sum += x[k] * x[k];
  for (const float p : part) sum += p;
  return sum;
}

}  // namespace toposim::topology
