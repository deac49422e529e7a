#include "analysis/gates/gate_series.hpp"

#include <utility>

namespace toposim::analysis {

GateSeries series_of(const Metric& metric, std::string scheme, std::string where) {
  GateSeries series;
  series.metric = metric.name;
  series.scheme = std::move(scheme);
  series.where = std::move(where);
  series.values = metric.reals;
  series.unit = metric.unit;
  // Divided, as 3 ns times 1e-9 is not the double nearest to 3e-9.
  const double per_unit = metric.unit == Unit::duration_ns ? 1e9 : 1;
  for (const std::int64_t value : metric.integers) series.values.push_back(static_cast<double>(value) / per_unit);
  return series;
}

std::vector<GateSeries> series_of(const Results& results) {
  std::vector<GateSeries> all;
  for (const SchemeResults& scheme : results.schemes)
    for (const Metric& metric : scheme.metrics) all.push_back(series_of(metric, scheme.name));
  return all;
}

}  // namespace toposim::analysis
