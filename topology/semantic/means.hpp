#pragma once
// Means and inertia of labelled samples, in one pass over the embeddings.
#include <cstdint>
#include <vector>

#include "topology/semantic/centred_rows.hpp"

namespace toposim::topology {

struct LabelledMeans {
  Rows centroids;                     ///< in the centred space; a label without samples has a row of zeros
  std::vector<std::uint64_t> counts;  ///< per label
  std::vector<double> inertias;       ///< per label: sum of squared distances to the label's mean, centred space
  double inertia() const;             ///< their sum
};

/// Sums in double precision: sum |x - m|^2 = sum |x|^2 - n |m|^2 (parallel axis theorem), per label, at least 0.
LabelledMeans means_of(const CentredRows& rows, const std::vector<std::uint32_t>& labels, std::uint64_t label_count,
                       unsigned threads);

}  // namespace toposim::topology
