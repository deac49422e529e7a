#include "analysis/time_share.hpp"

#include "analysis/check.hpp"
#include "analysis/statistics.hpp"

namespace toposim::analysis {

Named time_shares(const SchemeResults& scheme) {
  const Metric* wall = find_metric(scheme, "wall_s");
  if (!wall || wall->integers.empty()) return {};
  const double wall_mean_s = summarise(*wall).mean;
  if (!(wall_mean_s > 0)) return {};
  Named shares;
  for (const Metric& metric : scheme.metrics)
    if (metric.bucket)
      shares.emplace_back(metric.name.substr(0, metric.name.size() - 2), summarise(metric).mean / wall_mean_s);
  return shares;
}

}  // namespace toposim::analysis
