#include "sim/scenario/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "sim/scenario/did_you_mean.hpp"

namespace toposim::sim {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};
struct Slip {
  std::string_view written, meant;
};

constexpr UnitName time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1},
                                   {"min", 60},  {"h", 3600},  {"d", 86400}};
constexpr UnitName bandwidth_units[] = {{"Mbps", 1e6 / 8}, {"Gbps", 1e9 / 8}, {"Tbps", 1e12 / 8},
                                        {"MB/s", 1e6},     {"GB/s", 1e9},     {"TB/s", 1e12}};
constexpr UnitName size_units[] = {{"B", 1},         {"kB", 1e3},         {"MB", 1e6},
                                   {"GB", 1e9},      {"TB", 1e12},        {"KiB", 1024},
                                   {"MiB", 1 << 20}, {"GiB", 1ull << 30}, {"TiB", 1ull << 40}};
constexpr UnitName compute_units[] = {{"GFLOPS", 1e9}, {"TFLOPS", 1e12}, {"PFLOPS", 1e15}};

constexpr Slip slips[] = {
    {"sec", "s"},          {"secs", "s"},         {"second", "s"},    {"seconds", "s"}, {"m", "min"},
    {"mins", "min"},       {"minute", "min"},     {"minutes", "min"}, {"hr", "h"},      {"hrs", "h"},
    {"hour", "h"},         {"hours", "h"},        {"day", "d"},       {"days", "d"},    {"\xC2\xB5s", "us"},
    {"\xCE\xBCs", "us"},   {"usec", "us"},        {"msec", "ms"},     {"GBps", "GB/s"}, {"MBps", "MB/s"},
    {"TBps", "TB/s"},      {"Gb/s", "Gbps"},      {"Mb/s", "Mbps"},   {"Tb/s", "Tbps"}, {"Gbit/s", "Gbps"},
    {"Gbit", "Gbps"},      {"Tbit/s", "Tbps"},    {"GB", "GB/s"},     {"TB", "TB/s"},   {"MB", "MB/s"},
    {"TFLOP/s", "TFLOPS"}, {"PFLOP/s", "PFLOPS"}, {"TF", "TFLOPS"},   {"PF", "PFLOPS"}, {"bytes", "B"},
    {"G", "GB"},           {"T", "TB"},           {"M", "MB"},        {"KB", "kB"},     {"K", "kB"}};

std::span<const UnitName> units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::time:
      return time_units;
    case Dimension::bandwidth:
      return bandwidth_units;
    case Dimension::size:
      return size_units;
    case Dimension::compute:
      break;
  }
  return compute_units;
}

std::vector<std::string> unit_names(Dimension dimension) {
  std::vector<std::string> names;
  for (const UnitName& unit : units_of(dimension)) names.emplace_back(unit.name);
  return names;
}

/// "; did you mean Gbps?"; nothing where nothing is near.
std::string unit_meant(std::string_view written, Dimension dimension) {
  const auto names = unit_names(dimension);
  const auto is_unit = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const Slip& slip : slips)
    if (slip.written == written && is_unit(slip.meant)) return fmt::format("; did you mean {}?", slip.meant);
  const std::string near = nearest(written, names);
  return near.empty() ? std::string() : fmt::format("; did you mean {}?", near);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return std::string(text);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

/// What is wrong with the way a number is written, whatever kind of number it should be; empty: nothing known.
std::string bad_spelling(std::string_view text) {
  const std::string bare = without_sign(text);
  const std::string low = lower_case(bare);
  if (low == ".nan" || low == "nan") return "it is not a number (NaN)";
  if (low.starts_with(".inf") || low.starts_with("inf")) return "it has to be finite";
  if (low.starts_with("0x") || low.starts_with("0o") || low.starts_with("0b"))
    return fmt::format("{} is not decimal; write it in decimal", in_quotes(text));
  if (bare.size() >= 2 && bare[0] == '0' && is_digit(bare[1])) {
    const std::size_t first = bare.find_first_not_of('0');
    const std::string plain = first == std::string::npos ? "0"
                              : is_digit(bare[first])    ? bare.substr(first)
                                                         : "0" + bare.substr(first);
    return fmt::format("{} looks octal, and YAML readers disagree on what it is; write {}", in_quotes(text), plain);
  }
  if (!bare.empty() && is_digit(bare[0])) {
    for (const char separator : {',', '_', '\''}) {
      const std::size_t at = bare.find(separator);
      if (at == std::string::npos || at + 1 >= bare.size() || !is_digit(bare[at + 1])) continue;
      std::string plain(text);
      plain.erase(std::remove(plain.begin(), plain.end(), separator), plain.end());
      return fmt::format("{} has separators between its digits; write {}", in_quotes(text), plain);
    }
    const std::size_t colon = bare.find(':');
    if (colon != std::string::npos && colon + 1 < bare.size() && is_digit(bare[colon + 1]))
      return fmt::format("{} has a ':' in it, which some YAML readers take for base 60; write it as one number",
                         in_quotes(text));
  }
  return {};
}

struct Number {
  double value = 0;
  std::string_view rest;  ///< what follows it
  std::string why_not;
};

/// The decimal number that a text starts with.
Number leading_number(std::string_view text) {
  if (std::string why = bad_spelling(text); !why.empty()) return {0, text, why};
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Number number;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
  if (error == std::errc::result_out_of_range) {
    const bool small = digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    number.why_not = fmt::format("{} is too {} for a number", in_quotes(text), small ? "small" : "large");
  } else if (error != std::errc() || !std::isfinite(number.value)) {
    number.why_not = "none";
    number.rest = text;
    return number;
  }
  number.rest = std::string_view(end, static_cast<std::size_t>(digits.data() + digits.size() - end));
  return number;
}

/// "expected X, got Y", with a word on how Y is written where that is the trouble.
template <class T>
Parsed<T> unexpected(std::string_view expected, const YamlNode& node, std::string_view remark = {}) {
  Parsed<T> parsed;
  parsed.why_not = remark.empty() ? fmt::format("expected {}, got {}", expected, describe(node))
                                  : fmt::format("expected {}; {}", expected, remark);
  return parsed;
}

bool looks_numeric(std::string_view text) {
  const std::string bare = without_sign(text);
  double ignored = 0;
  const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), ignored);
  return !bare.empty() && (error == std::errc() || error == std::errc::result_out_of_range) &&
         end == bare.data() + bare.size();
}

}  // namespace

Parsed<std::int64_t> parse_whole(const YamlNode& node) {
  constexpr std::string_view expected = "a whole number";
  if (node.kind != YamlNode::Kind::scalar) return unexpected<std::int64_t>(expected, node);
  if (node.quoted && looks_numeric(node.text))
    return unexpected<std::int64_t>(
        expected, node, fmt::format("{} is in quotes, which makes it text; remove them", in_quotes(node.text)));
  if (const std::string why = bad_spelling(node.text); !why.empty())
    return unexpected<std::int64_t>(expected, node, why);
  std::string_view digits = node.text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  Parsed<std::int64_t> parsed;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, parsed.value);
  if (error == std::errc::result_out_of_range && end == last)
    return unexpected<std::int64_t>(expected, node, fmt::format("{} is too large", in_quotes(node.text)));
  if (error == std::errc() && end == last && !node.quoted) return parsed;
  const Number real = leading_number(node.text);
  if (real.why_not.empty() && real.rest.empty() && real.value == std::floor(real.value) && std::abs(real.value) < 1e15)
    return unexpected<std::int64_t>(expected, node,
                                    fmt::format("write {} as {:.0f}", in_quotes(node.text), real.value));
  return unexpected<std::int64_t>(expected, node);
}

Parsed<double> parse_number(const YamlNode& node) {
  constexpr std::string_view expected = "a number";
  if (node.kind != YamlNode::Kind::scalar) return unexpected<double>(expected, node);
  if (node.quoted && looks_numeric(node.text))
    return unexpected<double>(expected, node,
                              fmt::format("{} is in quotes, which makes it text; remove them", in_quotes(node.text)));
  const Number number = leading_number(node.text);
  if (number.why_not == "none") return unexpected<double>(expected, node);
  if (!number.why_not.empty()) return unexpected<double>(expected, node, number.why_not);
  if (number.rest == "%")
    return unexpected<double>(expected, node, fmt::format("{} is a percentage", in_quotes(node.text)));
  if (!number.rest.empty()) return unexpected<double>(expected, node);
  return {number.value, {}};
}

Parsed<double> parse_share(const YamlNode& node) {
  constexpr std::string_view expected = "a share, such as 15% or 0.15";
  if (node.kind != YamlNode::Kind::scalar) return unexpected<double>(expected, node);
  if (node.quoted && looks_numeric(node.text))
    return unexpected<double>(expected, node,
                              fmt::format("{} is in quotes, which makes it text; remove them", in_quotes(node.text)));
  const Number number = leading_number(node.text);
  if (number.why_not == "none") return unexpected<double>(expected, node);
  if (!number.why_not.empty()) return unexpected<double>(expected, node, number.why_not);
  if (number.rest == "%" || number.rest == " %") return {number.value / 100, {}};
  if (!number.rest.empty()) return unexpected<double>(expected, node);
  if (number.value > 1 && number.value <= 100)
    return unexpected<double>(
        expected, node, fmt::format("{} is above 1; write {}% if that is meant", in_quotes(node.text), node.text));
  return {number.value, {}};
}

Parsed<double> parse_quantity(const YamlNode& node, Dimension dimension) {
  const std::string expected = expected_quantity(dimension);
  if (node.kind != YamlNode::Kind::scalar) return unexpected<double>(expected, node);
  const Number number = leading_number(node.text);
  if (number.why_not == "none") return unexpected<double>(expected, node);
  if (!number.why_not.empty()) return unexpected<double>(expected, node, number.why_not);
  std::string_view unit = number.rest;
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty()) return unexpected<double>(expected, node, fmt::format("{} has no unit", in_quotes(node.text)));
  for (const UnitName& known : units_of(dimension))
    if (known.name == unit) {
      const double value = number.value * known.factor;
      if (!std::isfinite(value))
        return unexpected<double>(expected, node, fmt::format("{} is too large", in_quotes(node.text)));
      return {value, {}};
    }
  return unexpected<double>(expected, node,
                            fmt::format("{} is not such a unit{}", in_quotes(unit), unit_meant(unit, dimension)));
}

Parsed<bool> parse_flag(const YamlNode& node) {
  constexpr std::string_view expected = "true or false";
  if (node.kind == YamlNode::Kind::scalar && !node.quoted) {
    if (node.text == "true") return {true, {}};
    if (node.text == "false") return {false, {}};
  }
  return unexpected<bool>(expected, node);
}

std::string expected_quantity(Dimension dimension) {
  const std::string units = list_words(unit_names(dimension));
  switch (dimension) {
    case Dimension::time:
      return fmt::format("a time with its unit ({}), such as 30min", units);
    case Dimension::bandwidth:
      return fmt::format("a bandwidth with its unit ({}), such as 400Gbps", units);
    case Dimension::size:
      return fmt::format("a size with its unit ({}), such as 80GB", units);
    case Dimension::compute:
      break;
  }
  return fmt::format("a compute rate with its unit ({}), such as 989TFLOPS", units);
}

std::string write_quantity(double value, Dimension dimension) {
  const auto units = units_of(dimension);
  if (value == 0) return fmt::format("0{}", dimension == Dimension::time ? "s" : units.front().name);
  // The largest unit that leaves a number of at least one; decimal bytes, not bits or binary multiples.
  const UnitName* best = nullptr;
  for (const UnitName& unit : units) {
    if (unit.name.find("iB") != std::string_view::npos || unit.name.find("bps") != std::string_view::npos) continue;
    if (best == nullptr || (std::abs(value) >= unit.factor && unit.factor > best->factor)) best = &unit;
  }
  const double number = value / best->factor;
  return std::abs(number) >= 1000 ? fmt::format("{:.0f}{}", number, best->name)
                                  : fmt::format("{:.4g}{}", number, best->name);
}

}  // namespace toposim::sim
