#include "faults/fit/sample.hpp"

#include <algorithm>
#include <tuple>

namespace toposim::faults {
namespace {

constexpr double hour_ns = 3600e9;

/// Adds a time; zeros are dealt with once the smallest is known.
void add_time(Sample& sample, std::int64_t ns) {
  if (ns > 0)
    sample.values_h.push_back(static_cast<double>(ns) / hour_ns);
  else
    ++sample.zeros;
}

void settle_zeros(Sample& sample, ZeroGaps zeros) {
  if (zeros == ZeroGaps::leave_out || sample.values_h.empty()) return;
  const double half = *std::min_element(sample.values_h.begin(), sample.values_h.end()) / 2;
  sample.values_h.insert(sample.values_h.end(), sample.zeros, half);
}

}  // namespace

Sample gaps_between_faults(std::span<const TraceRecord> records, ZeroGaps zeros) {
  Sample sample;
  for (std::size_t i = 1; i < records.size(); ++i) add_time(sample, records[i].start_ns - records[i - 1].start_ns);
  settle_zeros(sample, zeros);
  return sample;
}

Sample repair_times(std::span<const TraceRecord> records, const TraceWindow& window, ZeroGaps zeros) {
  Sample sample;
  for (const TraceRecord& r : records) {
    if (r.ending == Ending::closed) add_time(sample, r.end_ns - r.start_ns);
    if (r.ending == Ending::open && window.end_ns > r.start_ns)
      sample.censored_h.push_back(static_cast<double>(window.end_ns - r.start_ns) / hour_ns);
  }
  settle_zeros(sample, zeros);
  return sample;
}

Sample lives_of_nodes(std::span<const TraceRecord> records, const TraceWindow& window, ZeroGaps zeros) {
  // Points have no length but end a life all the same.
  std::vector<DownInterval> downs;
  for (const TraceRecord& r : records) {
    const std::int64_t end_ns = r.ending == Ending::open ? window.end_ns : r.end_ns;
    if (r.start_ns < window.end_ns && end_ns >= window.begin_ns) downs.push_back({r.start_ns, end_ns, r.node});
  }
  std::sort(downs.begin(), downs.end(), [](const DownInterval& a, const DownInterval& b) {
    return std::tie(a.node, a.begin_ns, a.end_ns) < std::tie(b.node, b.begin_ns, b.end_ns);
  });
  Sample sample;
  std::int64_t up_since_ns = 0;
  const auto end_node = [&] {
    if (up_since_ns < window.end_ns)
      sample.censored_h.push_back(static_cast<double>(window.end_ns - up_since_ns) / hour_ns);
  };
  for (std::size_t i = 0; i < downs.size(); ++i) {
    const bool first = i == 0 || downs[i].node != downs[i - 1].node;
    if (first && i > 0) end_node();
    if (first) {
      up_since_ns = downs[i].end_ns;
      continue;
    }
    // A fault while the node is down ends no life.
    if (downs[i].begin_ns >= up_since_ns) add_time(sample, downs[i].begin_ns - up_since_ns);
    up_since_ns = std::max(up_since_ns, downs[i].end_ns);
  }
  if (!downs.empty()) end_node();
  settle_zeros(sample, zeros);
  return sample;
}

std::vector<DownInterval> down_intervals(std::span<const TraceRecord> records, const TraceWindow& window,
                                         Overlaps overlaps) {
  std::vector<DownInterval> downs;
  for (const TraceRecord& r : records) {
    if (r.ending == Ending::point) continue;
    const std::int64_t end_ns = r.ending == Ending::open ? window.end_ns : std::min(r.end_ns, window.end_ns);
    const std::int64_t begin_ns = std::max(r.start_ns, window.begin_ns);
    if (begin_ns < end_ns) downs.push_back({begin_ns, end_ns, r.node});
  }
  std::sort(downs.begin(), downs.end(), [](const DownInterval& a, const DownInterval& b) {
    return std::tie(a.node, a.begin_ns, a.end_ns) < std::tie(b.node, b.begin_ns, b.end_ns);
  });
  if (overlaps == Overlaps::separate) return downs;
  std::size_t kept = 0;
  for (const DownInterval& down : downs) {
    if (kept > 0 && downs[kept - 1].node == down.node && down.begin_ns <= downs[kept - 1].end_ns)
      downs[kept - 1].end_ns = std::max(downs[kept - 1].end_ns, down.end_ns);
    else
      downs[kept++] = down;
  }
  downs.resize(kept);
  return downs;
}

}  // namespace toposim::faults
