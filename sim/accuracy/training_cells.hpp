#pragma once
// The training runs of a study: every fault case and scheme, several seeds, one or more lengths, and fault-free beside
// them. Runs of one seed start alike, are dealt alike and meet the same faults.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/accuracy/accuracy_spec.hpp"
#include "sim/accuracy/data_placement.hpp"
#include "sim/accuracy/study_hooks.hpp"
#include "sim/emulator/training_run.hpp"

namespace toposim::accuracy {

struct TrainingCell {
  const FaultCaseSpec* faults = nullptr;  ///< null: fault-free
  const SchemeSpec* scheme = nullptr;
  std::uint64_t steps = 0;
  std::vector<emulator::RunResult> runs;  ///< by seed, without their parameters
};

/// One run of a study. faults and scheme: null for a fault-free one.
emulator::RunSpec run_spec(const AccuracySpec& spec, const DataPlacement& placement, const FaultCaseSpec* faults,
                           const SchemeSpec* scheme, std::uint64_t steps, std::uint64_t seed);

/// Steps of a run of this length.
std::uint64_t steps_of(const TrainingSpec& training, double budget);

/// By length, then fault-free first, then by fault case and scheme. Results do not depend on `threads`. `first`: the
/// fault-free run of the first seed and full length, where it has been made.
std::vector<TrainingCell> train_cells(const workloads::Workload& workload, const AccuracySpec& spec,
                                      const DataPlacement& placement, const emulator::RunResult* first, int threads,
                                      const StudyHooks& hooks);

}  // namespace toposim::accuracy
