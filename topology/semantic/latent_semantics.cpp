#include "topology/semantic/latent_semantics.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "topology/error.hpp"
#include "topology/semantic/parallel.hpp"
#include "topology/semantic/processor.hpp"
#include "topology/semantic/random_words.hpp"

namespace toposim::topology {
namespace {

using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Index index(std::uint64_t i) {
  return static_cast<Eigen::Index>(i);
}

// Each row of the product is one task's, its terms in order of columns.
Dense multiply(const SparseRows& a, const Dense& b, unsigned threads) {
  Dense result = Dense::Zero(index(a.rows), b.cols());
  constexpr std::size_t rows_per_task = 512;
  for_each_task((a.rows + rows_per_task - 1) / rows_per_task, threads, [&](std::size_t task) {
    const std::uint64_t end = std::min<std::uint64_t>(a.rows, (task + 1) * rows_per_task);
    for (std::uint64_t r = task * rows_per_task; r < end; ++r) {
      double* const out = result.data() + r * static_cast<std::uint64_t>(b.cols());
      for (std::uint64_t e = a.start[r]; e < a.start[r + 1]; ++e) {
        const double weight = a.value[e];
        const double* const row = b.data() + a.column[e] * static_cast<std::uint64_t>(b.cols());
        for (Eigen::Index k = 0; k < b.cols(); ++k) out[k] += weight * row[k];
      }
    }
  });
  return result;
}

// By columns, which is how the decomposition goes through memory.
Dense orthonormal(const Dense& columns) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  const Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
  return q;
}

Dense random_columns(std::uint64_t rows, std::uint64_t columns, std::uint64_t seed) {
  Dense result(index(rows), index(columns));
  for (std::uint64_t r = 0; r < rows; ++r)
    for (std::uint64_t c = 0; c < columns; ++c)
      result(index(r), index(c)) = random_unit(seed, RandomUse::subspace, r, static_cast<std::uint32_t>(c)) - 0.5;
  return result;
}

}  // namespace

LatentSemantics latent_semantics(const SparseRows& matrix, const LatentOptions& options) {
  check_processor();
  const std::uint64_t side = std::min(matrix.rows, matrix.columns);
  if (options.dims < 1 || options.dims > side || options.dims > 1024) {
    throw TopologyError(fmt::format("latent semantics: {} dimensions of {} texts with {} features; give 1 to {}",
                                    options.dims, matrix.rows, matrix.columns, std::min<std::uint64_t>(side, 1024)));
  }
  const std::uint64_t width = std::min(options.dims + std::min<std::uint64_t>(options.oversampling, 1024), side);
  const SparseRows transposed = matrix.transposed();
  // Right singular vectors: the subspace of terms.
  Dense terms = orthonormal(multiply(transposed, random_columns(matrix.rows, width, options.seed), options.threads));
  for (std::uint32_t round = 0; round < options.iterations; ++round) {
    const Dense texts = orthonormal(multiply(matrix, terms, options.threads));
    terms = orthonormal(multiply(transposed, texts, options.threads));
  }
  // In it, the eigenvectors of (A V)^T (A V) turn V into singular vectors; A V W = U S.
  const Dense product = multiply(matrix, terms, options.threads);
  const Eigen::SelfAdjointEigenSolver<Dense> solver(product.transpose() * product);  // ascending
  LatentSemantics result{matrix.rows, options.dims, {}, {}};
  Dense turn(index(width), index(options.dims));
  for (std::uint64_t c = 0; c < options.dims; ++c) {
    const Eigen::Index at = index(width - 1 - c);
    result.singular_values.push_back(std::sqrt(std::max(0.0, solver.eigenvalues()(at))));
    turn.col(index(c)) = solver.eigenvectors().col(at);
    const Eigen::VectorXd right = terms * turn.col(index(c));
    Eigen::Index largest = 0;
    right.cwiseAbs().maxCoeff(&largest);
    if (right(largest) < 0) turn.col(index(c)) *= -1;
  }
  const Dense embedded = product * turn;
  result.embeddings.resize(matrix.rows * options.dims);
  for (std::uint64_t r = 0; r < matrix.rows; ++r) {
    const double norm = std::sqrt(embedded.row(index(r)).squaredNorm());
    const double per_norm = norm > 0 ? 1 / norm : 0;
    for (std::uint64_t c = 0; c < options.dims; ++c) {
      result.embeddings[r * options.dims + c] = static_cast<float>(embedded(index(r), index(c)) * per_norm);
    }
  }
  return result;
}

LatentSemantics latent_semantics(std::span<const std::string_view> texts, const TermOptions& terms,
                                 const LatentOptions& options) {
  return latent_semantics(term_matrix(texts, terms, options.threads), options);
}

}  // namespace toposim::topology
