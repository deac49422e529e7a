#pragma once
// Eigen's matrix product, used so that a row of a product depends on that row alone.
//
// Eigen's kernel takes the rows of a row-major product four at a time and what is left over one at a time, in another
// order of summation for some columns. With whole fours, every row is summed in the same order, however many there are;
// blocking of the inner dimension depends on its length only. So rows are padded to fours; tests compare the bits.
#include <Eigen/Core>
#include <cstddef>

namespace toposim::workloads {

inline constexpr std::size_t row_multiple = 4;

constexpr std::size_t padded_rows(std::size_t rows) {
  return (rows + row_multiple - 1) / row_multiple * row_multiple;
}

template <class Scalar>
using RowMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Scalar>
auto matrix(Scalar* data, std::size_t rows, std::size_t columns) {
  return Eigen::Map<RowMatrix<Scalar>>(data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

template <class Scalar>
auto matrix(const Scalar* data, std::size_t rows, std::size_t columns) {
  return Eigen::Map<const RowMatrix<Scalar>>(data, static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
}

/// Parameters or gradients of many workers, one row each.
template <class Scalar>
struct GradientRows {
  Scalar* data;
  std::size_t stride;
  Scalar* worker(std::size_t w) const { return data + w * stride; }
};

}  // namespace toposim::workloads
