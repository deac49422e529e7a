#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace toposim::faults {

enum class XidResponse : std::uint8_t {
  restart_application,
  reset_gpu,
  restart_node,
  follow_workflow,
  check_hardware,
  ignore
};

struct XidAction {
  XidResponse response = XidResponse::ignore;
  std::string what;  ///< "GPU fell off the bus"
};

/// By code; the data of xid_actions.csv.
const std::map<std::int64_t, XidAction>& xid_actions();

/// Of such a table; throws TraceError with the line for a row that is not code,action,what.
std::map<std::int64_t, XidAction> parse_xid_actions(std::string_view csv);

}  // namespace toposim::faults
