#include <fmt/format.h>

#include <unordered_map>

#include "faults/trace/clock_text.hpp"
#include "faults/trace/error.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/readers.hpp"
#include "faults/trace/xid_actions.hpp"

namespace toposim::faults {
namespace {

TraceClass class_of(XidResponse response) {
  return response == XidResponse::restart_application ? TraceClass::software : TraceClass::hardware;
}

struct LogLine {
  std::int64_t time_ns = 0;
  std::string_view host;  ///< empty: not named
  bool boot_clock = false;
};

class KernelLogReader {
 public:
  explicit KernelLogReader(TraceBuilder& builder) : builder_(builder), year_(builder.policies().year) {}

  void line(std::string_view text, std::uint64_t number) {
    const std::size_t at = text.find("Xid (");
    const bool xid = at != std::string_view::npos && text.substr(0, at).find("NVRM") != std::string_view::npos;
    LogLine read;
    if (!stamp(text, read)) {
      if (!xid) return builder_.leave_out("lines without an XID or a time", number);
      return builder_.problem(number, 1, "no time in front, such as 'Jan 02 03:05:00 host kernel:' or '[  12.345678]'");
    }
    if (any_ && read.boot_clock == builder_.trace().calendar)
      return builder_.problem(number, 1, "seconds since boot and dates in one file; give each a file of its own");
    any_ = true;
    builder_.trace().calendar = !read.boot_clock;
    builder_.see_time(read.time_ns);
    if (!read.host.empty()) builder_.trace().nodes.number_of(read.host);
    if (!xid) return builder_.leave_out("lines without an XID", number);
    fault(text, at, number, read);
  }

  bool guessed_year() const { return guessed_year_; }

 private:
  void fault(std::string_view text, std::size_t at, std::uint64_t number, const LogLine& read) {
    const std::size_t open = at + 5, close = text.find("):", open);
    std::int64_t code = 0;
    const std::string_view rest = close == std::string_view::npos ? "" : trimmed(text.substr(close + 2));
    if (rest.empty() || !parse_whole(rest.substr(0, rest.find_first_not_of("0123456789")), code))
      return builder_.problem(number, at + 1, "expected 'Xid (PCI:0000:3b:00): 79, ...'");
    const std::string_view host = read.host.empty() ? std::string_view(builder_.default_node()) : read.host;
    if (repeats(fmt::format("{} {} {}", host, text.substr(open, close - open), code), read.time_ns))
      return builder_.leave_out(fmt::format("the same GPU and XID within {} s of the one before (--coalesce)",
                                            static_cast<double>(builder_.policies().coalesce_ns) / second_ns),
                                number);
    FaultRow row;
    const auto action = xid_actions().find(code);
    const bool known = action != xid_actions().end();
    if (known && action->second.response == XidResponse::ignore)
      return builder_.leave_out(fmt::format("XID {} needs no action ({})", code, action->second.what), number);
    const std::string cause = known ? fmt::format("XID {} {}", code, action->second.what) : fmt::format("XID {}", code);
    row.line = number;
    row.start_ns = read.time_ns;
    row.ending = Ending::point;
    row.node = host;
    row.component = "GPU";
    row.cause = cause;
    if (known) row.fault_class = class_of(action->second.response);
    builder_.add(row);
  }

  /// A window that slides: a burst is one fault however long it is.
  bool repeats(const std::string& key, std::int64_t time_ns) {
    const auto [last, fresh] = last_.try_emplace(key, time_ns);
    if (last_.size() > Names::names_max)
      throw TraceError(fmt::format("more than {} different GPUs and XIDs; split the log", Names::names_max));
    const bool repeated = !fresh && time_ns - last->second <= builder_.policies().coalesce_ns;
    last->second = time_ns;
    return repeated;
  }

  bool stamp(std::string_view text, LogLine& read) {
    if (text.starts_with('[')) return bracket(text, read);
    const std::int64_t offset_s = builder_.policies().utc_offset_s;
    if (const std::string_view time = text.substr(0, text.find(' ')); parse_iso(time, offset_s, read.time_ns)) {
      read.host = host_of(text.substr(time.size()));
      return true;
    }
    if (text.size() < 16) return false;
    int month = 0;
    if (!parse_syslog(text.substr(0, 15), year_, offset_s, read.time_ns, month)) return false;
    guessed_year_ = true;
    // Dates without a year go back by half a year or more only where a new one begins.
    if (month_ - month >= 6) {
      ++year_;
      parse_syslog(text.substr(0, 15), year_, offset_s, read.time_ns, month);
    }
    month_ = month;
    read.host = host_of(text.substr(15));
    return true;
  }

  /// "[12345.678901] " since boot, or "[Fri Jan  2 03:05:00 2026] " of dmesg -T.
  bool bracket(std::string_view text, LogLine& read) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view inside = trimmed(text.substr(1, close - 1));
    read.boot_clock = parse_units(inside, second_ns, read.time_ns);
    if (read.boot_clock) return true;
    std::int64_t year = 0;
    int month = 0;
    return inside.size() == 24 && parse_whole(inside.substr(20), year) && year > 1900 && year < 2250 &&
           parse_syslog(inside.substr(4, 15), static_cast<int>(year), builder_.policies().utc_offset_s, read.time_ns,
                        month);
  }

  static std::string_view host_of(std::string_view text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find(' '));
    return word.ends_with(':') ? std::string_view() : word;  // "NVRM:" or "kernel:", where no host is written
  }

  TraceBuilder& builder_;
  int year_, month_ = 0;
  bool any_ = false, guessed_year_ = false;
  std::unordered_map<std::string, std::int64_t> last_;  // never walked: its order reaches nothing
};

}  // namespace

void read_kernel_log(TextSource& text, TraceBuilder& builder) {
  KernelLogReader reader(builder);
  std::string_view line;
  while (text.next_line(line)) {
    if (trimmed(line).empty()) continue;
    builder.count_row();
    reader.line(line, text.line_number());
  }
  if (reader.guessed_year())
    builder.note(fmt::format("dates without a year: the first is taken to be of {} (--year)", builder.policies().year));
  builder.note("an XID tells when a GPU failed, nothing of the repair");
}

}  // namespace toposim::faults
