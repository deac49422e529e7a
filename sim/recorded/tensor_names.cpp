#include "sim/recorded/tensor_names.hpp"

#include <algorithm>

namespace toposim::recorded {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes a run of digits off the front of `text`, leading zeros left out.
std::string_view take_number(std::string_view& text) {
  const std::size_t end =
      std::min(text.size(), static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin()));
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

// -1, 0, 1 for two parts without dots; 0 also where they differ in leading zeros only.
int compare_parts(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view x = take_number(a), y = take_number(b);
      if (x.size() != y.size()) return x.size() < y.size() ? -1 : 1;
      if (const int order = x.compare(y); order != 0) return order;
    } else if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front()) ? -1 : 1;
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

std::string_view take_part(std::string_view& name) {
  const std::size_t end = std::min(name.find('.'), name.size());
  const std::string_view part = name.substr(0, end);
  name.remove_prefix(std::min(end + 1, name.size()));
  return part;
}

}  // namespace

bool name_before(std::string_view a, std::string_view b) {
  std::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    const std::string_view x = take_part(left), y = take_part(right);
    if (const int order = compare_parts(x, y); order != 0) return order < 0;
    if (x != y) return x < y;
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

std::string_view first_parts(std::string_view name, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    end = name.find('.', i == 0 ? 0 : end + 1);
    if (end == std::string_view::npos) return name;
  }
  return name.substr(0, end);
}

bool matches(std::string_view pattern, std::string_view name) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t p = 0, n = 0, star = none, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != none) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == none;
}

}  // namespace toposim::recorded
