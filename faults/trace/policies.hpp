#pragma once
// What to do where a trace leaves a choice. Each has a default, and the report says which were taken.
#include <cstdint>
#include <string>

namespace toposim::faults {

struct ReadPolicies {
  bool lenient = false;                      ///< a malformed row: skipped and listed; else the file is refused
  bool keep_planned = false;                 ///< planned work counts as a fault
  bool keep_unknown_nodes = true;            ///< rows that name no node count, on a node of their own called '?'
  bool keep_open = true;                     ///< intervals that have not ended count (their repair: longer than seen)
  std::int64_t utc_offset_s = 0;             ///< of wall clocks that do not say theirs; summer time is not undone
  std::int64_t coalesce_ns = 5'000'000'000;  ///< kernel logs: one fault, where a GPU repeats a code within this
  int year = 1970;                           ///< of the first line of a log whose dates have none
  std::string node;                          ///< of formats that name none (dmesg, SimGrid); empty: the file's name
  std::uint64_t bytes_max = std::uint64_t{64} << 30;  ///< unpacked; more is refused
  std::uint64_t records_max = 50'000'000;             ///< held in memory, 40 bytes each; more is refused
};

}  // namespace toposim::faults
