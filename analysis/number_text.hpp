#pragma once
// Numbers as text, for files (exact, the same in every locale) and for people (few digits, a fitting unit).
#include <cstdint>
#include <string>
#include <string_view>

namespace toposim::analysis {

/// Seconds with exactly 9 decimals, from integer nanoseconds, no floating point between: -1 -> "-0.000000001".
std::string seconds_text(std::int64_t ns);

/// The shortest text that reads back as the same double. Throws ResultsError for NaN and infinities.
std::string number_text(double value);

/// "350 us", "12.4 s", "38.0 min", "3.14 h", "54.0 d": three digits; from 120 s in minutes,
/// from 2 h in hours, from 2 d in days.
std::string human_duration(double seconds);

/// "61.2 GB", powers of 1000.
std::string human_bytes(double bytes);

/// "2,048"; rounded to `decimals`.
std::string grouped(double value, int decimals = 0);

/// "1 seed", "1,200 draws".
std::string number_of(std::int64_t n, std::string_view what);

/// For a column of figures: three decimals below 10, fewer above: "0.985", "12.34", "973.0", "1,024".
std::string figure(double value);

/// A named value in words: ("checkpoint_interval_s", 738) -> "checkpoint interval 12.3 min", ("mfu", 0.4) -> "MFU 40
/// %". The unit is read off the end of the name as results.hpp says.
std::string labelled(std::string_view name, double value);

/// The name in words, without its unit: "data_parallel_s" -> "data parallel".
std::string words(std::string_view name);

/// Decimals that show two digits of the uncertainty `half_width`, between 1 and 5; 2 where it is zero.
int decimals_for(double half_width);

/// The same with one digit, two where it begins with a 1 (0.3, 0.13): for tables.
int few_decimals_for(double half_width);

}  // namespace toposim::analysis
