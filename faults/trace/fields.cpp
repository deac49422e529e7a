#include "faults/trace/fields.hpp"

#include <charconv>
#include <cmath>

namespace toposim::faults {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

void split(std::string_view line, char separator, std::vector<Field>& fields) {
  fields.clear();
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(separator, from), line.size());
    const std::string_view text = trimmed(line.substr(from, to - from));
    fields.push_back({text, (text.empty() ? from : static_cast<std::size_t>(text.data() - line.data())) + 1});
    from = to + 1;
  }
}

void split_blanks(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  for (std::size_t at = 0; at < line.size();) {
    if (blank(line[at])) {
      ++at;
      continue;
    }
    const std::size_t from = at;
    while (at < line.size() && !blank(line[at])) ++at;
    fields.push_back({line.substr(from, at - from), from + 1});
  }
}

std::string split_csv(std::string_view line, std::vector<Field>& fields, std::string& unquoted) {
  if (line.find('"') == std::string_view::npos) {
    split(line, ',', fields);
    return {};
  }
  fields.clear();
  unquoted.clear();
  unquoted.reserve(line.size());  // views into it stay
  for (std::size_t from = 0; from <= line.size();) {
    std::size_t at = from;
    while (at < line.size() && blank(line[at])) ++at;
    if (at == line.size() || line[at] != '"') {
      const std::size_t to = std::min(line.find(',', from), line.size());
      fields.push_back({trimmed(line.substr(from, to - from)), at + 1});
      from = to + 1;
      continue;
    }
    const std::size_t column = at + 1, first = unquoted.size();
    for (++at;; ++at) {
      if (at >= line.size()) return "a quote that is not closed on its line";
      if (line[at] == '"' && (at + 1 == line.size() || line[at + 1] != '"')) break;
      if (line[at] == '"') ++at;
      unquoted += line[at];
    }
    fields.push_back({std::string_view(unquoted).substr(first), column});
    for (++at; at < line.size() && blank(line[at]);) ++at;
    if (at < line.size() && line[at] != ',') return "text behind a closing quote; double the quotes inside a field";
    from = at + 1;
  }
  return {};
}

bool parse_whole(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

bool parse_units(std::string_view text, std::int64_t unit_ns, std::int64_t& ns) {
  const char* const last = text.data() + text.size();
  constexpr long double most = time_ns_max;
  std::int64_t whole = 0;
  const auto [point, error] = std::from_chars(text.data(), last, whole);
  if (error == std::errc() && (point == last || *point == '.')) {
    // Digits by digits: a double of days has lost the nanosecond. 18 digits are enough.
    long double value = static_cast<long double>(whole) * static_cast<long double>(unit_ns);
    if (point != last && point + 1 != last) {
      const std::size_t digits = std::min<std::size_t>(18, static_cast<std::size_t>(last - point) - 1);
      std::int64_t part = 0;
      const auto [end, bad] = std::from_chars(point + 1, point + 1 + digits, part);
      if (bad != std::errc() || end != point + 1 + digits || part < 0) return false;
      for (const char* rest = end; rest != last; ++rest)
        if (*rest < '0' || *rest > '9') return false;
      long double scale = 1;
      for (std::size_t i = 0; i < digits; ++i) scale *= 10;
      const long double fraction = static_cast<long double>(part) * static_cast<long double>(unit_ns) / scale;
      value += text.front() == '-' ? -fraction : fraction;
    }
    if (value > most || value < -most) return false;
    ns = std::llround(value);
    return true;
  }
  double number = 0;
  const auto [end, bad] = std::from_chars(text.data(), last, number);
  if (text.empty() || bad != std::errc() || end != last) return false;
  const long double value = static_cast<long double>(number) * static_cast<long double>(unit_ns);
  if (!(value <= most && value >= -most)) return false;
  ns = std::llround(value);
  return true;
}

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text.substr(0, 40)) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return out + (text.size() > 40 ? "...'" : "'");
}

}  // namespace toposim::faults
