#pragma once
// Who is there: workers beat, and others decide together that one is gone: the members of its domain, or all workers
// where too few of those are left.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace toposim::trainer {

struct HeartbeatSpec {
  double timeout_s = 3;  ///< this long without a beat, a worker is suspected
};

enum class Verdict : std::uint8_t {
  alive,      ///< it beat within the timeout
  dead,       ///< it did not, and more than half of its domain, or of all workers, are there to say so
  no_quorum,  ///< it did not, and too few are there: it may as well be they who are cut off
};

/// Times are seconds on one clock and never go back for a worker. Every worker counts as having beaten at time 0.
class HeartbeatMonitor {
 public:
  /// domain: per worker. Throws std::invalid_argument for a timeout that is not above 0, or no workers.
  HeartbeatMonitor(std::vector<std::uint32_t> domain, HeartbeatSpec spec);

  void beat(std::uint32_t worker, double now_s);
  bool fresh(std::uint32_t worker, double now_s) const;
  /// When the worker is suspected, unless it beats before.
  double suspected_from_s(std::uint32_t worker) const;
  Verdict ask(std::uint32_t worker, double now_s) const;

 private:
  std::vector<std::uint32_t> domain_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< by domain
  std::vector<std::uint32_t> everyone_;
  std::vector<double> last_beat_s_;
  HeartbeatSpec spec_;
};

}  // namespace toposim::trainer
