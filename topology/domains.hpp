#pragma once
// Topology domains: groups of neighbouring data-parallel replicas that stand in for each other.
#include <cstdint>
#include <span>
#include <vector>

#include "topology/placement.hpp"

namespace toposim::topology {

struct DomainsSpec {
  std::int64_t size = 12;  ///< replicas per domain; the published recommendation is 12
};

/// Contiguous replicas, floor(replicas / size) domains (at least one); a remainder is spread, one more member each,
/// never dropped. So sizes differ by at most one, and none is below spec.size unless the job has fewer replicas.
class Domains {
 public:
  Domains(std::uint32_t replicas, const DomainsSpec& spec);

  std::uint32_t count() const { return count_; }
  std::uint32_t replicas() const { return replicas_; }
  std::uint32_t domain_of(std::uint32_t replica) const;
  std::uint32_t first_member(std::uint32_t domain) const;  ///< members are first_member .. first_member + size - 1
  std::uint32_t size(std::uint32_t domain) const;

 private:
  std::uint32_t replicas_ = 0, count_ = 0;
};

/// How far a domain reaches in the fabric: nodes, leaves and pods that its members' GPUs hang on
/// (a GPU hangs on the leaf of its own NIC).
struct DomainSpan {
  std::uint32_t gpus = 0, nodes = 0, leaves = 0, pods = 0;
};
DomainSpan span_of(const Cluster& cluster, const Placement& placement, const Domains& domains, std::uint32_t domain);

}  // namespace toposim::topology
