#include "topology/semantic/laid_out_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "topology/error.hpp"

namespace toposim::topology {

Partition laid_out(const Partition& partition, std::span<const std::uint32_t> domain_of_cluster) {
  const std::uint64_t domains = partition.domains();
  std::vector<bool> taken(domains, false);
  if (domain_of_cluster.size() != domains) {
    throw TopologyError(
        fmt::format("layout: {} places for {} domains; give one each", domain_of_cluster.size(), domains));
  }
  Partition result = partition;
  for (std::uint64_t cluster = 0; cluster < domains; ++cluster) {
    const std::uint32_t domain = domain_of_cluster[cluster];
    if (domain >= domains || taken[domain]) {
      throw TopologyError(fmt::format("layout: cluster {} is to be domain {}, which {}; give a permutation", cluster,
                                      domain, domain >= domains ? "does not exist" : "is taken"));
    }
    taken[domain] = true;
    if (partition.counts[cluster] < partition.least[domain] || partition.counts[cluster] > partition.most[domain]) {
      throw TopologyError(fmt::format("layout: cluster {} has {} samples, domain {} takes {} to {}; lay out by classes",
                                      cluster, partition.counts[cluster], domain, partition.least[domain],
                                      partition.most[domain]));
    }
    result.counts[domain] = partition.counts[cluster];
    result.inertias[domain] = partition.inertias[cluster];
    std::copy_n(partition.centroids.begin() + static_cast<std::ptrdiff_t>(cluster * partition.dims), partition.dims,
                result.centroids.begin() + static_cast<std::ptrdiff_t>(domain * partition.dims));
  }
  for (std::uint32_t& domain : result.domain) domain = domain_of_cluster[domain];
  return result;
}

}  // namespace toposim::topology
