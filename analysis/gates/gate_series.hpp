#pragma once
#include <string>
#include <vector>

#include "analysis/gates/gate.hpp"

namespace toposim::analysis {

/// A column as gates see it: durations in seconds.
GateSeries series_of(const Metric& metric, std::string scheme, std::string where = {});

/// Every metric of every scheme.
std::vector<GateSeries> series_of(const Results& results);

}  // namespace toposim::analysis
