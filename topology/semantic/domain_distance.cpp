#include "topology/semantic/domain_distance.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/error.hpp"
#include "topology/semantic/parallel.hpp"

namespace toposim::topology {
namespace {

std::vector<std::uint32_t> evenly_spaced(std::uint32_t of, std::uint32_t wanted) {
  const std::uint32_t count = wanted == 0 ? of : std::min(wanted, of);
  std::vector<std::uint32_t> result(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    result[i] = count == 1 ? 0 : static_cast<std::uint32_t>(i * (of - 1) / (count - 1));
  }
  return result;
}

}  // namespace

std::vector<double> domain_distances(const Router& router, const Placement& placement, const Domains& domains,
                                     const DistanceSampling& sampling, unsigned threads) {
  if (domains.replicas() != placement.replicas()) {
    throw TopologyError(
        fmt::format("domain distances: domains of {} replicas, a placement of {}; make both from one job",
                    domains.replicas(), placement.replicas()));
  }
  const FabricState healthy;
  const auto ranks = evenly_spaced(static_cast<std::uint32_t>(placement.layout().ranks_per_replica()), sampling.ranks);
  std::vector<std::vector<VertexId>> gpus(domains.count());  // replicas x ranks
  for (std::uint32_t d = 0; d < domains.count(); ++d) {
    for (const std::uint32_t member : evenly_spaced(domains.size(d), sampling.members))
      for (const std::uint32_t rank : ranks)
        gpus[d].push_back(placement.gpu_of_replica(domains.first_member(d) + member, rank));
  }
  const std::size_t count = domains.count();
  std::vector<double> result(count * count, 0.0);
  for_each_task(count, threads, [&](std::size_t a) {
    for (std::size_t b = a; b < count; ++b) {
      std::uint64_t links = 0, pairs = 0;
      for (std::size_t i = 0; i < gpus[a].size(); ++i) {
        for (std::size_t j = i % ranks.size(); j < gpus[b].size(); j += ranks.size()) {
          if (gpus[a][i] == gpus[b][j]) continue;
          links += router.path(gpus[a][i], gpus[b][j], 0, healthy).size();
          ++pairs;
        }
      }
      if (pairs > 0)
        result[a * count + b] = result[b * count + a] = static_cast<double>(links) / static_cast<double>(pairs);
    }
  });
  return result;
}

}  // namespace toposim::topology
