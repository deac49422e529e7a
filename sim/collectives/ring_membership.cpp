#include "sim/collectives/ring_membership.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace toposim::sim {
namespace {

using topology::VertexId;

void check(const CollectiveRequest& request, const Phase& ring, std::span<const std::uint32_t> missing, std::size_t n) {
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(fmt::format("ring without {} members: {}", missing.size(), why));
  };
  if (request.kind != CollectiveKind::all_reduce && request.kind != CollectiveKind::reduce_scatter &&
      request.kind != CollectiveKind::all_gather)
    refuse(fmt::format("{} has no ring that closes", to_string(request.kind)));
  for (const auto& group : request.groups)
    if (group.size() != n) refuse("the groups differ in size");
  if (ring.flows.size() != (n > 1 ? n : 0) * request.groups.size()) refuse("the phase is not the ring of this request");
  for (std::size_t i = 0; i < missing.size(); ++i)
    if (missing[i] >= n || (i > 0 && missing[i] <= missing[i - 1]))
      refuse(fmt::format("index {} is not ascending within groups of {}", missing[i], n));
}

}  // namespace

MembershipDelta ring_without(const CollectiveRequest& request, const Phase& ring, const topology::Cluster& cluster,
                             std::span<const std::uint32_t> missing) {
  const std::size_t n = request.groups.empty() ? 0 : request.groups.front().size();
  check(request, ring, missing, n);
  MembershipDelta delta;
  if (missing.empty() || n <= 1) return delta;
  const std::size_t left = n - missing.size();
  if (left <= 1) {  // nobody to talk to
    delta.removed.resize(ring.flows.size());
    std::iota(delta.removed.begin(), delta.removed.end(), 0);
    delta.rounds = 0;
    return delta;
  }
  const double hops = static_cast<double>(n) - 1, hops_left = static_cast<double>(left) - 1;
  delta.byte_scale = (hops_left / static_cast<double>(left)) / (hops / static_cast<double>(n));
  delta.rounds = ring.rounds * hops_left / hops;

  // The ring goes from node to node, so a member's place is the rank of its GPU among the group's.
  std::vector<VertexId> sorted(n);
  std::vector<char> gone(n);
  for (std::size_t g = 0; g < request.groups.size(); ++g) {
    const auto& group = request.groups[g];
    sorted = group;
    if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < n; ++i)
      if (cluster.node_of(sorted[i]) == cluster.node_of(sorted[i - 1]))
        throw std::invalid_argument(
            fmt::format("ring without members: group {} has several GPUs on node {}", g, cluster.node_of(sorted[i])));
    std::fill(gone.begin(), gone.end(), 0);
    for (const std::uint32_t index : missing)
      gone[static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), group[index]) - sorted.begin())] = 1;
    const auto first_flow = static_cast<std::uint32_t>(g * n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t next = (i + 1) % n;
      if (!gone[i] && !gone[next]) continue;
      delta.removed.push_back(first_flow + static_cast<std::uint32_t>(i));
      if (gone[i]) continue;
      std::size_t heir = next;  // the first member after the gap
      while (gone[heir]) heir = (heir + 1) % n;
      Flow flow = ring.flows[first_flow + i];
      flow.dst = sorted[heir];
      flow.bytes *= delta.byte_scale;
      delta.added.push_back(flow);
    }
  }
  return delta;
}

}  // namespace toposim::sim
