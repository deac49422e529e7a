#pragma once
#include <optional>
#include <string>

#include "faults/trace/policies.hpp"
#include "faults/trace/trace.hpp"

namespace toposim::faults {

/// Reads a trace, plain or gzip, its format told by its content where none is given. Streamed; what stays in memory is
/// a record of 40 bytes per fault and each name once. Throws TraceError.
Trace read_trace(const std::string& path, const ReadPolicies& policies = {},
                 std::optional<TraceFormat> format = std::nullopt);

}  // namespace toposim::faults
