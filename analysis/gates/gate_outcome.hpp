#pragma once
#include <string>

namespace toposim::analysis {

/// What became of one gate of a scenario; plain text and numbers, as results.json and junit.xml hold them.
struct GateOutcome {
  std::string gate;  ///< as written, one blank between its parts
  int line = 0;      ///< of the scenario file; 0: it came from the command line
  bool passed = false;
  bool has_value = false;  ///< false: it could not be evaluated, which fails it; reason says why
  double value = 0;        ///< in SI base units, shares as fractions; of the worst place
  double bound = 0;        ///< the same
  std::string where;       ///< the worst place; empty where there is one place only
  std::string shown;       ///< the value in the unit that the bound was written in: "46.4 min"
  std::string reason;      ///< short: why it failed, or what to know although it passed
};

}  // namespace toposim::analysis
