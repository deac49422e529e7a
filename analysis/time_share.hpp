#pragma once
#include "analysis/results.hpp"

namespace toposim::analysis {

/// Share of all replicas' wall time that each bucket took, in the order of the metrics, named without the unit
/// ("lost_work"). The shares sum to 1. Empty without replicas or buckets.
Named time_shares(const SchemeResults& scheme);

}  // namespace toposim::analysis
