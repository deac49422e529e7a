#include "faults/trace/detect_format.hpp"

#include "faults/trace/fields.hpp"
#include "faults/trace/heading.hpp"

namespace toposim::faults {
namespace {

bool has_word(std::string_view line, std::string_view word) {
  return line.find(word) != std::string_view::npos;
}

/// "10 0", or a keyword of such files.
bool is_profile_line(std::string_view line) {
  std::vector<Field> fields;
  split_blanks(line, fields);
  std::int64_t ns = 0;
  return fields.size() == 2 && parse_units(fields[1].text, 1, ns) &&
         (fields[0].text == "PERIODICITY" || fields[0].text == "LOOPAFTER" || parse_units(fields[0].text, 1, ns));
}

}  // namespace

std::optional<TraceFormat> detect_format(std::string_view head) {
  std::string_view rest = head;
  std::string first;  // line that says something
  while (!rest.empty() && first.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = trimmed(line);
    if (line.starts_with('#') && !has_word(line, "event_start_time")) continue;
    first = lower_case(line.substr(0, 4096));
  }
  if (has_word(head, "NVRM: Xid (")) return TraceFormat::kernel_log;
  if (first.empty()) return std::nullopt;
  // A kernel log may begin with a time in brackets, a list of JSON with an object or nothing.
  if (first.front() == '[') {
    std::string_view inside = trimmed(std::string_view(first).substr(1));
    while (inside.empty() && !rest.empty()) {
      inside = trimmed(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    }
    if (inside.starts_with('{') || inside.starts_with(']')) return TraceFormat::infinitehbd;
    return has_word(first, "]") ? std::optional(TraceFormat::kernel_log) : std::nullopt;
  }
  if (has_word(first, "event_start_time") && has_word(first, "event_type")) return TraceFormat::fta;
  if (has_word(first, "prob started") && has_word(first, ",")) return TraceFormat::lanl;
  if (has_word(first, "|")) return TraceFormat::slurm;
  if (has_word(first, ",") && has_word(first, "start") && has_word(first, "node")) return TraceFormat::csv;
  if (has_word(first, " kernel:")) return TraceFormat::kernel_log;
  if (is_profile_line(first) || first.starts_with("periodicity ")) return TraceFormat::simgrid;
  return std::nullopt;
}

}  // namespace toposim::faults
