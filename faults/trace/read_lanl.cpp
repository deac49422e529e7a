#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "faults/trace/clock_text.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/heading.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

constexpr std::array<std::pair<std::string_view, TraceClass>, 6> cause_columns{{{"facilities", TraceClass::environment},
                                                                                {"hardware", TraceClass::hardware},
                                                                                {"human error", TraceClass::human},
                                                                                {"network", TraceClass::network},
                                                                                {"undetermined", TraceClass::unknown},
                                                                                {"software", TraceClass::software}}};

class LanlReader {
 public:
  LanlReader(const Heading& heading, TraceBuilder& builder)
      : builder_(builder),
        columns_(heading.size()),
        system_(heading.find("system")),
        nodes_(heading.find("nodes")),
        node_(heading.find("nodenum")),
        started_(heading.find("prob started")),
        fixed_(heading.find("prob fixed")) {
    for (std::size_t i = 0; i < causes_.size(); ++i) causes_[i] = heading.find(cause_columns[i].first);
  }

  void row(const std::vector<Field>& fields, std::uint64_t line) {
    if (fields.size() != columns_)
      return builder_.problem(line, 0, fmt::format("{} fields, the first line names {}", fields.size(), columns_));
    FaultRow row;
    row.line = line;
    if (!time(fields[started_], line, row.start_ns)) return;
    if (fields[fixed_].text.empty())
      row.ending = Ending::open;
    else if (!time(fields[fixed_], line, row.end_ns))
      return;
    for (std::size_t i = 0; i < causes_.size(); ++i) {
      const Field& cause = fields[causes_[i]];
      if (cause.text.empty()) continue;
      if (!row.cause.empty()) return builder_.problem(line, cause.column, "a second cause; a row has one of the six");
      row.cause = cause.text;
      row.fault_class = cause_columns[i].second;
    }
    std::string node;
    if (!fields[node_].text.empty()) node = fmt::format("{}/{}", fields[system_].text, fields[node_].text);
    row.node = node;
    builder_.add(row);
    std::int64_t count = 0;
    if (nodes_ != Heading::absent && parse_whole(fields[nodes_].text, count) && count > 0 && count < 10'000'000 &&
        systems_.size() < 10'000)
      systems_[std::string(fields[system_].text)] = static_cast<std::uint64_t>(count);
  }

  /// The systems that the file names.
  std::uint64_t node_count() const {
    std::uint64_t sum = 0;
    for (const auto& [system, nodes] : systems_) sum += nodes;
    return sum;
  }

 private:
  bool time(const Field& field, std::uint64_t line, std::int64_t& ns) {
    if (parse_us(field.text, builder_.policies().utc_offset_s, ns)) return true;
    builder_.problem(line, field.column,
                     fmt::format("expected a time as 6/21/2005 10:54, month first, got {}", in_quotes(field.text)));
    return false;
  }

  TraceBuilder& builder_;
  std::size_t columns_, system_, nodes_, node_, started_, fixed_;
  std::array<std::size_t, cause_columns.size()> causes_{};
  std::map<std::string, std::uint64_t> systems_;
};

}  // namespace

void read_lanl(TextSource& text, TraceBuilder& builder) {
  std::string_view line;
  std::vector<Field> fields;
  std::string unquoted;
  if (!text.next_line(line)) return;
  split_csv(line, fields, unquoted);
  LanlReader reader(Heading(builder.trace().file, fields,
                            {"system", "nodenum", "prob started", "prob fixed", "facilities", "hardware", "human error",
                             "network", "undetermined", "software"}),
                    builder);
  builder.trace().calendar = true;
  while (text.next_line(line)) {
    if (trimmed(line).empty()) continue;
    builder.count_row();
    if (const std::string why = split_csv(line, fields, unquoted); !why.empty())
      builder.problem(text.line_number(), 0, why);
    else
      reader.row(fields, text.line_number());
  }
  builder.trace().node_count_stated = reader.node_count();
  builder.note("wall clock of the site, taken at one offset from UTC (--utc-offset); summer time is not undone");
}

}  // namespace toposim::faults
