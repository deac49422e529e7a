#pragma once
// Which training samples belong to which domain of workers.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/accuracy/accuracy_spec.hpp"

namespace toposim::accuracy {

struct DataPlacement {
  std::vector<std::uint32_t> worker_domain, sample_domain;
  std::vector<std::uint32_t> sample_worker;  ///< per sample, where samples are split by meaning inside domains
  std::uint32_t domains = 0;
  std::size_t centroid_width = 0;
  std::vector<float> worker_centroids;  ///< workers x centroid_width: the centroid of the worker's domain
  std::vector<std::uint64_t> samples;   ///< per domain
  double explained = 0;                 ///< 1 - inertia / total inertia of the embeddings; 0 where there are none
  double purity = 0;                    ///< share of samples that have their domain's most frequent label
  std::vector<double> cosines;          ///< domains x domains, of the centroids; empty for one domain
  std::vector<std::string> advice;      ///< on hot spots
};

/// Throws topology::TopologyError for embeddings that cannot be read or do not fit, or bounds that cannot be kept.
DataPlacement place_data(const workloads::Workload& workload, const AccuracySpec& spec, int threads);

}  // namespace toposim::accuracy
