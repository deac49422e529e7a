#pragma once
// What fits are made to: times in hours, the unit in which failures are spoken of.
#include <cstdint>
#include <span>
#include <vector>

#include "faults/trace/trace.hpp"

namespace toposim::faults {

struct Sample {
  std::vector<double> values_h;    ///< in the order in which they were seen, all > 0
  std::vector<double> censored_h;  ///< ended by the end of the recording: longer than this
  std::size_t zeros = 0;           ///< left out, or set to half of the smallest (ZeroGaps)
};

/// No continuous distribution has a zero; a recording with a coarse clock has many.
enum class ZeroGaps : std::uint8_t { leave_out, half_smallest };

/// When the recording was on.
struct TraceWindow {
  std::int64_t begin_ns = 0, end_ns = 0;
  double days() const { return static_cast<double>(end_ns - begin_ns) / 86400e9; }
};

/// Times between one fault's start and the next, wherever they were. Records are sorted by start.
Sample gaps_between_faults(std::span<const TraceRecord> records, ZeroGaps zeros);

/// Times to repair, one per record; those still open are censored at the end of the window.
Sample repair_times(std::span<const TraceRecord> records, const TraceWindow& window, ZeroGaps zeros);

/// Times of a node from the end of its repair to its next fault; the last of each node is censored by the end of the
/// window. Time before a node's first fault is not counted: since when it had been up is not recorded.
Sample lives_of_nodes(std::span<const TraceRecord> records, const TraceWindow& window, ZeroGaps zeros);

/// Down times of each node.
struct DownInterval {
  std::int64_t begin_ns = 0, end_ns = 0;
  std::uint32_t node = 0;
};

/// What overlaps on a node is one time down (union), or each interval counts on its own.
enum class Overlaps : std::uint8_t { merge, separate };

/// By (node, begin), cut to the window; open faults last to its end, points have no length and are not in it.
std::vector<DownInterval> down_intervals(std::span<const TraceRecord> records, const TraceWindow& window,
                                         Overlaps overlaps);

}  // namespace toposim::faults
