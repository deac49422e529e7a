#include <fmt/format.h>

#include "faults/trace/clock_text.hpp"
#include "faults/trace/fields.hpp"
#include "faults/trace/heading.hpp"
#include "faults/trace/host_list.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

bool no_time(std::string_view text) {
  return text == "Unknown" || text == "None" || text.empty();
}

class SlurmReader {
 public:
  SlurmReader(const Heading& heading, TraceBuilder& builder)
      : builder_(builder),
        columns_(heading.size()),
        state_(heading.find("state")),
        start_(heading.find("start")),
        end_(heading.find("end")),
        nodes_(heading.find("nodelist")) {}

  void row(const std::vector<Field>& fields, std::uint64_t line) {
    if (fields.size() != columns_)
      return builder_.problem(line, 0,
                              fmt::format("{} fields, expected {}; sacct -P writes them", fields.size(), columns_));
    const Field& nodes = fields[nodes_];
    hosts_.clear();
    if (nodes.text != "None assigned" && !expand_host_list(nodes.text, hosts_, why_))
      return builder_.problem(line, nodes.column, why_);
    std::int64_t start_ns = 0, end_ns = 0;
    if (!time(fields[start_], line, start_ns) || !time(fields[end_], line, end_ns)) return;
    for (const std::string& host : hosts_) builder_.trace().nodes.number_of(host);
    if (!no_time(fields[start_].text)) builder_.see_time(start_ns);
    if (!no_time(fields[end_].text)) builder_.see_time(end_ns);

    const std::string_view state = fields[state_].text.substr(0, fields[state_].text.find(' '));
    if (state != "NODE_FAIL" && state != "BOOT_FAIL")
      return builder_.leave_out(fmt::format("jobs that ended as {}", in_quotes(state)), line);
    if (no_time(fields[end_].text))
      return builder_.problem(line, fields[end_].column, "a failed job without a time of its end");
    FaultRow row;
    row.line = line;
    row.start_ns = end_ns;
    row.ending = Ending::point;
    row.cause = state;
    row.fault_class = TraceClass::hardware;
    if (hosts_.size() == 1) row.node = hosts_.front();
    builder_.add(row);
  }

 private:
  bool time(const Field& field, std::uint64_t line, std::int64_t& ns) {
    if (no_time(field.text) || parse_iso(field.text, builder_.policies().utc_offset_s, ns)) return true;
    builder_.problem(line, field.column,
                     fmt::format("expected a time as 2026-01-02T03:04:05 or Unknown, got {}", in_quotes(field.text)));
    return false;
  }

  TraceBuilder& builder_;
  std::size_t columns_, state_, start_, end_, nodes_;
  std::vector<std::string> hosts_;
  std::string why_;
};

}  // namespace

void read_slurm(TextSource& text, TraceBuilder& builder) {
  constexpr std::string_view usual = "jobid|state|nnodes|start|end|exitcode|nodelist";
  const std::string_view head = text.head();
  const bool named = lower_case(head.substr(0, head.find('\n'))).find("state") != std::string::npos;
  std::string_view line;
  std::vector<Field> fields;
  if (named && !text.next_line(line)) return;
  split(named ? line : usual, '|', fields);
  SlurmReader reader(Heading(builder.trace().file, fields, {"state", "start", "end", "nodelist"}), builder);
  builder.trace().calendar = true;
  while (text.next_line(line)) {
    if (trimmed(line).empty()) continue;
    builder.count_row();
    split(line, '|', fields);
    reader.row(fields, text.line_number());
  }
  builder.note(
      "a failed job tells when a node failed; which one only where it had one node, and nothing of the repair. "
      "Nodes are all that any job ran on");
}

}  // namespace toposim::faults
