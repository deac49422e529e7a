#pragma once
// Where candidates do not help: many duplicates of one sample, say, whose few nearest domains cannot hold them all.
#include <cstdint>
#include <vector>

#include "topology/semantic/candidates.hpp"
#include "topology/semantic/domain_bounds.hpp"

namespace toposim::topology {

struct OverflowReport {
  std::uint64_t placed = 0;  ///< samples that left a domain with too many for the nearest with room, of all domains
  std::uint64_t pulled = 0;  ///< samples that joined a domain with too few
};

/// Takes every domain that holds more than 2 x most + 64 samples down to most. Its samples farthest from the centroid
/// leave; in order of their numbers each goes to the nearest domain with room, counted over all centroids, as long as
/// enough of them are left for domains below their least.
OverflowReport thin_out(const CentredRows& rows, const Rows& centroids, const DomainBounds& bounds,
                        const CandidateTable& table, std::vector<std::uint32_t>& labels, unsigned threads);

/// The same for every domain above most; then domains below least pull the samples nearest to them out of domains above
/// their least. Afterwards all counts are within bounds.
OverflowReport enforce_bounds(const CentredRows& rows, const Rows& centroids, const DomainBounds& bounds,
                              const CandidateTable& table, std::vector<std::uint32_t>& labels, unsigned threads);

}  // namespace toposim::topology
