#include "analysis/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "analysis/check.hpp"

namespace toposim::analysis {
namespace {

/// Three significant digits: 1.23, 12.3, 123, 1230; what rounds up to the next digit count is shown with it: 9.996 ->
/// 10.0.
std::string three_digits(double value) {
  const double magnitude = std::abs(value);
  const int decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
  return grouped(value, decimals);
}

struct Scale {
  double from, unit;
  const char* name;
};

std::string scaled(double value, std::span<const Scale> scales) {
  const double magnitude = std::abs(value);
  for (const Scale& scale : scales)
    if (magnitude >= scale.from) return fmt::format("{} {}", three_digits(value / scale.unit), scale.name);
  return fmt::format("{} {}", three_digits(value / scales.back().unit), scales.back().name);
}

constexpr std::array<Scale, 8> durations{{{2 * 86400, 86400, "d"},
                                          {2 * 3600, 3600, "h"},
                                          {120, 60, "min"},
                                          {1, 1, "s"},
                                          {1e-3, 1e-3, "ms"},
                                          {1e-6, 1e-6, "us"},
                                          {1e-9, 1e-9, "ns"},
                                          {0, 1, "s"}}};
constexpr std::array<Scale, 7> thousands{{{1e18, 1e18, "E"},
                                          {1e15, 1e15, "P"},
                                          {1e12, 1e12, "T"},
                                          {1e9, 1e9, "G"},
                                          {1e6, 1e6, "M"},
                                          {1e3, 1e3, "k"},
                                          {0, 1, ""}}};

/// Units at the end of a name.
constexpr std::array<std::string_view, 5> suffixes{"_s", "_ns", "_bytes", "_Bps", "_flops"};

std::string_view suffix_of(std::string_view name) {
  for (const std::string_view suffix : suffixes)
    if (name.size() > suffix.size() && name.ends_with(suffix)) return suffix;
  return {};
}

bool is_fraction(std::string_view name) {
  return name == "mfu" || name.ends_with("_ratio") || name.ends_with("_share") || name.ends_with("_deviation");
}

}  // namespace

std::string seconds_text(std::int64_t ns) {
  const auto magnitude = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:09}", ns < 0 ? "-" : "", magnitude / 1000000000, magnitude % 1000000000);
}

std::string number_text(double value) {
  if (!std::isfinite(value)) throw ResultsError(fmt::format("{} cannot be written: not a finite number", value));
  if (value == 0) return "0";  // not "-0"
  return fmt::format("{}", value);
}

std::string human_duration(double seconds) {
  if (seconds == 0) return "0 s";
  return scaled(seconds, durations);
}

std::string human_bytes(double bytes) {
  return scaled(bytes, thousands) + "B";
}

std::string grouped(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  const std::size_t first_digit = text.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > first_digit + 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string number_of(std::int64_t n, std::string_view what) {
  return fmt::format("{} {}{}", grouped(static_cast<double>(n)), what, n == 1 ? "" : "s");
}

std::string figure(double value) {
  const double magnitude = std::abs(value);
  return grouped(value, magnitude < 9.9995 ? 3 : magnitude < 99.995 ? 2 : magnitude < 999.95 ? 1 : 0);
}

std::string words(std::string_view name) {
  std::string text(name.substr(0, name.size() - suffix_of(name).size()));
  std::replace(text.begin(), text.end(), '_', ' ');
  if (name.ends_with("_flops")) text += " FLOPs";
  return text == "mfu" ? "MFU" : text;
}

std::string labelled(std::string_view name, double value) {
  const std::string_view suffix = suffix_of(name);
  std::string text;
  if (suffix == "_s")
    text = human_duration(value);
  else if (suffix == "_ns")
    text = human_duration(value * 1e-9);
  else if (suffix == "_bytes")
    text = human_bytes(value);
  else if (suffix == "_Bps")
    text = human_bytes(value) + "/s";
  else if (suffix == "_flops")
    text = scaled(value, thousands);
  else if (is_fraction(name))
    text = fmt::format("{:.3g} %", value * 100);
  else if (value == std::round(value) && std::abs(value) < 1e15)
    text = grouped(value);
  else
    text = fmt::format("{:.4g}", value);
  return fmt::format("{} {}", words(name), text);
}

int decimals_for(double half_width) {
  if (!(half_width > 0)) return 2;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(half_width))), 1, 5);
}

int few_decimals_for(double half_width) {
  const int decimals = decimals_for(half_width);
  const bool begins_with_one = half_width * std::pow(10, decimals) < 19.5;
  return begins_with_one ? decimals : std::max(decimals - 1, 1);
}

}  // namespace toposim::analysis
