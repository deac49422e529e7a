#include "faults/trace/heading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faults/trace/error.hpp"

namespace toposim::faults {

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

Heading::Heading(const std::string& file, const std::vector<Field>& names,
                 std::initializer_list<std::string_view> required) {
  std::string missing;
  for (const Field& name : names) {
    names_.push_back(lower_case(name.text));
    if (!name.text.empty() && std::count(names_.begin(), names_.end(), names_.back()) > 1)
      throw TraceError(fmt::format("{}:1:{}: column {} is there twice; give each its own name", file, name.column,
                                   in_quotes(name.text)));
  }
  for (const std::string_view name : required)
    if (find(name) == absent) missing += fmt::format("{}'{}'", missing.empty() ? "" : ", ", name);
  if (!missing.empty())
    throw TraceError(fmt::format("{}:1: no column {}; the first line names the columns", file, missing));
}

std::size_t Heading::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? absent : static_cast<std::size_t>(found - names_.begin());
}

}  // namespace toposim::faults
