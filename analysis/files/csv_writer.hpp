#pragma once
// Comma-separated files as RFC 4180 quotes them (lines end in LF), names in the first line, a unit in every name.
#include <cstddef>
#include <string>
#include <string_view>

#include "analysis/results.hpp"

namespace toposim::analysis {

/// One line per (replica, scheme): replica, scheme, then every metric. Durations in seconds, 9 decimals.
std::string replicas_csv(const Results& results);

/// Every event of the first replica: scheme, time_s, event, cause, node, replica, step, replicas_active, spares_free.
/// Empty where there is no node or replica.
std::string timeline_csv(const Results& results);

/// A metric's value: durations in seconds, 9 decimals; empty for NaN.
std::string csv_value(const Metric& metric, std::size_t i);

/// Quoted where it holds a comma, a quote, a line break or a blank at either end.
std::string csv_field(std::string_view text);

}  // namespace toposim::analysis
