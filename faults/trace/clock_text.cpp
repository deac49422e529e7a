#include "faults/trace/clock_text.hpp"

#include <array>
#include <charconv>
#include <chrono>

#include "faults/trace/fields.hpp"

namespace toposim::faults {
namespace {

/// Reads a text from the left; every step says whether it was there.
class Reading {
 public:
  explicit Reading(std::string_view text) : rest_(text) {}

  bool number(int& value, std::size_t least_digits, std::size_t most_digits) {
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < most_digits && rest_[digits] >= '0' && rest_[digits] <= '9') ++digits;
    if (digits < least_digits) return false;
    std::from_chars(rest_.data(), rest_.data() + digits, value);
    rest_.remove_prefix(digits);
    return true;
  }
  bool one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool done() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

  /// .25 in nanoseconds, digits beyond the ninth cut.
  bool fraction(std::int64_t& ns) {
    if (!one_of(".,")) return true;
    std::size_t digits = 0;
    for (std::int64_t unit = second_ns / 10; digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9';
         ++digits, unit /= 10)
      ns += (rest_[digits] - '0') * unit;
    rest_.remove_prefix(digits);
    return digits > 0;
  }

 private:
  std::string_view rest_;
};

struct Clock {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::int64_t fraction_ns = 0;
};

bool to_ns(const Clock& c, std::int64_t utc_offset_s, std::int64_t& ns) {
  using namespace std::chrono;
  const year_month_day date{year(c.year), month(static_cast<unsigned>(c.month)), day(static_cast<unsigned>(c.day))};
  // Within time_ns_max of 1970.
  if (!date.ok() || c.year < 1830 || c.year > 2110 || c.hour > 23 || c.minute > 59 || c.second > 60) return false;
  const std::int64_t days = sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = days * 86400 + c.hour * 3600 + c.minute * 60 + c.second - utc_offset_s;
  ns = seconds * second_ns + c.fraction_ns;
  return true;
}

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool read_time(Reading& in, Clock& c) {
  if (!in.number(c.hour, 1, 2) || !in.one_of(":") || !in.number(c.minute, 2, 2)) return false;
  if (!in.one_of(":")) return true;
  return in.number(c.second, 2, 2) && in.fraction(c.fraction_ns);
}

}  // namespace

bool parse_utc_offset(std::string_view text, std::int64_t& offset_s) {
  if (text == "Z" || text == "z") {
    offset_s = 0;
    return true;
  }
  Reading in(text);
  const bool west = text.starts_with('-');
  int hours = 0, minutes = 0;
  if (!in.one_of("+-") || !in.number(hours, 2, 2)) return false;
  if (!in.done()) {
    in.one_of(":");
    if (!in.number(minutes, 2, 2) || !in.done()) return false;
  }
  if (hours > 14 || minutes > 59) return false;
  offset_s = (hours * 3600 + minutes * 60) * (west ? -1 : 1);
  return true;
}

bool parse_iso(std::string_view text, std::int64_t utc_offset_s, std::int64_t& ns) {
  Reading in(text);
  Clock c;
  if (!in.number(c.year, 4, 4) || !in.one_of("-") || !in.number(c.month, 2, 2) || !in.one_of("-") ||
      !in.number(c.day, 2, 2))
    return false;
  if (!in.done() && (!in.one_of("T ") || !read_time(in, c))) return false;
  if (!in.done() && !parse_utc_offset(in.rest(), utc_offset_s)) return false;
  return to_ns(c, utc_offset_s, ns);
}

bool parse_us(std::string_view text, std::int64_t utc_offset_s, std::int64_t& ns) {
  Reading in(text);
  Clock c;
  return in.number(c.month, 1, 2) && in.one_of("/") && in.number(c.day, 1, 2) && in.one_of("/") &&
         in.number(c.year, 4, 4) && in.one_of(" ") && read_time(in, c) && in.done() && to_ns(c, utc_offset_s, ns);
}

bool parse_syslog(std::string_view text, int year, std::int64_t utc_offset_s, std::int64_t& ns, int& month) {
  Reading in(text);
  Clock c;
  c.year = year;
  for (std::size_t i = 0; i < months.size(); ++i)
    if (in.word(months[i])) c.month = static_cast<int>(i) + 1;
  month = c.month;
  if (c.month == 0 || !in.one_of(" ")) return false;
  in.one_of(" ");
  return in.number(c.day, 1, 2) && in.one_of(" ") && read_time(in, c) && in.done() && to_ns(c, utc_offset_s, ns);
}

}  // namespace toposim::faults
