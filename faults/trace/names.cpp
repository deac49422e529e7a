#include "faults/trace/names.hpp"

#include <fmt/format.h>

#include "faults/trace/error.hpp"

namespace toposim::faults {

std::uint32_t Names::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? size() : found->second;
}

std::uint32_t Names::number_of(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  if (name.size() > bytes_max)
    throw TraceError(fmt::format("a name of {} bytes ('{}...'), the most is {}; is this the right file and format?",
                                 name.size(), name.substr(0, 40), bytes_max));
  if (names_.size() == names_max)
    throw TraceError(
        fmt::format("more than {} different names; is a column of times or texts taken for one of names?", names_max));
  const std::uint32_t number = size();
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), number);
  return number;
}

}  // namespace toposim::faults
