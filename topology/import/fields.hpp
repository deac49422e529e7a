#pragma once
// Reading along a line: each call takes what it names from the front, or leaves the line as it was and says no.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace toposim::topology {

class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string_view rest() const { return rest_; }
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) return false;
    rest_.remove_prefix(literal.size());
    return true;
  }
  template <class T>
  bool number(T& out, int base = 10) {
    return took(std::from_chars(rest_.data(), rest_.data() + rest_.size(), out, base));
  }
  bool number(double& out) { return took(std::from_chars(rest_.data(), rest_.data() + rest_.size(), out)); }
  /// Up to the character, which is taken too.
  bool until(char stop, std::string_view& out) {
    const std::size_t at = rest_.find(stop);
    if (at == std::string_view::npos) return false;
    out = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return true;
  }
  /// Up to a blank or the end.
  std::string_view word() {
    const std::string_view taken = rest_.substr(0, std::min(rest_.find_first_of(" \t"), rest_.size()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

 private:
  bool took(std::from_chars_result result) {
    if (result.ec != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(result.ptr - rest_.data()));
    return true;
  }

  std::string_view rest_;
};

}  // namespace toposim::topology
