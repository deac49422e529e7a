#pragma once
// What was measured, as the table that is printed and as JSON.
#include <map>
#include <string>
#include <vector>

namespace toposim::kernels::gpu_check {

struct Row {
  std::string kernel, type;
  std::size_t inputs = 0;    ///< K; for a sketch its width
  std::size_t elements = 0;  ///< of each input
  double bytes = 0;          ///< read and written once, as the kernel has to
  int target_percent = 0;    ///< of the copy's bandwidth, at least; 0: none was set
  int repeats = 0;           ///< 0: out of time, not measured
  double ms = 0;             ///< median
  double ms_min = 0, ms_max = 0;
  double GBps() const { return bytes / ms * 1e-6; }
};

struct Report {
  std::map<std::string, std::string> facts;  ///< the card, the versions, what was checked
  double copy_GBps = 0;                      ///< bytes read and written
  std::vector<Row> rows;
  bool rehearsed = false;  ///< times mean nothing
};

std::string table_of(const Report& report);
std::string json_of(const Report& report);

}  // namespace toposim::kernels::gpu_check
