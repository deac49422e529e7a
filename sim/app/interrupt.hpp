#pragma once
// Ctrl-C and SIGTERM: the process stops at once, wherever it is, except while result files are put in place, which is
// then finished first. So the results of an earlier run stay whole, and nothing half written is left.

namespace toposim::sim {

void install_interrupt_handler();

/// While one lives, a signal waits; it takes effect when the last one ends.
class InterruptHold {
 public:
  InterruptHold();
  ~InterruptHold();
  InterruptHold(const InterruptHold&) = delete;
  InterruptHold& operator=(const InterruptHold&) = delete;
};

}  // namespace toposim::sim
