#pragma once
// Step times memoised by state, shared by all threads.
#include <cstdint>

#include "sim/step/step_model.hpp"

namespace toposim::sim {

/// What the lifecycle needs to know about steps; tests give it constants.
class StepCostModel {
 public:
  virtual ~StepCostModel() = default;
  virtual std::int64_t step_time_ns(const StepState& state) = 0;  ///< > 0, a pure function of state, any thread
};

}  // namespace toposim::sim
