#pragma once
// Numbers and quantities as users write them, independent of the locale (std::from_chars).
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/yaml_tree.hpp"

namespace toposim::sim {

/// What a quantity measures, hence its units: time (s), bandwidth (bytes/s; sold in bits and in bytes), size (bytes),
/// compute (FLOP/s).
enum class Dimension : std::uint8_t { time, bandwidth, size, compute };

/// A value, or why there is none: the part of a message that follows "key: ".
template <class T>
struct Parsed {
  T value{};
  std::string why_not;
  bool ok() const { return why_not.empty(); }
};

/// Decimal digits with a sign. Says what is wrong with 010, 0x1F, 1_000, 3.5, 1e3, yes, .nan, "8" and the like.
Parsed<std::int64_t> parse_whole(const YamlNode& node);
/// A finite decimal number, 2.5 or 1e-3.
Parsed<double> parse_number(const YamlNode& node);
/// 15% or 0.15.
Parsed<double> parse_share(const YamlNode& node);
/// A number and a unit: 400Gbps, 1.5 us, 54d. In SI base units.
Parsed<double> parse_quantity(const YamlNode& node, Dimension dimension);
/// true or false.
Parsed<bool> parse_flag(const YamlNode& node);

/// "a time with its unit (ns, us, ms, s, min, h or d), such as 30min"
std::string expected_quantity(Dimension dimension);
/// A quantity as a user would write it, at most four significant digits: 90s, 1.5us, 400Gbps.
std::string write_quantity(double value, Dimension dimension);

}  // namespace toposim::sim
