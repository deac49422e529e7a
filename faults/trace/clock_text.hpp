#pragma once
// Dates as logs write them, in nanoseconds since 1970 (UTC); years 1830 to 2110.
#include <cstdint>
#include <string_view>

namespace toposim::faults {

/// 2026-01-02T03:04:05, or with a blank for the T; seconds and their fraction may be left out; Z or +01:00 (+0100) at
/// the end, else `utc_offset_s` holds.
bool parse_iso(std::string_view text, std::int64_t utc_offset_s, std::int64_t& ns);

/// 6/21/2005 10:54, month first.
bool parse_us(std::string_view text, std::int64_t utc_offset_s, std::int64_t& ns);

/// "Jan 02 03:05:00", and the month it names (1 to 12): the year is the caller's.
bool parse_syslog(std::string_view text, int year, std::int64_t utc_offset_s, std::int64_t& ns, int& month);

/// +01:00, -0700 or Z, in seconds.
bool parse_utc_offset(std::string_view text, std::int64_t& offset_s);

}  // namespace toposim::faults
