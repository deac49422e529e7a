#pragma once
// What is broken while a step runs, as a value: equal states cost the same, so that step times can be memoised by it.
#include <cstdint>
#include <vector>

#include "topology/fabric_state.hpp"

namespace toposim::sim {

/// What decides the cost of a step, beside the job itself. Equal values cost the same.
struct StepState {
  std::vector<std::uint32_t> missing_replicas;  ///< sorted; they take no part
  topology::FabricState fabric;
  double compute_speed = 1;  ///< of the slowest GPU that takes part, (0, 1]: everyone waits for it
  /// Survivors take over the missing replicas' micro-batches (the batch stays whole); else the batch shrinks.
  bool redistribute = false;
  bool nominal() const { return missing_replicas.empty() && fabric.healthy() && compute_speed == 1; }
  std::uint64_t hash() const;
  friend bool operator==(const StepState&, const StepState&) = default;
};

/// A total order over values: by missing replicas, then fabric, then speed, then redistribution.
bool state_less(const StepState& a, const StepState& b);

}  // namespace toposim::sim
