#pragma once
// Centroids move from where there are too many for the samples around to where there are too few. Lloyd's rounds alone
// never do that between groups of samples that lie apart.
#include <cstdint>
#include <vector>

#include "topology/semantic/centred_rows.hpp"
#include "topology/semantic/domain_bounds.hpp"

namespace toposim::topology {

/// `labels`: the nearest centroid of every row. A cluster with less than 0.7 of its fair count (the middle of its
/// bounds) is dissolved and its centroid takes over half of the fullest cluster, as long as that is beyond 1.4 times
/// its fair count. Returns how many moved.
std::uint64_t relocate(const Rows& rows, const std::vector<std::uint32_t>& labels, const DomainBounds& bounds,
                       std::uint64_t seed, std::uint32_t round, Rows& centroids);

}  // namespace toposim::topology
