#pragma once
// Rows cut into fields, and numbers in them; independent of the locale.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toposim::faults {

struct Field {
  std::string_view text;
  std::uint64_t column = 0;  ///< from 1, in bytes
};

std::string_view trimmed(std::string_view text);

/// At each separator; blanks around fields are not part of them.
void split(std::string_view line, char separator, std::vector<Field>& fields);
/// At runs of blanks and tabs.
void split_blanks(std::string_view line, std::vector<Field>& fields);
/// As RFC 4180 has it, but for fields that run over lines. `unquoted` holds the text of fields with doubled quotes
/// until the next call. Returns what is wrong, or nothing.
std::string split_csv(std::string_view line, std::vector<Field>& fields, std::string& unquoted);

bool parse_whole(std::string_view text, std::int64_t& value);

/// Times beyond this, 145 years, are refused, so that two of them can be subtracted in 64 bits.
inline constexpr std::int64_t time_ns_max = 4'600'000'000'000'000'000;

/// A decimal number of units, in nanoseconds, rounded once: "8.6112" days. False for what is none, or too large.
bool parse_units(std::string_view text, std::int64_t unit_ns, std::int64_t& ns);

inline constexpr std::int64_t second_ns = 1'000'000'000, day_ns = 86400 * second_ns;

/// What a file says, for a message: in quotes, control characters as '?', cut at 40 bytes.
std::string in_quotes(std::string_view text);

}  // namespace toposim::faults
