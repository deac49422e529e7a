#include "faults/fit/downtime.hpp"

#include <algorithm>
#include <utility>

namespace toposim::faults {

NodesDown nodes_down(std::span<const DownInterval> downs, const TraceWindow& window) {
  std::vector<std::pair<std::int64_t, std::int64_t>> changes;  // time, nodes more
  changes.reserve(2 * downs.size());
  NodesDown result;
  for (const DownInterval& down : downs) {
    changes.emplace_back(down.begin_ns, 1);
    changes.emplace_back(down.end_ns, -1);
    result.node_days += static_cast<double>(down.end_ns - down.begin_ns) / 86400e9;
  }
  std::sort(changes.begin(), changes.end());
  std::vector<double> time_ns;  // by the number of nodes down
  std::int64_t down = 0, since_ns = window.begin_ns;
  const auto pass = [&](std::int64_t until_ns) {
    if (until_ns <= since_ns) return;
    if (time_ns.size() <= static_cast<std::size_t>(down)) time_ns.resize(static_cast<std::size_t>(down) + 1);
    time_ns[static_cast<std::size_t>(down)] += static_cast<double>(until_ns - since_ns);
    since_ns = until_ns;
  };
  for (const auto& [at_ns, more] : changes) {
    pass(at_ns);
    down += more;
  }
  pass(window.end_ns);
  const auto whole_ns = static_cast<double>(window.end_ns - window.begin_ns);
  if (whole_ns <= 0) return result;
  double passed_ns = 0;
  bool p50 = false, p99 = false;
  for (std::size_t n = 0; n < time_ns.size(); ++n) {
    if (time_ns[n] == 0) continue;
    passed_ns += time_ns[n];
    result.mean += static_cast<double>(n) * time_ns[n] / whole_ns;
    if (!p50 && passed_ns >= 0.5 * whole_ns) result.p50 = n, p50 = true;
    if (!p99 && passed_ns >= 0.99 * whole_ns) result.p99 = n, p99 = true;
    result.most = n;
  }
  return result;
}

}  // namespace toposim::faults
