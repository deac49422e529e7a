#pragma once
// Embeddings shifted by their mean and scaled by a power of two, so that squared distances neither cancel nor overflow
// in single precision. Everything the partitioner does happens in this space.
#include <cstdint>
#include <vector>

#include "topology/semantic/embeddings.hpp"

namespace toposim::topology {

/// A dense row-major matrix.
struct Rows {
  std::uint64_t rows = 0, dims = 0;
  std::vector<float> values;

  Rows() = default;
  Rows(std::uint64_t row_count, std::uint64_t dim_count)
      : rows(row_count), dims(dim_count), values(row_count * dim_count) {}
  float* row(std::uint64_t i) { return values.data() + i * dims; }
  const float* row(std::uint64_t i) const { return values.data() + i * dims; }
};

class CentredRows {
 public:
  /// One pass over the embeddings, which must outlive this. Throws TopologyError for what Embeddings::read() refuses.
  CentredRows(const Embeddings& embeddings, unsigned threads);

  std::uint64_t rows() const { return embeddings_->rows(); }
  std::uint64_t dims() const { return embeddings_->dims(); }
  const std::vector<double>& mean() const { return mean_; }
  double scale() const { return scale_; }  ///< a power of two; the root mean square of a number comes near 1
  /// Sum over samples of the squared distance to the mean, in the embeddings' own units.
  double total_squares() const { return total_squares_; }

  /// Rows as (x - mean) * scale, into out. Callable from any thread.
  void read(std::uint64_t first, std::uint64_t count, float* out) const;
  /// The given rows, ascending.
  Rows gather(const std::vector<std::uint64_t>& which, unsigned threads) const;
  /// A vector of this space in the embeddings' own.
  void restore(const float* centred, float* out) const;

  /// Rows that are worked on at a time: from dims() alone, so that results depend on nothing else.
  std::uint64_t chunk_rows() const;
  std::uint64_t chunks() const { return (rows() + chunk_rows() - 1) / chunk_rows(); }

 private:
  const Embeddings* embeddings_;
  std::vector<double> mean_;
  double scale_ = 1, total_squares_ = 0;
};

}  // namespace toposim::topology
