#include "faults/trace/trace_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "faults/trace/error.hpp"

namespace toposim::faults {
namespace {

constexpr std::size_t reasons_max = 200;

std::string text_of(const std::string& file, const TraceProblem& problem) {
  return problem.column > 0 ? fmt::format("{}:{}:{}: {}", file, problem.line, problem.column, problem.message)
                            : fmt::format("{}:{}: {}", file, problem.line, problem.message);
}

}  // namespace

TraceBuilder::TraceBuilder(std::string file, TraceFormat format, const ReadPolicies& policies)
    : policies_(policies), default_node_(policies.node) {
  if (default_node_.empty()) default_node_ = std::filesystem::path(file).stem().string();
  trace_.file = std::move(file);
  trace_.format = format;
}

void TraceBuilder::see_time(std::int64_t time_ns) {
  trace_.first_ns = any_time_ ? std::min(trace_.first_ns, time_ns) : time_ns;
  trace_.last_ns = any_time_ ? std::max(trace_.last_ns, time_ns) : time_ns;
  any_time_ = true;
}

void TraceBuilder::refuse() const {
  std::string text;
  for (const TraceProblem& problem : trace_.problems) text += text_of(trace_.file, problem) + '\n';
  const bool more = trace_.problem_count >= problems_listed;
  throw TraceError(text + fmt::format("{}: {}{} malformed {}; correct them, or read on without them with --lenient",
                                      trace_.file, more ? "at least " : "", trace_.problem_count,
                                      trace_.problem_count == 1 ? "row" : "rows"));
}

void TraceBuilder::problem(std::uint64_t line, std::uint64_t column, std::string message) {
  ++trace_.problem_count;
  if (trace_.problems.size() < problems_listed) trace_.problems.push_back({line, column, std::move(message)});
  if (!policies_.lenient && trace_.problem_count >= problems_listed) refuse();
}

void TraceBuilder::leave_out(std::string_view why, std::uint64_t line) {
  auto found =
      std::find_if(trace_.left_out.begin(), trace_.left_out.end(), [&](const LeftOut& one) { return one.why == why; });
  if (found == trace_.left_out.end() && trace_.left_out.size() == reasons_max) {
    why = "other reasons";
    found = std::find_if(trace_.left_out.begin(), trace_.left_out.end(),
                         [&](const LeftOut& one) { return one.why == why; });
  }
  if (found == trace_.left_out.end()) found = trace_.left_out.insert(found, {std::string(why), 0, line});
  ++found->rows;
}

void TraceBuilder::add(const FaultRow& row) {
  if (row.ending == Ending::closed && row.end_ns < row.start_ns)
    return problem(row.line, 0, "it ends before it starts; exchange the two, or correct the clock");
  see_time(row.start_ns);
  if (row.ending == Ending::closed) see_time(row.end_ns);
  if (row.fault_class == TraceClass::planned && !policies_.keep_planned)
    return leave_out("planned work (kept with --planned keep)", row.line);
  if (row.node.empty() && !policies_.keep_unknown_nodes)
    return leave_out("no node named (kept with --unknown-nodes keep)", row.line);
  if (row.ending == Ending::open && !policies_.keep_open)
    return leave_out("not ended (kept with --open keep)", row.line);
  if (trace_.records.size() == policies_.records_max)
    throw TraceError(fmt::format("{}:{}: more than {} faults, which is what is held in memory; split the file",
                                 trace_.file, row.line, policies_.records_max));
  TraceRecord record;
  record.start_ns = row.start_ns;
  record.end_ns = row.ending == Ending::closed ? row.end_ns : row.start_ns;
  record.node = trace_.nodes.number_of(row.node.empty() ? unnamed_node : row.node);
  record.component = trace_.components.number_of(row.component.empty() ? "node" : row.component);
  record.cause = trace_.causes.number_of(row.cause.empty() ? "not said" : row.cause);
  record.line = static_cast<std::uint32_t>(row.line);
  record.fault_class = row.fault_class;
  record.ending = row.ending;
  trace_.records.push_back(record);
}

Trace TraceBuilder::finish() {
  if (trace_.problem_count > 0 && !policies_.lenient) refuse();
  if (trace_.records.empty())
    throw TraceError(fmt::format("{}: no fault in {} rows of format {}{}", trace_.file, trace_.rows,
                                 to_string(trace_.format),
                                 trace_.left_out.empty() ? std::string("; is it the right file?")
                                                         : fmt::format("; left out: {}", trace_.left_out.front().why)));
  std::sort(trace_.records.begin(), trace_.records.end(), [](const TraceRecord& a, const TraceRecord& b) {
    return std::tie(a.start_ns, a.line, a.node, a.component) < std::tie(b.start_ns, b.line, b.node, b.component);
  });
  return std::move(trace_);
}

}  // namespace toposim::faults
