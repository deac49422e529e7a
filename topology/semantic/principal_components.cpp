#include "topology/semantic/principal_components.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "topology/error.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/processor.hpp"

namespace toposim::topology {
namespace {

constexpr std::uint64_t original_dims_max = 4096;
constexpr std::uint64_t block_rows = 512;
constexpr std::size_t tile = 128;  // of the covariance matrix: one task each

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index(std::uint64_t i) {
  return static_cast<Eigen::Index>(i);
}

std::vector<double> mean_of(const Embeddings& data) {
  std::vector<double> sum(data.dims(), 0.0);
  std::vector<float> buffer(block_rows * data.dims());
  for (std::uint64_t first = 0; first < data.rows(); first += block_rows) {
    const std::uint64_t count = std::min(block_rows, data.rows() - first);
    data.read(first, count, buffer.data());
    for (std::uint64_t r = 0; r < count; ++r)
      for (std::uint64_t k = 0; k < data.dims(); ++k) sum[k] += buffer[r * data.dims() + k];
  }
  for (double& value : sum) value /= static_cast<double>(data.rows());
  return sum;
}

void read_centred(const Embeddings& data, const std::vector<double>& mean, std::uint64_t first, std::uint64_t count,
                  std::vector<float>& buffer, Matrix& block) {
  buffer.resize(count * data.dims());
  data.read(first, count, buffer.data());
  block.resize(index(count), index(data.dims()));
  for (std::uint64_t i = 0; i < buffer.size(); ++i) block.data()[i] = buffer[i] - mean[i % data.dims()];
}

// Upper tiles only; rows block by block in order, each tile by one task, so that sums have one order.
Matrix covariance_of(const Embeddings& data, const std::vector<double>& mean, unsigned threads) {
  const std::size_t dims = data.dims(), tiles = (dims + tile - 1) / tile;
  std::vector<std::pair<std::size_t, std::size_t>> tasks;
  for (std::size_t a = 0; a < tiles; ++a)
    for (std::size_t b = a; b < tiles; ++b) tasks.emplace_back(a, b);
  Matrix sum = Matrix::Zero(index(dims), index(dims)), block;
  std::vector<float> buffer;
  for (std::uint64_t first = 0; first < data.rows(); first += block_rows) {
    read_centred(data, mean, first, std::min(block_rows, data.rows() - first), buffer, block);
    for_each_task(tasks.size(), threads, [&](std::size_t task) {
      const auto [a, b] = tasks[task];
      const auto a_size = index(std::min(tile, dims - a * tile)), b_size = index(std::min(tile, dims - b * tile));
      sum.block(index(a * tile), index(b * tile), a_size, b_size).noalias() +=
          block.middleCols(index(a * tile), a_size).transpose() * block.middleCols(index(b * tile), b_size);
    });
  }
  for (std::size_t a = 0; a < dims; ++a)
    for (std::size_t b = 0; b < a; ++b) sum(index(a), index(b)) = sum(index(b), index(a));
  return sum / static_cast<double>(data.rows());
}

}  // namespace

PrincipalComponents principal_components(const Embeddings& data, std::uint64_t dims, unsigned threads) {
  check_processor();
  const std::uint64_t original = data.dims();
  if (dims < 1 || dims > original || original > original_dims_max) {
    throw TopologyError(fmt::format("{}: {} principal components of {} numbers a row; give 1 to {} of at most {}",
                                    data.name(), dims, original, std::min(original, original_dims_max),
                                    original_dims_max));
  }
  PrincipalComponents result;
  result.rows = data.rows();
  result.dims = dims;
  result.mean = mean_of(data);
  const Matrix covariance = covariance_of(data, result.mean, threads);
  result.total_variance = covariance.trace();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance);  // ascending
  Matrix basis(index(dims), index(original));
  for (std::uint64_t c = 0; c < dims; ++c) {
    const Eigen::Index at = index(original - 1 - c);
    result.variances.push_back(std::max(0.0, solver.eigenvalues()(at)));
    basis.row(index(c)) = solver.eigenvectors().col(at).transpose();
    Eigen::Index largest = 0;
    basis.row(index(c)).cwiseAbs().maxCoeff(&largest);
    if (basis(index(c), largest) < 0) basis.row(index(c)) *= -1;
  }
  result.components.assign(basis.data(), basis.data() + basis.size());
  result.projected.resize(result.rows * dims);
  for_each_task((result.rows + block_rows - 1) / block_rows, threads, [&](std::size_t task) {
    const std::uint64_t first = task * block_rows, count = std::min(block_rows, result.rows - first);
    std::vector<float> buffer;
    Matrix block;
    read_centred(data, result.mean, first, count, buffer, block);
    const Matrix product = block * basis.transpose();
    std::transform(product.data(), product.data() + product.size(), result.projected.begin() + index(first * dims),
                   [](double value) { return static_cast<float>(value); });
  });
  return result;
}

}  // namespace toposim::topology
