#include "analysis/files/json_text.hpp"

#include <nlohmann/json.hpp>

#include "analysis/number_text.hpp"

namespace toposim::analysis {

std::string JsonText::quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void JsonText::new_line() {
  if (levels_.empty()) return;
  if (levels_.back().layout == Layout::one_line) {
    if (!levels_.back().empty) text_ += ' ';
    return;
  }
  text_ += '\n';
  text_.append(2 * levels_.size(), ' ');
}

void JsonText::separate() {
  if (after_key_ || levels_.empty()) {
    after_key_ = false;
    return;
  }
  if (!levels_.back().empty) text_ += ',';
  new_line();
  levels_.back().empty = false;
}

void JsonText::key(std::string_view name) {
  separate();
  text_ += quoted(name);
  text_ += ": ";
  after_key_ = true;
}

void JsonText::literal(std::string_view token) {
  separate();
  text_ += token;
}

void JsonText::number(double value) {
  literal(number_text(value));
}
void JsonText::seconds(std::int64_t ns) {
  literal(seconds_text(ns));
}

void JsonText::open(char bracket, Layout layout) {
  separate();
  text_ += bracket;
  const bool inside_one_line = !levels_.empty() && levels_.back().layout == Layout::one_line;
  levels_.push_back({inside_one_line ? Layout::one_line : layout});
}

void JsonText::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.empty && level.layout == Layout::lines) {
    text_ += '\n';
    text_.append(2 * levels_.size(), ' ');
  }
  text_ += bracket;
  if (levels_.empty()) text_ += '\n';
}

}  // namespace toposim::analysis
