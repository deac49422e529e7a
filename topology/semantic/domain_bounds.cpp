#include "topology/semantic/domain_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topology/error.hpp"

namespace toposim::topology {

DomainBounds domain_bounds(std::uint64_t samples, std::span<const double> shares, double slack,
                           std::uint64_t samples_max) {
  const std::uint64_t domains = shares.size();
  if (domains == 0) throw TopologyError("partition: no domains; give at least one");
  if (samples < domains) {
    throw TopologyError(
        fmt::format("partition: {} samples for {} domains; every domain needs one: give more samples or "
                    "larger domains",
                    samples, domains));
  }
  if (!(slack >= 0 && slack <= 1e6)) {
    throw TopologyError(fmt::format("partition: slack is {}; give 0 (all alike) to 1e6, such as 0.1", slack));
  }
  double sum = 0;
  for (std::size_t i = 0; i < domains; ++i) {
    if (!(shares[i] > 0 && shares[i] <= 1e12)) {
      throw TopologyError(
          fmt::format("partition: the share of domain {} is {}; give a positive number, such as its "
                      "workers",
                      i, shares[i]));
    }
    sum += shares[i];
  }
  DomainBounds bounds;
  for (const double share : shares) {
    const double fair = static_cast<double>(samples) * (share / sum);
    const double most = std::min(std::ceil(fair * (1 + slack) * (1 - 1e-12)), static_cast<double>(samples));
    const double least = std::floor(fair * std::max(0.0, 1 - slack) * (1 + 1e-12));
    bounds.most.push_back(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(most)));
    if (samples_max > 0) bounds.most.back() = std::min(bounds.most.back(), samples_max);
    bounds.least.push_back(std::clamp<std::uint64_t>(static_cast<std::uint64_t>(least), 1, bounds.most.back()));
  }
  const auto total = [](const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  };
  if (total(bounds.most) < samples) {
    throw TopologyError(
        fmt::format("partition: {} domains of at most {} samples hold {} of {}; raise samples_max to {} "
                    "or add domains",
                    domains, samples_max, total(bounds.most), samples, (samples + domains - 1) / domains));
  }
  if (total(bounds.least) > samples) bounds.least.assign(domains, 1);
  return bounds;
}

}  // namespace toposim::topology
