#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// One problem of a scenario file, or of a --set override (file "--set", line 1).
struct Problem {
  std::string file;
  int line = 0, column = 0;  ///< from 1; 0: the file as a whole
  std::string message;       ///< key path, what was expected, what would do
  /// rail_10k.yaml:14:5: unknown key 'oversubscripton' in cluster.fabric; did you mean 'oversubscription'?
  std::string text() const;
};

/// Either a scenario or every problem found, in file order.
struct ScenarioOrProblems {
  Scenario scenario;
  std::vector<Problem> problems;
  bool ok() const { return problems.empty(); }
};

struct Override {
  std::string path;   ///< run.seed, schemes[0].checkpoint.interval
  std::string value;  ///< YAML
};

ScenarioOrProblems read_scenario(const std::string& file, const std::vector<Override>& overrides = {});
ScenarioOrProblems read_scenario_text(std::string_view text, const std::string& file_name,
                                      const std::vector<Override>& overrides = {});

}  // namespace toposim::sim
