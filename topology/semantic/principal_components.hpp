#pragma once
// Principal components: embeddings for data that has none, such as images.
#include <cstdint>
#include <vector>

#include "topology/semantic/embeddings.hpp"

namespace toposim::topology {

struct PrincipalComponents {
  std::uint64_t rows = 0, dims = 0;  ///< of `projected`
  std::vector<float> projected;      ///< rows x dims: (x - mean) in the components' coordinates
  std::vector<double> components;    ///< dims x original dims, orthonormal rows, largest variance first; the entry of
                                     ///< largest size in each is positive
  std::vector<double> variances;     ///< along each: sum of squares / rows
  std::vector<double> mean;          ///< of the original rows
  double total_variance = 0;         ///< over all original dims
};

/// The `dims` directions of largest variance: eigenvectors of the covariance matrix, in double precision (Eigen's
/// SelfAdjointEigenSolver). Work rows x d^2 + 9 d^3, memory 3 x 8 d^2 bytes, d the original dims, at most 4,096. The
/// same bits for any number of threads. Throws TopologyError where dims is 0 or exceeds d, or d its limit.
PrincipalComponents principal_components(const Embeddings& data, std::uint64_t dims, unsigned threads = 0);

}  // namespace toposim::topology
