#include "faults/trace/trace.hpp"

namespace toposim::faults {

std::uint64_t node_count(const Trace& trace) {
  if (trace.node_count_stated > 0) return trace.node_count_stated;
  return trace.nodes.size() - (trace.nodes.find(unnamed_node) < trace.nodes.size() ? 1 : 0);
}

std::string_view to_string(TraceFormat format) {
  switch (format) {
    case TraceFormat::csv:
      return "csv";
    case TraceFormat::infinitehbd:
      return "infinitehbd";
    case TraceFormat::lanl:
      return "lanl";
    case TraceFormat::fta:
      return "fta";
    case TraceFormat::slurm:
      return "slurm";
    case TraceFormat::kernel_log:
      return "kernel_log";
    case TraceFormat::simgrid:
      return "simgrid";
  }
  return "";
}

std::string_view to_string(TraceClass fault_class) {
  switch (fault_class) {
    case TraceClass::hardware:
      return "hardware";
    case TraceClass::software:
      return "software";
    case TraceClass::network:
      return "network";
    case TraceClass::environment:
      return "environment";
    case TraceClass::human:
      return "human";
    case TraceClass::planned:
      return "planned";
    case TraceClass::other:
      return "other";
    case TraceClass::unknown:
      return "unknown";
  }
  return "";
}

}  // namespace toposim::faults
