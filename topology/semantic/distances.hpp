#pragma once
#include <cstdint>
#include <vector>

#include "topology/semantic/centred_rows.hpp"

namespace toposim::topology {

/// Squared distances of rows to all of some centroids, as one matrix product: |x|^2 + |c|^2 - 2 x.c, at least 0.
class Distances {
 public:
  explicit Distances(const Rows& centroids);

  std::uint64_t size() const { return norms_.size(); }
  /// out: count x size(), row-major.
  void squares(const float* rows, std::uint64_t count, float* out) const;
  /// Rows that keep a block of squares near 2 MB.
  std::uint64_t block_rows() const;

 private:
  Rows doubled_;  // -2 c
  std::vector<float> norms_;
};

}  // namespace toposim::topology
