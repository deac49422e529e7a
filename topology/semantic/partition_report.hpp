#pragma once
// What a partition looks like: sizes, similarity between domains, purity, and what stands out.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/semantic/partitioner.hpp"

namespace toposim::topology {

enum class HotSpotKind : std::uint8_t {
  crowded,  ///< more samples than its workers' capacity
  loose,    ///< samples far from the centroid: the domain's data is not alike
  hub,      ///< a centroid as similar to all others as few are: its data is everybody's
};

struct HotSpot {
  HotSpotKind kind{};
  std::uint32_t domain = 0;
  double value = 0, limit = 0;  ///< samples; mean squared distance; mean cosine
  std::string advice;           ///< what it is and what to do, in one sentence
};

struct PartitionReport {
  std::uint64_t samples_min = 0, samples_p50 = 0, samples_max = 0;  ///< per domain; the median is the lower one
  double mean_square = 0;                                           ///< of a sample's distance to its centroid
  double explained = 0;                                             ///< 1 - inertia / total inertia
  std::vector<double> cosines;     ///< domains x domains, of the centroids as they are; a zero centroid has 0 with all
  std::vector<double> purity;      ///< per domain: share of its most frequent label; empty without labels
  double purity_of_all = 0;        ///< share of samples that have their domain's most frequent label
  std::vector<HotSpot> hot_spots;  ///< by domain, then kind
};

/// `labels`: one per sample, or none. `capacity`: samples that a domain's workers can take, one per domain, or none.
/// loose and hub: above the median by more than 5 median absolute deviations x 1.4826 (5 standard deviations of normal
/// values), and by a tenth of the median. Throws TopologyError where sizes do not fit.
PartitionReport report_partition(const Partition& partition, std::span<const std::uint32_t> labels = {},
                                 std::span<const std::uint64_t> capacity = {});

}  // namespace toposim::topology
