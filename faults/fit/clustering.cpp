#include "faults/fit/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace toposim::faults {
namespace {

constexpr std::int64_t minute_ns = 60'000'000'000, day_ns = 86'400'000'000'000;

std::int64_t floor_of(std::int64_t value, std::int64_t unit) {
  return value / unit - (value % unit < 0 ? 1 : 0);
}

/// Variance (n below) over mean, of `count` values of which those not given are zero.
double dispersion(std::span<const std::uint64_t> values, std::uint64_t count) {
  const auto n = static_cast<double>(count);
  double total = 0, squares = 0;
  for (const std::uint64_t v : values) total += static_cast<double>(v);
  const double mean = total / n;
  for (const std::uint64_t v : values) squares += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean);
  squares += (n - static_cast<double>(values.size())) * mean * mean;
  return mean > 0 ? squares / n / mean : 0;
}

void count_groups(std::span<const TraceRecord> records, Clustering& result) {
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = 0; i < records.size();) {
    const std::int64_t minute = floor_of(records[i].start_ns, minute_ns);
    nodes.clear();
    const std::size_t first = i;
    for (; i < records.size() && floor_of(records[i].start_ns, minute_ns) == minute; ++i)
      nodes.push_back(records[i].node);
    std::sort(nodes.begin(), nodes.end());
    const auto different = static_cast<std::uint64_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
    if (different < 2) continue;
    ++result.groups;
    result.grouped_faults += i - first;
    result.largest_group = std::max(result.largest_group, different);
  }
}

void correlate_gaps(std::span<const TraceRecord> records, Clustering& result) {
  if (records.size() < correlation_lags + 10) return;
  std::vector<double> gaps;
  double mean = 0, variance = 0;
  for (std::size_t i = 1; i < records.size(); ++i)
    gaps.push_back(static_cast<double>(records[i].start_ns - records[i - 1].start_ns));
  for (const double gap : gaps) mean += gap / static_cast<double>(gaps.size());
  for (const double gap : gaps) variance += (gap - mean) * (gap - mean);
  if (variance == 0) return;
  for (std::size_t lag = 1; lag <= correlation_lags; ++lag) {
    double covariance = 0;
    for (std::size_t i = lag; i < gaps.size(); ++i) covariance += (gaps[i] - mean) * (gaps[i - lag] - mean);
    result.gap_correlation.push_back(covariance / variance);
  }
}

}  // namespace

Clustering clustering(std::span<const TraceRecord> records, const TraceWindow& window, std::uint64_t node_count) {
  Clustering result;
  const auto days = static_cast<std::uint64_t>(std::floor(window.days()));
  std::vector<std::uint64_t> daily;
  std::unordered_map<std::uint32_t, std::uint64_t> of_node;
  std::vector<std::uint64_t> per_node;
  for (const TraceRecord& r : records) ++of_node[r.node];
  for (const auto& [node, count] : of_node) per_node.push_back(count);
  std::sort(per_node.begin(), per_node.end(), std::greater<>());  // from here on the map's order does not matter
  node_count = std::max<std::uint64_t>(node_count, per_node.size());
  // Whole days only; a long empty window is not held day by day.
  std::int64_t last = -1;
  for (const TraceRecord& r : records) {
    const std::int64_t day = floor_of(r.start_ns - window.begin_ns, day_ns);
    if (day < 0 || day >= static_cast<std::int64_t>(days)) continue;
    if (day != last) daily.push_back(0);
    ++daily.back();
    last = day;
  }
  if (days > 1) result.dispersion_daily = dispersion(daily, days);
  if (node_count > 1) result.dispersion_nodes = dispersion(per_node, node_count);
  result.worst_nodes =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(0.05 * static_cast<double>(node_count))));
  std::uint64_t worst = 0;
  for (std::size_t i = 0; i < per_node.size() && i < result.worst_nodes; ++i) worst += per_node[i];
  if (!records.empty()) result.worst_share = static_cast<double>(worst) / static_cast<double>(records.size());
  count_groups(records, result);
  correlate_gaps(records, result);
  return result;
}

}  // namespace toposim::faults
