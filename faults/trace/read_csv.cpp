#include <fmt/format.h>

#include <array>
#include <utility>

#include "faults/trace/clock_text.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/heading.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

constexpr std::array<TraceClass, 8> all_classes{TraceClass::hardware,    TraceClass::software, TraceClass::network,
                                                TraceClass::environment, TraceClass::human,    TraceClass::planned,
                                                TraceClass::other,       TraceClass::unknown};

bool read_class(std::string_view word, TraceClass& out) {
  if (word.empty()) {
    out = TraceClass::unknown;
    return true;
  }
  for (const TraceClass one : all_classes)
    if (to_string(one) == word) {
      out = one;
      return true;
    }
  return false;
}

class CsvReader {
 public:
  CsvReader(const Heading& heading, TraceBuilder& builder)
      : builder_(builder),
        columns_(heading.size()),
        start_(heading.find("start")),
        end_(heading.find("end")),
        node_(heading.find("node")),
        component_(heading.find("component")),
        cause_(heading.find("cause")),
        class_(heading.find("class")) {}

  void row(const std::vector<Field>& fields, std::uint64_t line) {
    if (fields.size() != columns_)
      return builder_.problem(
          line, 0, fmt::format("{} fields, the first line names {}; quote what holds commas", fields.size(), columns_));
    FaultRow row;
    row.line = line;
    if (!time(fields[start_], line, row.start_ns)) return;
    if (end_ == Heading::absent)
      row.ending = Ending::point;
    else if (fields[end_].text.empty())
      row.ending = Ending::open;
    else if (!time(fields[end_], line, row.end_ns))
      return;
    row.node = fields[node_].text;
    if (component_ != Heading::absent) row.component = fields[component_].text;
    if (cause_ != Heading::absent) row.cause = fields[cause_].text;
    if (class_ != Heading::absent && !read_class(fields[class_].text, row.fault_class))
      return builder_.problem(line, fields[class_].column,
                              fmt::format("class {} is none of hardware, software, network, environment, human, "
                                          "planned, other, unknown",
                                          in_quotes(fields[class_].text)));
    builder_.add(row);
  }

 private:
  /// All times of a file are of one kind, or gaps between them would mean nothing.
  bool time(const Field& field, std::uint64_t line, std::int64_t& ns) {
    const bool number = parse_units(field.text, second_ns, ns);
    if (!number && !parse_iso(field.text, builder_.policies().utc_offset_s, ns)) {
      builder_.problem(line, field.column,
                       fmt::format("expected a time, seconds or 2026-01-02T03:04:05, got {}", in_quotes(field.text)));
      return false;
    }
    if (any_ && number == builder_.trace().calendar) {
      builder_.problem(line, field.column,
                       fmt::format("{}, where rows above have {}; use one of them",
                                   number ? "a number of seconds" : "a date", number ? "dates" : "numbers of seconds"));
      return false;
    }
    any_ = true;
    builder_.trace().calendar = !number;
    return true;
  }

  TraceBuilder& builder_;
  std::size_t columns_, start_, end_, node_, component_, cause_, class_;
  bool any_ = false;
};

}  // namespace

void read_csv_trace(TextSource& text, TraceBuilder& builder) {
  std::string_view line;
  std::vector<Field> fields;
  std::string unquoted;
  if (!text.next_line(line)) return;
  split_csv(line, fields, unquoted);
  CsvReader reader(Heading(builder.trace().file, fields, {"start", "node"}), builder);
  while (text.next_line(line)) {
    if (trimmed(line).empty()) continue;
    builder.count_row();
    if (const std::string why = split_csv(line, fields, unquoted); !why.empty())
      builder.problem(text.line_number(), 0, why);
    else
      reader.row(fields, text.line_number());
  }
}

}  // namespace toposim::faults
