#pragma once
// The last step to balance: samples move along the cheapest chains of domains until every count is within its bounds.
#include <cstdint>
#include <vector>

#include "topology/semantic/candidates.hpp"
#include "topology/semantic/domain_bounds.hpp"

namespace toposim::topology {

struct RepairReport {
  std::uint64_t chains = 0;  ///< shortest paths that were followed
  std::uint64_t moved = 0;   ///< samples that changed domain
  bool complete = false;     ///< counts are within bounds; else candidates led nowhere or the work limit was reached
};

/// Successive shortest paths (Ahuja, Magnanti, Orlin 1993, section 9.7) on a graph of the domains and one outlet: the
/// arc from domain a to b costs the least increase of squared distance (over a's samples that have b as a candidate);
/// the outlet takes least to most samples of each domain at no cost. `labels` must be each sample's cheapest candidate
/// at `prices`; then the result is the least-cost assignment within the candidates wherever `complete`, and `prices`
/// its dual. Samples whose label is none of their candidates stay where they are.
RepairReport repair_balance(const CandidateTable& table, const DomainBounds& bounds, std::vector<std::uint32_t>& labels,
                            std::vector<double>& prices);

}  // namespace toposim::topology
