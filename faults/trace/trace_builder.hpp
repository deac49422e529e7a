#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "faults/trace/policies.hpp"
#include "faults/trace/trace.hpp"

namespace toposim::faults {

/// A fault as a row tells it; texts are copied by TraceBuilder::add.
struct FaultRow {
  std::int64_t start_ns = 0, end_ns = 0;
  Ending ending = Ending::closed;
  std::string_view node, component, cause;  ///< empty: the file does not say
  TraceClass fault_class = TraceClass::unknown;
  std::uint64_t line = 0;
};

/// Collects what a reader finds, under the policies, and gives the trace. Nothing is dropped without being counted.
class TraceBuilder {
 public:
  static constexpr std::size_t problems_listed = 20;

  TraceBuilder(std::string file, TraceFormat format, const ReadPolicies& policies);

  const ReadPolicies& policies() const { return policies_; }
  /// The node that formats without one mean.
  const std::string& default_node() const { return default_node_; }
  Trace& trace() { return trace_; }

  void count_row() { ++trace_.rows; }
  /// A time of any row: the recording lasted from the first to the last of them.
  void see_time(std::int64_t time_ns);
  /// A malformed row. Strict: throws TraceError with all of them once problems_listed are there, else finish() does.
  void problem(std::uint64_t line, std::uint64_t column, std::string message);
  void leave_out(std::string_view why, std::uint64_t line);
  void note(std::string text) { trace_.notes.push_back(std::move(text)); }
  /// Reports the row as a problem where it ends before it starts.
  void add(const FaultRow& row);

  /// Sorts. Throws TraceError where rows were malformed and the policies are strict, or where no row is left.
  Trace finish();

 private:
  [[noreturn]] void refuse() const;

  ReadPolicies policies_;
  std::string default_node_;
  Trace trace_;
  bool any_time_ = false;
};

}  // namespace toposim::faults
