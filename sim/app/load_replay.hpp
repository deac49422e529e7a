#pragma once
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// Reads the trace that a scenario replays, where it has one: its classes of faults become the scenario's. Throws
/// ScenarioError where the trace is not there or cannot be used.
void load_replay(Scenario& scenario);

}  // namespace toposim::sim
