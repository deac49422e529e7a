#pragma once
// The front door: one YAML file, and overrides from the command line, to a Scenario or to everything wrong with them.
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/overrides.hpp"
#include "sim/scenario/problem.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// Either a scenario or every problem found, in file order.
struct ScenarioOrProblems {
  Scenario scenario;
  std::vector<Problem> problems;
  bool ok() const { return problems.empty(); }
};

/// available_bytes: memory to build the cluster's graph in; a cluster that needs more is a problem. 0: ask the system.
ScenarioOrProblems read_scenario(const std::string& file, const std::vector<Override>& overrides = {},
                                 double available_bytes = 0);
ScenarioOrProblems read_scenario_text(std::string_view text, const std::string& file_name,
                                      const std::vector<Override>& overrides = {}, double available_bytes = 0);

}  // namespace toposim::sim
