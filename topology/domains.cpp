#include "topology/domains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "topology/error.hpp"

namespace toposim::topology {

Domains::Domains(std::uint32_t replicas, const DomainsSpec& spec) : replicas_(replicas) {
  if (replicas == 0) throw TopologyError("domains: the job has no replicas to group");
  if (spec.size < 1) throw TopologyError(fmt::format("domains: size is {}; it must be at least 1", spec.size));
  count_ = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(replicas / spec.size));
}

// With b = floor(replicas / count) and r = replicas mod count, domains 0 .. r-1 have b + 1 members, the others b.
std::uint32_t Domains::domain_of(std::uint32_t replica) const {
  if (replica >= replicas_) {
    throw TopologyError(fmt::format("domains: there is no replica {} among {}", replica, replicas_));
  }
  const std::uint32_t base = replicas_ / count_;
  const std::uint32_t larger = replicas_ % count_;
  const std::uint32_t in_larger = larger * (base + 1);
  return replica < in_larger ? replica / (base + 1) : larger + (replica - in_larger) / base;
}

std::uint32_t Domains::first_member(std::uint32_t domain) const {
  return domain * (replicas_ / count_) + std::min(domain, replicas_ % count_);
}

std::uint32_t Domains::size(std::uint32_t domain) const {
  return replicas_ / count_ + (domain < replicas_ % count_ ? 1 : 0);
}

DomainSpan span_of(const Cluster& cluster, const Placement& placement, const Domains& domains, std::uint32_t domain) {
  std::set<std::uint32_t> nodes;
  std::set<VertexId> leaves;
  std::set<std::uint32_t> pods;
  const auto ranks = static_cast<std::uint32_t>(placement.layout().ranks_per_replica());
  const std::uint32_t first = domains.first_member(domain);
  for (std::uint32_t replica = first; replica < first + domains.size(domain); ++replica) {
    for (std::uint32_t i = 0; i < ranks; ++i) {
      const VertexId gpu = placement.gpu_of_replica(replica, i);
      nodes.insert(cluster.node_of(gpu));
      pods.insert(cluster.pod_of(gpu));
      if (cluster.nics_per_node() > 0) leaves.insert(cluster.leaf_of_nic(cluster.nic_of_gpu(gpu)));
    }
  }
  const auto size = [](const auto& set) { return static_cast<std::uint32_t>(set.size()); };
  return {ranks * domains.size(domain), size(nodes), size(leaves), size(pods)};
}

}  // namespace toposim::topology
