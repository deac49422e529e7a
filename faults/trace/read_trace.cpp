#include "faults/trace/read_trace.hpp"

#include <fmt/format.h>

#include "faults/trace/detect_format.hpp"
#include "faults/trace/error.hpp"
#include "faults/trace/readers.hpp"

namespace toposim::faults {
namespace {

void read_as(TraceFormat format, TextSource& text, TraceBuilder& builder) {
  switch (format) {
    case TraceFormat::csv:
      return read_csv_trace(text, builder);
    case TraceFormat::infinitehbd:
      return read_infinitehbd(text, builder);
    case TraceFormat::lanl:
      return read_lanl(text, builder);
    case TraceFormat::fta:
      return read_fta(text, builder);
    case TraceFormat::slurm:
      return read_slurm(text, builder);
    case TraceFormat::kernel_log:
      return read_kernel_log(text, builder);
    case TraceFormat::simgrid:
      return read_simgrid_profile(text, builder);
  }
}

}  // namespace

Trace read_trace(const std::string& path, const ReadPolicies& policies, std::optional<TraceFormat> format) {
  TextSource text(path, policies.bytes_max);
  const std::string_view head = text.head();
  if (head.empty()) throw TraceError(fmt::format("{}: the file is empty", path));
  if (!format) format = detect_format(head);
  if (!format) throw TraceError(fmt::format("{}: not the beginning of a trace; {}", path, format_advice));
  TraceBuilder builder(path, *format, policies);
  try {
    read_as(*format, text, builder);
  } catch (const TraceError& error) {
    // From parts that do not know the file.
    const std::string what = error.what();
    if (what.starts_with(path)) throw;
    throw TraceError(text.line_number() > 0 ? fmt::format("{}:{}: {}", path, text.line_number(), what)
                                            : fmt::format("{}: {}", path, what));
  }
  return builder.finish();
}

}  // namespace toposim::faults
