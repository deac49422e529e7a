#include <fmt/format.h>

#include "faults/trace/fields.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {

void read_simgrid_profile(TextSource& text, TraceBuilder& builder) {
  std::string_view line;
  std::vector<Field> fields;
  std::int64_t last_ns = 0;
  FaultRow down;
  bool is_down = false;
  while (text.next_line(line)) {
    if (trimmed(line).empty() || trimmed(line).front() == '#') continue;
    const std::uint64_t number = text.line_number();
    split_blanks(line, fields);
    if (fields.front().text == "PERIODICITY" || fields.front().text == "LOOPAFTER") {
      builder.note(fmt::format("{} is not followed: the profile is read once", fields.front().text));
      continue;
    }
    builder.count_row();
    std::int64_t time_ns = 0;
    if (fields.size() != 2 || !parse_units(fields[0].text, second_ns, time_ns) || time_ns < last_ns) {
      builder.problem(number, fields[0].column,
                      "expected a time in seconds, not before the one above, and a state, such as: 10 0");
      continue;
    }
    if (fields[1].text != "0" && fields[1].text != "1") {
      builder.problem(number, fields[1].column,
                      fmt::format("a state is 0 (down) or 1 (up), got {}", in_quotes(fields[1].text)));
      continue;
    }
    last_ns = time_ns;
    builder.see_time(time_ns);
    const bool up = fields[1].text == "1";
    if (up != is_down) {
      builder.leave_out("states that were so already", number);
      continue;
    }
    if (up) {
      down.end_ns = time_ns;
      builder.add(down);
    } else {
      down.start_ns = time_ns;
      down.line = number;
      down.node = builder.default_node();
    }
    is_down = !up;
  }
  if (!is_down) return;
  down.ending = Ending::open;
  builder.add(down);
}

}  // namespace toposim::faults
