#pragma once
// What the METRIC.SCHEME[.STATISTIC] of a gate means beside the series that there are. Internal to gate_check.cpp.
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gates/gate_check.hpp"

namespace toposim::analysis {

struct GateMeaning {
  std::string_view metric, scheme;  ///< of the series that it was found in
  GateStatistic statistic = GateStatistic::mean;
  bool operator==(const GateMeaning&) const = default;
};

std::string_view name_of(GateStatistic statistic);

/// Every reading, each once; names of schemes may hold dots, so there can be several, and a gate that has several is
/// refused.
std::vector<GateMeaning> meanings_of(std::string_view subject, const std::vector<GateSeries>& series);

/// Why a subject without a meaning has none: its metric, else its scheme, else its statistic is not there.
std::string unknown_subject(std::string_view subject, const std::vector<GateSeries>& series, const Nearest& nearest);

/// "; did you mean 'x'?" or, with nothing near, "; there is a, b"; each candidate once.
std::string there_is(std::string_view written, const std::vector<std::string>& candidates, const Nearest& nearest);

}  // namespace toposim::analysis
