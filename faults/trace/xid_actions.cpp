#include "faults/trace/xid_actions.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "faults/trace/error.hpp"
#include "faults/trace/fields.hpp"

namespace toposim::faults {

extern const char* const xid_actions_csv;

namespace {

constexpr std::pair<std::string_view, XidResponse> responses[] = {
    {"restart_application", XidResponse::restart_application},
    {"reset_gpu", XidResponse::reset_gpu},
    {"restart_node", XidResponse::restart_node},
    {"follow_workflow", XidResponse::follow_workflow},
    {"check_hardware", XidResponse::check_hardware},
    {"ignore", XidResponse::ignore}};

}  // namespace

std::map<std::int64_t, XidAction> parse_xid_actions(std::string_view csv) {
  std::map<std::int64_t, XidAction> actions;
  std::vector<Field> fields;
  for (std::size_t line = 1; !csv.empty(); ++line) {
    const std::string_view text = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(text.size() + 1, csv.size()));
    if (text.empty() || text.front() == '#' || text == "code,action,what") continue;
    split(text, ',', fields);
    std::int64_t code = 0;
    const XidResponse* response = nullptr;
    if (fields.size() == 3)
      for (const auto& [word, one] : responses)
        if (fields[1].text == word) response = &one;
    if (response == nullptr || !parse_whole(fields[0].text, code) ||
        !actions.try_emplace(code, XidAction{*response, std::string(fields[2].text)}).second)
      throw TraceError(
          fmt::format("xid_actions.csv:{}: expected a code of its own, an action and what it means, got {}", line,
                      in_quotes(text)));
  }
  return actions;
}

const std::map<std::int64_t, XidAction>& xid_actions() {
  static const auto actions = parse_xid_actions(xid_actions_csv);
  return actions;
}

}  // namespace toposim::faults
