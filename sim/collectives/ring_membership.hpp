#pragma once
// A ring phase when members are missing: the gap is closed and every hop carries a little less.
#include <cstdint>
#include <span>

#include "sim/collectives/collective.hpp"
#include "sim/fabric/bottleneck_prepared.hpp"

namespace toposim::sim {

/// What changes in `ring`, the one phase of plan(request, Algorithm::ring, ...), when the members with these indices
/// (within each group: a missing replica is missing from all) take no part: apply(ring, delta) is the phase that the
/// plan for the remaining members would have. Per group two flows leave and one comes for each run of missing members;
/// with k of n missing, all-reduce carries 2(n-k-1)/(n-k) S a hop in 2(n-k-1) rounds.
///
/// For groups of one size with at most one GPU per node, and not for broadcast; throws std::invalid_argument for
/// others, and for indices that are not ascending or beyond the groups.
MembershipDelta ring_without(const CollectiveRequest& request, const Phase& ring, const topology::Cluster& cluster,
                             std::span<const std::uint32_t> missing);

}  // namespace toposim::sim
