#pragma once
#include <optional>
#include <string>

#include "faults/fit/goodness.hpp"
#include "faults/fit/sample.hpp"
#include "faults/trace/policies.hpp"
#include "faults/trace/trace.hpp"

namespace toposim::sim {

/// What `toposim faults TRACE` was asked.
struct FaultsLine {
  std::string trace;
  std::optional<faults::TraceFormat> format;  ///< none: told by content
  faults::ReadPolicies policies;
  faults::ZeroGaps zero_gaps = faults::ZeroGaps::leave_out;
  faults::Overlaps overlaps = faults::Overlaps::merge;
  std::int64_t nodes = 0;  ///< 0: as many as the file names
  std::int64_t gpus_per_node = 8;
  std::string from, to;                       ///< of the window: a time since the file's zero, or a date; empty: all
  std::string fault_class, component, cause;  ///< only these; empty: all
  faults::Bootstrap bootstrap;
  std::string model;  ///< file for a scenario's section `faults`; empty: none
};

}  // namespace toposim::sim
