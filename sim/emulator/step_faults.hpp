#pragma once
// Which virtual workers answer in each step.
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::emulator {

enum class FaultPattern : std::uint8_t {
  none,
  transient,  ///< each worker in each step, on its own, with probability `share`
  permanent,  ///< `share` of all workers, chosen at random, from `from_step` on
  skewed,     ///< the same number, but `per_domain` in each of as many random domains as that takes
  domain,     ///< one random domain whole, from `from_step` on
  timeline,   ///< as a lifecycle study went: `absences`
  slow,       ///< `share` of all workers, chosen at random, answer a step late from `from_step` on
};

/// Whether the dead stay dead.
inline bool lasting(FaultPattern pattern) {
  return pattern == FaultPattern::permanent || pattern == FaultPattern::skewed || pattern == FaultPattern::domain;
}

/// A worker that is missing from one share of the run to another.
struct Absence {
  std::uint32_t worker = 0;
  double from = 0, to = 0;
};

struct StepFaultSpec {
  FaultPattern pattern = FaultPattern::none;
  double share = 0;              ///< 0 to 1
  std::uint32_t per_domain = 6;  ///< skewed
  std::uint64_t from_step = 0;
  std::uint64_t seed = 1;
  std::vector<Absence> absences = {};  ///< timeline
  std::uint64_t steps = 1;             ///< timeline: of the run; a step is where its middle lies in the timeline
};

class StepFaults {
 public:
  /// Throws std::invalid_argument for settings out of range, or that leave no survivor for certain.
  StepFaults(StepFaultSpec spec, std::span<const std::uint32_t> worker_domain);

  /// Per worker: 1 where it answers. A function of the step; at least one worker answers in every step (the first that
  /// would not, where chance kills all).
  std::vector<std::uint8_t> answered(std::uint64_t step) const;

 private:
  StepFaultSpec spec_;
  std::size_t workers_;
  std::vector<std::uint8_t> lasting_;  ///< per worker: 1 where it dies for good
};

}  // namespace toposim::emulator
