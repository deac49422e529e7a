#pragma once
// How far domains are from each other in the fabric.
#include <cstdint>
#include <vector>

#include "topology/domains.hpp"
#include "topology/placement.hpp"
#include "topology/router.hpp"

namespace toposim::topology {

/// Which pairs of GPUs stand for a pair of domains: evenly spaced, those at the ends among them; 0: all.
struct DistanceSampling {
  std::uint32_t members = 4;  ///< replicas of each domain
  std::uint32_t ranks = 2;    ///< (tensor, context, pipeline) coordinates
};

/// count x count, row-major, symmetric: the mean number of links on the healthy route between two replicas' GPUs of the
/// same (tensor, context, pipeline) coordinate, one replica in each domain. The diagonal: between different replicas of
/// the domain, 0 where it has one. NVLinks count like cables. Throws TopologyError where domains and placement are not
/// of the same number of replicas.
std::vector<double> domain_distances(const Router& router, const Placement& placement, const Domains& domains,
                                     const DistanceSampling& sampling = {}, unsigned threads = 0);

}  // namespace toposim::topology
