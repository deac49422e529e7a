#pragma once
// Latent semantic analysis: embeddings for texts (Deerwester et al. 1990).
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/semantic/term_matrix.hpp"

namespace toposim::topology {

struct LatentOptions {
  std::uint64_t dims = 48;
  std::uint64_t oversampling = 8;  ///< more columns than dims during the iteration
  std::uint32_t iterations = 4;    ///< of the subspace
  std::uint64_t seed = 1;
  unsigned threads = 0;
};

struct LatentSemantics {
  std::uint64_t rows = 0, dims = 0;
  std::vector<float> embeddings;        ///< rows x dims: U S, each row scaled to length 1; a row of zeros stays so
  std::vector<double> singular_values;  ///< largest first
};

/// Truncated singular value decomposition of a sparse matrix by randomised subspace iteration (Halko, Martinsson, Tropp
/// 2011, algorithm 4.4), in double precision, orthonormalised by Eigen's HouseholderQR after every product. Each
/// dimension's sign is such that its right singular vector's largest entry is positive. The same bits for any number of
/// threads. Memory 5 x 8 (rows + columns) (dims + oversampling) bytes. Throws TopologyError where dims is 0, above
/// 1,024 or more than the matrix has rows or columns.
LatentSemantics latent_semantics(const SparseRows& matrix, const LatentOptions& options);

/// Of texts: term_matrix(), then the above.
LatentSemantics latent_semantics(std::span<const std::string_view> texts, const TermOptions& terms,
                                 const LatentOptions& options);

}  // namespace toposim::topology
