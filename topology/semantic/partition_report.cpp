#include "topology/semantic/partition_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "topology/error.hpp"

namespace toposim::topology {
namespace {

double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double outlier_limit(const std::vector<double>& values) {
  const double median = lower_median(values);
  std::vector<double> deviations(values);
  for (double& value : deviations) value = std::abs(value - median);
  return median + std::max(5 * 1.4826 * lower_median(deviations), 0.1 * std::abs(median));
}

std::vector<double> cosines_of(const Partition& p) {
  const std::uint64_t domains = p.domains();
  std::vector<double> unit(p.centroids.begin(), p.centroids.end()), result(domains * domains, 0.0);
  for (std::uint64_t j = 0; j < domains; ++j) {
    double* const row = unit.data() + j * p.dims;
    double squares = 0;
    for (std::uint64_t k = 0; k < p.dims; ++k) squares += row[k] * row[k];
    const double norm = std::sqrt(squares);
    for (std::uint64_t k = 0; k < p.dims; ++k) row[k] = norm > 0 ? row[k] / norm : 0;
  }
  for (std::uint64_t a = 0; a < domains; ++a) {
    for (std::uint64_t b = a; b < domains; ++b) {
      const double *const x = unit.data() + a * p.dims, *const y = unit.data() + b * p.dims;
      double part[4] = {};
      for (std::uint64_t k = 0; k < p.dims; ++k) part[k % 4] += x[k] * y[k];
      result[a * domains + b] = result[b * domains + a] =
          std::clamp((part[0] + part[1]) + (part[2] + part[3]), -1.0, 1.0);
    }
  }
  return result;
}

void find_purity(const Partition& p, std::span<const std::uint32_t> labels, PartitionReport& report) {
  std::vector<std::map<std::uint32_t, std::uint64_t>> tally(p.domains());
  for (std::uint64_t i = 0; i < p.samples; ++i) ++tally[p.domain[i]][labels[i]];
  std::uint64_t in_all = 0;
  for (std::uint64_t j = 0; j < p.domains(); ++j) {
    std::uint64_t most = 0;
    for (const auto& [label, count] : tally[j]) most = std::max(most, count);
    in_all += most;
    report.purity.push_back(static_cast<double>(most) / static_cast<double>(std::max<std::uint64_t>(1, p.counts[j])));
  }
  report.purity_of_all = static_cast<double>(in_all) / static_cast<double>(p.samples);
}

void find_hot_spots(const Partition& p, std::span<const std::uint64_t> capacity, PartitionReport& report) {
  const std::uint64_t domains = p.domains();
  std::vector<double> squares(domains, 0.0), similarity(domains, 0.0);
  for (std::uint64_t j = 0; j < domains; ++j) {
    if (p.counts[j] > 0) squares[j] = p.inertias[j] / static_cast<double>(p.counts[j]);
    for (std::uint64_t other = 0; other < domains; ++other)
      if (other != j) similarity[j] += report.cosines[j * domains + other];
    if (domains > 1) similarity[j] /= static_cast<double>(domains - 1);
  }
  const double loose = outlier_limit(squares), hub = outlier_limit(similarity);
  for (std::uint32_t j = 0; j < domains; ++j) {
    if (!capacity.empty() && p.counts[j] > capacity[j]) {
      report.hot_spots.push_back(
          {HotSpotKind::crowded, j, static_cast<double>(p.counts[j]), static_cast<double>(capacity[j]),
           fmt::format("domain {} has {} samples for a capacity of {}; set samples_max to {} or lower slack", j,
                       p.counts[j], capacity[j], capacity[j])});
    }
    if (squares[j] > loose) {
      report.hot_spots.push_back(
          {HotSpotKind::loose, j, squares[j], loose,
           fmt::format("domain {}'s samples lie {:.2g} times as far from their centroid as is usual (squared); lower "
                       "temperature, or raise slack so that they may go elsewhere",
                       j, squares[j] / lower_median(squares))});
    }
    if (similarity[j] > hub) {
      report.hot_spots.push_back(
          {HotSpotKind::hub, j, similarity[j], hub,
           fmt::format(
               "domain {} is as similar to all others (mean cosine {:.3f}) as few are; its data may be filler or "
               "duplicates: look at it, or lower temperature",
               j, similarity[j])});
    }
  }
}

}  // namespace

PartitionReport report_partition(const Partition& partition, std::span<const std::uint32_t> labels,
                                 std::span<const std::uint64_t> capacity) {
  if (!labels.empty() && labels.size() != partition.samples) {
    throw TopologyError(fmt::format("partition report: {} labels for {} samples; give one each, or none", labels.size(),
                                    partition.samples));
  }
  if (!capacity.empty() && capacity.size() != partition.domains()) {
    throw TopologyError(fmt::format("partition report: {} capacities for {} domains; give one each, or none",
                                    capacity.size(), partition.domains()));
  }
  PartitionReport report;
  std::vector<std::uint64_t> counts = partition.counts;
  std::sort(counts.begin(), counts.end());
  report.samples_min = counts.front();
  report.samples_p50 = counts[(counts.size() - 1) / 2];
  report.samples_max = counts.back();
  report.mean_square = partition.inertia / static_cast<double>(partition.samples);
  if (partition.statistics.total_inertia > 0)
    report.explained = 1 - partition.inertia / partition.statistics.total_inertia;
  report.cosines = cosines_of(partition);
  if (!labels.empty()) find_purity(partition, labels, report);
  find_hot_spots(partition, capacity, report);
  return report;
}

}  // namespace toposim::topology
