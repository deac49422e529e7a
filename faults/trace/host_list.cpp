#include "faults/trace/host_list.hpp"

#include <fmt/format.h>

#include <charconv>

namespace toposim::faults {
namespace {

bool digits_only(std::string_view text) {
  return !text.empty() && text.size() <= 9 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::uint64_t number(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// The names that one part stands for: all that were there, each with what is in the brackets behind it.
bool expand_brackets(std::string_view inside, const std::vector<std::string>& heads, std::vector<std::string>& out,
                     std::string& why) {
  for (std::size_t from = 0; from <= inside.size();) {
    const std::size_t to = std::min(inside.find(',', from), inside.size());
    const std::string_view range = inside.substr(from, to - from);
    from = to + 1;
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    if (!digits_only(low) || !digits_only(high) || number(high) < number(low)) {
      why = fmt::format("'{}' in brackets is no range such as 001-003", range.substr(0, 40));
      return false;
    }
    const std::uint64_t count = number(high) - number(low) + 1;
    if (count > host_list_max || out.size() + heads.size() * count > host_list_max) {
      why = fmt::format("more than {} hosts", host_list_max);
      return false;
    }
    for (const std::string& head : heads)
      for (std::uint64_t n = number(low); n <= number(high); ++n)
        out.push_back(fmt::format("{}{:0{}}", head, n, low.size()));
  }
  return true;
}

/// One name with any number of brackets in it.
bool expand_one(std::string_view text, std::vector<std::string>& hosts, std::string& why) {
  std::vector<std::string> names{""};
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('['), text.size());
    for (std::string& name : names) name += text.substr(0, open);
    text.remove_prefix(open);
    if (text.empty()) break;
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) {
      why = "a bracket that is not closed";
      return false;
    }
    std::vector<std::string> longer;
    if (!expand_brackets(text.substr(1, close - 1), names, longer, why)) return false;
    names = std::move(longer);
    text.remove_prefix(close + 1);
  }
  for (std::string& name : names)
    if (!name.empty()) hosts.push_back(std::move(name));
  return true;
}

}  // namespace

bool expand_host_list(std::string_view text, std::vector<std::string>& hosts, std::string& why) {
  hosts.clear();
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    if (!expand_one(text.substr(from, i - from), hosts, why)) return false;
    from = i + 1;
    if (hosts.size() > host_list_max) {
      why = fmt::format("more than {} hosts", host_list_max);
      return false;
    }
  }
  return true;
}

}  // namespace toposim::faults
