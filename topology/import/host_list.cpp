#include "topology/import/host_list.hpp"

#include <fmt/format.h>

#include "topology/error.hpp"
#include "topology/import/fields.hpp"
#include "topology/import/import_error.hpp"

namespace toposim::topology {
namespace {

constexpr std::size_t most_names = 1'000'000;

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw TopologyError(fmt::format("'{}': {}; write host names such as node[0000-0007,12],login1", shown(text), why));
}

/// One host, with at most one pair of brackets.
void expand(std::string_view text, std::string_view host, std::vector<std::string>& names) {
  const std::size_t open = host.find('[');
  if (host.empty()) refuse(text, "an empty host name");
  if (open == std::string_view::npos) {
    if (host.find(']') != std::string_view::npos) refuse(text, "a bracket that is not opened");
    names.emplace_back(host);
    return;
  }
  const std::string_view before = host.substr(0, open);
  Fields f(host.substr(open + 1));
  do {
    const std::size_t digits = std::min(f.rest().find_first_not_of("0123456789"), f.rest().size());
    std::uint64_t first = 0, last = 0;
    if (!f.number(first)) refuse(text, "a range without a number");
    last = first;
    if (f.take("-") && !f.number(last)) refuse(text, "a range without a number");
    if (last < first) refuse(text, "a range that runs backwards");
    if (last - first >= most_names - names.size()) refuse(text, "more than a million names");
    for (std::uint64_t i = first; i <= last; ++i) names.push_back(fmt::format("{}{:0{}}", before, i, digits));
  } while (f.take(","));
  if (!f.take("]")) refuse(text, "a bracket that is not closed");
  if (!f.rest().empty()) refuse(text, "text after a bracket");
}

}  // namespace

std::vector<std::string> expand_host_list(std::string_view text) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && !inside)) {
      expand(text, text.substr(begin, i - begin), names);
      begin = i + 1;
    } else if (text[i] == '[' || text[i] == ']') {
      inside = text[i] == '[';
    }
  }
  return names;
}

}  // namespace toposim::topology
