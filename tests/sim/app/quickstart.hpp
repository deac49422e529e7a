#pragma once
// scenarios/quickstart.yaml with changes, read as the program reads it: 64 GPUs in eight nodes, TP 8 x DP 8, a month.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/results.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim::test {

inline Scenario quickstart(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  std::vector<Override> overrides;
  for (const auto& [path, value] : changes) overrides.push_back({path, value, {}});
  ScenarioOrProblems read = read_scenario(std::string(TOPOSIM_SOURCE_DIR) + "/scenarios/quickstart.yaml", overrides);
  for (const Problem& problem : read.problems) ADD_FAILURE() << problem.text();
  return std::move(read.scenario);
}

inline const analysis::Metric& metric(const std::vector<analysis::Metric>& metrics, const std::string& name) {
  for (const analysis::Metric& one : metrics)
    if (one.name == name) return one;
  ADD_FAILURE() << "no metric " << name;
  return metrics.front();
}

}  // namespace toposim::sim::test
