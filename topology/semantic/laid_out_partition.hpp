#pragma once
#include <cstdint>
#include <span>

#include "topology/semantic/partitioner.hpp"

namespace toposim::topology {

/// The partition with cluster i renamed to domain_of_cluster[i] (domain_layout.hpp). Bounds stay with the domains.
/// Throws TopologyError where that is no permutation of the domains, or a count leaves its domain's bounds: give
/// lay_out_domains() classes, such as each domain's workers.
Partition laid_out(const Partition& partition, std::span<const std::uint32_t> domain_of_cluster);

}  // namespace toposim::topology
