#pragma once
// The semantic partitioner: samples with similar embeddings go to the same domain, and domains stay balanced.
//
// Balanced k-means: choose centroids c and an assignment that minimise the inertia, sum |x_i - c_domain(i)|^2, with
// every domain's count within bounds. Steps, in the centred space (centred_rows.hpp):
//   1. a sample of the rows: 32 per domain or 32,768, whichever is more; all of them where there are no more
//   2. on it, greedy k-means++ (seeding.hpp), a few rounds of Lloyd with centroids relocated to where samples are, then
//      `rounds` of: candidates, balancing prices and the cheapest chains of moves (prices.hpp, min_cost_repair.hpp):
//      the least-cost assignment within the candidates; means
//   3. one search over all rows for their 16 cheapest candidates, then `passes` of: prices, means; the last with the
//      cheapest chains. What candidates cannot place goes to the nearest domain with room (overflow.hpp)
//   4. with temperature > 0: samples are dealt anew at random (soft_assignment.hpp), and repaired alike. The nearest
//      domain counts as no worse than the one drawn, so only as many samples move as bounds ask for
// The search is samples x domains x dims multiplications, a matrix product; with temperature there is one more like it.
// A file is read passes x 2 + 1 times. Memory beside the embeddings: 16 x 6 + 8 bytes a sample and the sample of step
// 1, 128 bytes x dims a domain. The same seed gives the same bits for any number of threads and for a file as for
// memory.
#include <cstdint>
#include <vector>

#include "topology/semantic/embeddings.hpp"

namespace toposim::topology {

struct PartitionOptions {
  double slack = 0.1;             ///< how far a domain may be from its fair share: domain_bounds.hpp
  double temperature = 0;         ///< 0: nearest with room. Above: P(domain) ~ exp(-distance^2 / (temperature x the
                                  ///< mean squared distance to the own centroid)), over all domains
  std::uint64_t samples_max = 0;  ///< per domain; 0: what slack allows
  std::uint64_t seed = 1;
  std::uint32_t rounds = 9;  ///< on the sample, at least 1
  std::uint32_t passes = 2;  ///< over all rows, at least 1
  unsigned threads = 0;      ///< 0: as many as the machine has
};

struct PartitionStatistics {
  double nearest_inertia = 0;      ///< if every sample went to the nearest of the centroids of the last pass, unbounded
  double assigned_inertia = 0;     ///< to those same centroids, as assigned without temperature
  double total_inertia = 0;        ///< one domain for all: sum of squared distances to the mean
  std::uint64_t sampled_rows = 0;  ///< in step 1
  std::uint64_t over_nearest = 0;  ///< imbalance (prices.hpp) if every sample went to the nearest
  std::uint64_t over_prices = 0;   ///< imbalance that prices left to the repair
  std::uint64_t chains = 0;        ///< of the repair, with that of step 5
  std::uint64_t spilled = 0;       ///< samples that candidates could not place
};

struct Partition {
  std::uint64_t samples = 0, dims = 0;
  std::vector<std::uint32_t> domain;       ///< of each sample
  std::vector<float> centroids;            ///< domains x dims: the mean of each domain's samples
  std::vector<std::uint64_t> counts;       ///< per domain
  std::vector<double> inertias;            ///< per domain: sum of squared distances to its centroid
  std::vector<std::uint64_t> least, most;  ///< the bounds that were kept
  double inertia = 0;                      ///< sum of inertias, in the embeddings' squared units
  PartitionStatistics statistics;

  std::uint64_t domains() const { return counts.size(); }
};

/// Shares: per domain, such as its workers; equal numbers for equal domains. Domains are 1 to 65,535. Throws
/// TopologyError for impossible bounds or options and for unreadable embeddings.
Partition partition(const Embeddings& embeddings, const std::vector<double>& shares, const PartitionOptions& options);

/// Equal domains.
Partition partition(const Embeddings& embeddings, std::uint64_t domains, const PartitionOptions& options);

}  // namespace toposim::topology
