#include "sim/recorded/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace toposim::recorded {

void Problems::add(std::string message) {
  if (std::ranges::find(told_, message) != told_.end()) return;
  if (++count_ <= told_max) told_.push_back(std::move(message));
}

void Problems::throw_any() const {
  if (told_.empty()) return;
  std::string text = fmt::format("{}", fmt::join(told_, "\n"));
  if (full()) text += fmt::format("\nno more than {} problems are told; there may be others", told_max);
  throw RecordedError(text);
}

std::string shown(std::string_view text) {
  constexpr std::size_t bytes_max = 120;
  std::string result(text.substr(0, bytes_max));
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  }
  if (text.size() > bytes_max) result += "...";
  return result;
}

}  // namespace toposim::recorded
