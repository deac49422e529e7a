#pragma once
// Writes JSON token by token, because durations have to come out with 9 decimals and a tree of doubles cannot hold
// them; strings are escaped by nlohmann-json (what is not UTF-8 becomes U+FFFD).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::analysis {

class JsonText {
 public:
  enum class Layout : std::uint8_t { lines, one_line };

  void begin_object(Layout layout = Layout::lines) { open('{', layout); }
  void end_object() { close('}'); }
  void begin_array(Layout layout = Layout::lines) { open('[', layout); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void text(std::string_view value) { literal(quoted(value)); }
  void integer(std::int64_t value) { literal(std::to_string(value)); }
  void integer(std::uint64_t value) { literal(std::to_string(value)); }
  void number(double value);      ///< shortest that reads back the same
  void seconds(std::int64_t ns);  ///< 9 decimals
  void boolean(bool value) { literal(value ? "true" : "false"); }
  void null() { literal("null"); }

  const std::string& str() const { return text_; }

 private:
  struct Level {
    Layout layout;
    bool empty = true;
  };
  static std::string quoted(std::string_view text);
  void literal(std::string_view token);
  void open(char bracket, Layout layout);
  void close(char bracket);
  void separate();
  void new_line();

  std::string text_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace toposim::analysis
