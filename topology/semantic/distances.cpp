#include "topology/semantic/distances.hpp"

#include <algorithm>

#include "topology/semantic/products.hpp"

namespace toposim::topology {

Distances::Distances(const Rows& centroids) : doubled_(centroids), norms_(centroids.rows) {
  for (std::uint64_t j = 0; j < centroids.rows; ++j) norms_[j] = squared_norm(centroids.row(j), centroids.dims);
  for (float& value : doubled_.values) value *= -2.0f;
}

void Distances::squares(const float* rows, std::uint64_t count, float* out) const {
  multiply_transposed(rows, count, doubled_.values.data(), size(), doubled_.dims, out);
  for (std::uint64_t i = 0; i < count; ++i) {
    const float norm = squared_norm(rows + i * doubled_.dims, doubled_.dims);
    float* const row = out + i * size();
    for (std::uint64_t j = 0; j < size(); ++j) row[j] = std::max(0.0f, row[j] + norms_[j] + norm);
  }
}

std::uint64_t Distances::block_rows() const {
  return std::clamp<std::uint64_t>((std::uint64_t{1} << 19) / size(), 16, 512);
}

}  // namespace toposim::topology
