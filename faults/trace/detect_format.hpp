#pragma once
#include <optional>
#include <string_view>

#include "faults/trace/trace.hpp"

namespace toposim::faults {

/// The format of a file by how it begins; none: it looks like none of them.
std::optional<TraceFormat> detect_format(std::string_view head);

/// How each is recognised, for an error.
inline constexpr const char* format_advice =
    "expected a CSV whose first line names start and node, a JSON list (InfiniteHBD), the LANL CSV, an FTA "
    "event_trace.tab, sacct -P, a kernel log with 'NVRM: Xid', or a SimGrid state profile; --format names one";

}  // namespace toposim::faults
