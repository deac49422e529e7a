#pragma once
// How many samples each domain may hold.
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::topology {

struct DomainBounds {
  std::vector<std::uint64_t> least, most;  ///< per domain; sum of least <= samples <= sum of most
};

/// With t = samples x share / (sum of shares): at most ceil(t (1 + slack)), at least floor(t (1 - slack)) but never
/// below 1, so that no domain idles (where shares are so unequal that those do not fit, 1 for all). `samples_max` caps
/// every domain; 0: none. A rounding error of 1e-12 in t is not a sample. Throws TopologyError where there are fewer
/// samples than domains, a share or the slack makes no sense, or samples_max leaves samples without a domain.
DomainBounds domain_bounds(std::uint64_t samples, std::span<const double> shares, double slack,
                           std::uint64_t samples_max);

}  // namespace toposim::topology
