#include "sim/scenario/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace toposim::sim {

Section::Section(const YamlNode* node, std::string path, const Mark& at, Problems& problems)
    : node_(node), path_(std::move(path)), at_(at), problems_(&problems) {}

const YamlEntry* Section::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return node_ == nullptr ? nullptr : node_->find(key);
}

Mark Section::mark_of(std::string_view key) const {
  const YamlEntry* entry = node_ == nullptr ? nullptr : node_->find(key);
  return entry == nullptr ? at_ : entry->value.mark;
}

void Section::complain(std::string_view key, std::string message) {
  problems_->add(mark_of(key), fmt::format("{}: {}", path_of(key), message));
}

bool Section::in_range(double value, std::string_view key, const Range& range, std::string_view got,
                       const Dimension* dimension) {
  if ((range.above ? value > range.least : value >= range.least) && value <= range.most) return true;
  const auto write = [&](double x) {
    return dimension != nullptr ? write_quantity(x, *dimension) : fmt::format("{:.15g}", x);
  };
  const std::string least = range.least == 0 && range.above ? "more than 0"
                            : range.above                   ? "more than " + write(range.least)
                                                            : "at least " + write(range.least);
  const std::string bounds = std::isinf(range.most)    ? least
                             : std::isinf(range.least) ? "at most " + write(range.most)
                                                       : least + " and at most " + write(range.most);
  complain(key, fmt::format("has to be {}, got {}", bounds, got));
  return false;
}

bool Section::whole(std::int64_t& out, std::string_view key, std::int64_t least, std::int64_t most) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto parsed = parse_whole(entry->value);
  if (!parsed.ok()) {
    complain(key, parsed.why_not);
    return false;
  }
  if (parsed.value < least || parsed.value > most) {
    const std::string bounds = parsed.value < least && most == std::numeric_limits<std::int64_t>::max()
                                   ? fmt::format("at least {}", least)
                                   : fmt::format("from {} to {}", least, most);
    complain(key, fmt::format("has to be {}, got {}", bounds, parsed.value));
    return false;
  }
  out = parsed.value;
  return true;
}

bool Section::number(double& out, std::string_view key, const Range& range) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto parsed = parse_number(entry->value);
  if (!parsed.ok()) complain(key, parsed.why_not);
  if (!parsed.ok() || !in_range(parsed.value, key, range, entry->value.text, nullptr)) return false;
  out = parsed.value;
  return true;
}

bool Section::share(double& out, std::string_view key, const Range& range) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto parsed = parse_share(entry->value);
  if (!parsed.ok()) complain(key, parsed.why_not);
  if (!parsed.ok() || !in_range(parsed.value, key, range, entry->value.text, nullptr)) return false;
  out = parsed.value;
  return true;
}

bool Section::quantity(double& out, std::string_view key, Dimension dimension, const Range& range) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto parsed = parse_quantity(entry->value, dimension);
  if (!parsed.ok()) complain(key, parsed.why_not);
  if (!parsed.ok() || !in_range(parsed.value, key, range, entry->value.text, &dimension)) return false;
  out = parsed.value;
  return true;
}

bool Section::flag(bool& out, std::string_view key) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const auto parsed = parse_flag(entry->value);
  if (!parsed.ok()) {
    complain(key, parsed.why_not);
    return false;
  }
  out = parsed.value;
  return true;
}

bool Section::text(std::string& out, std::string_view key) {
  const YamlEntry* entry = find(key);
  if (entry == nullptr) return false;
  const YamlNode& value = entry->value;
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  };
  std::string got;
  if (value.kind != YamlNode::Kind::scalar)
    got = describe(value);
  else if (value.text.find_first_not_of(" \n\t") == std::string::npos)
    got = "only blanks";
  else if (std::any_of(value.text.begin(), value.text.end(), is_control))
    got = "control characters in it";
  if (!got.empty()) {
    complain(key, fmt::format("expected text, got {}", got));
    return false;
  }
  out = value.text;
  return true;
}

bool Section::is_word(const YamlNode& node, std::string_view word) {
  return node.kind == YamlNode::Kind::scalar && node.text == word;
}

void Section::wrong_word(const YamlEntry& entry, const std::vector<std::string>& names) {
  std::string near;
  if (entry.value.kind == YamlNode::Kind::scalar) near = nearest(entry.value.text, names);
  complain(entry.key, fmt::format("expected {}, got {}{}", list_words(names), describe(entry.value),
                                  near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

Section Section::section(std::string_view key) {
  const YamlEntry* entry = find(key);
  if (entry != nullptr && entry->value.kind != YamlNode::Kind::map) {
    complain(key, fmt::format("expected a mapping (key: value), got {}", describe(entry->value)));
    entry = nullptr;
  }
  return Section(entry == nullptr ? nullptr : &entry->value, path_of(key), entry == nullptr ? at_ : entry->mark,
                 *problems_);
}

void Section::require(std::initializer_list<std::pair<std::string_view, std::string_view>> keys) {
  if (node_ == nullptr) return;
  for (const auto& [key, meaning] : keys) {
    if (find(key) != nullptr) continue;
    problems_->add(at_, fmt::format("missing key '{}'{}: {}", key, path_.empty() ? "" : " in " + path_, meaning));
  }
}

void Section::refuse(std::initializer_list<std::string_view> keys, std::string_view reason) {
  for (const std::string_view key : keys) {
    refused_.emplace(key);
    const YamlEntry* entry = node_ == nullptr ? nullptr : node_->find(key);
    if (entry != nullptr) problems_->add(entry->mark, fmt::format("{}: {}", path_of(key), reason));
  }
}

void Section::finish() {
  if (node_ == nullptr) return;
  for (const YamlEntry& entry : node_->entries) {
    const bool asked = std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end();
    if (asked || refused_.contains(entry.key)) continue;
    problems_->add(entry.mark, fmt::format("unknown key {}{}{}", in_quotes(entry.key),
                                           path_.empty() ? "" : " in " + path_, did_you_mean(entry.key, asked_)));
  }
}

}  // namespace toposim::sim
