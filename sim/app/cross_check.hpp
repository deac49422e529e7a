#pragma once
// How far the fast fabric model is from the SimGrid solve, on the states that this run met.
#include <cstdint>
#include <vector>

#include "sim/fabric/fabric_model.hpp"
#include "sim/step/step_costs.hpp"
#include "sim/step/step_model.hpp"

namespace toposim::sim {

struct CrossCheck {
  std::int64_t states = 0;       ///< that were solved twice, the healthy one included
  double healthy_deviation = 0;  ///< |bottleneck - flow| / flow, of the step time
  double largest_deviation = 0;
  double largest_deviation_s = 0;  ///< of that state, seconds
};

/// Above this the fast model is not to be trusted for the scenario, and the run fails.
inline constexpr double cross_check_bound = 0.02;

/// The healthy state, and of the broken ones `broken_states`: half of them those asked for most often, half the
/// slowest; ties by the order of `states`.
CrossCheck cross_check(const StepModel& step_model, FabricModel& flow, const std::vector<StateUse>& states,
                       std::int64_t broken_states);

/// Throws StudyError, saying how far off and what to do, where the largest deviation is above the bound.
void require_close(const CrossCheck& check);

}  // namespace toposim::sim
