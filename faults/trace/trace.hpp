#pragma once
// Real failures as recorded somewhere: what a reader of any format makes of its file.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "faults/trace/names.hpp"

namespace toposim::faults {

enum class TraceFormat : std::uint8_t { csv, infinitehbd, lanl, fta, slurm, kernel_log, simgrid };

/// What kind of cause. `unknown`: the file does not say.
enum class TraceClass : std::uint8_t { hardware, software, network, environment, human, planned, other, unknown };

enum class Ending : std::uint8_t {
  closed,  ///< repaired at end_ns
  open,    ///< not yet repaired when the recording ended: the repair took longer than that
  point    ///< the file tells when it happened, not how long it took
};

struct TraceRecord {
  std::int64_t start_ns = 0;  ///< since the file's own zero: 1970, boot, or the start of the recording
  std::int64_t end_ns = 0;    ///< closed: >= start_ns; else start_ns
  std::uint32_t node = 0, component = 0, cause = 0;  ///< in Trace::nodes, components, causes
  std::uint32_t line = 0;                            ///< of the file, from 1, where it starts
  TraceClass fault_class = TraceClass::unknown;
  Ending ending = Ending::closed;
};

/// A row that says something else than the format allows.
struct TraceProblem {
  std::uint64_t line = 0, column = 0;  ///< from 1; column 0: the row as a whole
  std::string message;
};

/// Rows that are right and no faults, or that a policy leaves out: none goes unsaid.
struct LeftOut {
  std::string why;
  std::uint64_t rows = 0, first_line = 0;
};

/// Stands for the node of faults that name none, which are of any node.
inline constexpr std::string_view unnamed_node = "?";

struct Trace {
  std::string file;
  TraceFormat format = TraceFormat::csv;
  Names nodes, components, causes;         ///< nodes: all that the file names, failed or not
  std::vector<TraceRecord> records;        ///< by (start_ns, line)
  std::int64_t first_ns = 0, last_ns = 0;  ///< earliest and latest time of any row
  bool calendar = false;                   ///< times are since 1970, UTC
  std::uint64_t rows = 0;                  ///< read, without headings, blank lines and comments
  std::uint64_t node_count_stated = 0;     ///< nodes there are, where the file says so; else 0
  std::vector<LeftOut> left_out;           ///< in the order in which each first came
  std::vector<std::string> notes;          ///< what the reader took for granted
  std::uint64_t problem_count = 0;         ///< lenient only: rows that were skipped
  std::vector<TraceProblem> problems;      ///< the first of them
};

/// Nodes that there are: as the file states, else those that it names.
std::uint64_t node_count(const Trace& trace);

std::string_view to_string(TraceFormat format);  ///< csv, infinitehbd, ...: as on the command line
std::string_view to_string(TraceClass fault_class);

}  // namespace toposim::faults
