#include <fmt/format.h>

#include <unordered_map>

#include "faults/trace/error.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/heading.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

struct LastUp {
  std::int64_t stop_ns = 0;
  std::string reason;
};

class FtaReader {
 public:
  FtaReader(const Heading& heading, TraceBuilder& builder)
      : builder_(builder),
        columns_(heading.size()),
        component_(heading.find("component_id")),
        node_(heading.find("node_id")),
        platform_(heading.find("platform_id")),
        type_(heading.find("event_type")),
        start_(heading.find("event_start_time")),
        stop_(heading.find("event_stop_time")),
        reason_(heading.find("event_end_reason")) {}

  void row(const std::vector<Field>& fields, std::uint64_t line) {
    // The reason may be missing at the end of a line.
    if (fields.size() < columns_ - (reason_ + 1 == columns_ ? 1 : 0) || fields.size() > columns_)
      return builder_.problem(line, 0, fmt::format("{} fields, the first line names {}", fields.size(), columns_));
    FaultRow row;
    row.line = line;
    const Field& type = fields[type_];
    if (type.text != "0" && type.text != "1")
      return builder_.problem(line, type.column,
                              fmt::format("event_type is 0 (down) or 1 (up), got {}", in_quotes(type.text)));
    if (!time(fields[start_], line, row.start_ns)) return;
    if (fields[stop_].text == "NULL")
      row.ending = Ending::open;
    else if (!time(fields[stop_], line, row.end_ns))
      return;
    const std::string node = fmt::format("{}/{}", fields[platform_].text, fields[node_].text);
    const std::string component = fmt::format("component {}", fields[component_].text);
    const std::string key = node + ' ' + component;
    if (type.text == "1") return up(key, node, row, reason_ < fields.size() ? fields[reason_].text : "");
    row.node = node;
    row.component = component;
    if (const auto last = up_.find(key); last != up_.end() && last->second.stop_ns == row.start_ns)
      row.cause = last->second.reason;
    builder_.add(row);
  }

 private:
  void up(const std::string& key, const std::string& node, const FaultRow& row, std::string_view reason) {
    if (row.ending == Ending::closed && row.end_ns < row.start_ns)
      return builder_.problem(row.line, 0, "it ends before it starts; exchange the two, or correct the clock");
    builder_.see_time(row.start_ns);
    builder_.leave_out("intervals of being up (their reason is the cause of the fault that follows)", row.line);
    builder_.trace().nodes.number_of(node);
    if (row.ending != Ending::closed) return;
    builder_.see_time(row.end_ns);
    if (up_.size() > Names::names_max)
      throw TraceError(fmt::format("more than {} different components; split the file", Names::names_max));
    up_[key] = {row.end_ns, reason.empty() ? std::string() : fmt::format("reason {}", reason.substr(0, 100))};
  }

  bool time(const Field& field, std::uint64_t line, std::int64_t& ns) {
    if (parse_units(field.text, second_ns, ns)) return true;
    builder_.problem(line, field.column,
                     fmt::format("expected a time in seconds since 1970, got {}", in_quotes(field.text)));
    return false;
  }

  TraceBuilder& builder_;
  std::size_t columns_, component_, node_, platform_, type_, start_, stop_, reason_;
  std::unordered_map<std::string, LastUp> up_;  // never walked: its order reaches nothing
};

}  // namespace

void read_fta(TextSource& text, TraceBuilder& builder) {
  std::string_view line;
  std::vector<Field> fields;
  if (!text.next_line(line)) return;
  if (line.starts_with('#')) line.remove_prefix(1);
  split_blanks(line, fields);
  FtaReader reader(Heading(builder.trace().file, fields,
                           {"component_id", "node_id", "platform_id", "event_type", "event_start_time",
                            "event_stop_time", "event_end_reason"}),
                   builder);
  builder.trace().calendar = true;
  while (text.next_line(line)) {
    if (trimmed(line).empty() || line.front() == '#') continue;
    builder.count_row();
    split_blanks(line, fields);
    reader.row(fields, text.line_number());
  }
  builder.note("causes are the archive's numbers of reasons; their classes are not told");
}

}  // namespace toposim::faults
