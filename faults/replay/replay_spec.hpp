#pragma once
#include <cstdint>
#include <string>

namespace toposim::faults {

/// Which node of the simulated cluster takes the history of which node of the trace.
enum class NodeMapping : std::uint8_t {
  ranked,  ///< nodes of the trace by number of faults, spread evenly, dealt anew to nodes in each run
  cycled   ///< in the order in which the file names them, over and over, the same in each run
};

/// What a scenario's `faults.trace` says.
struct ReplaySpec {
  std::string file;        ///< empty: no replay
  std::int64_t nodes = 0;  ///< of the traced cluster, failed or not; 0: those that the file names
  double from_s = 0;       ///< of the window, since the first time of the file
  double to_s = 0;         ///< its end; 0: the last time of the file
  NodeMapping mapping = NodeMapping::ranked;
  double scale = 1;           ///< of the rate: below 1 faults are left out at random, above 1 histories are laid over
  double compress = 1;        ///< time runs so many times faster: 12 makes a month of a year, repairs too
  bool repeat = true;         ///< after its end it begins anew; else nothing breaks from then on
  double repair_s = 0;        ///< of faults whose end the trace does not tell; 0: such a trace is refused
  bool lenient = false;       ///< malformed rows are skipped
  bool keep_planned = false;  ///< planned work counts
};

}  // namespace toposim::faults
