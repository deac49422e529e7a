#pragma once
// The smallest scenario, for tests that change one thing in it.
#include <gtest/gtest.h>

#include <string>

#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim {

inline const std::string minimal_scenario =
    "name: small\n"
    "cluster: {gpu: h100, nodes: 8, fabric: {type: leaf_spine, nodes_per_leaf: 4}}\n"
    "job: {model: llama2-70b, tensor_parallel: 8, global_batch: 1024, compute_efficiency: 50%}\n"
    "faults: rsc-1\n"
    "schemes: [checkpoint_restart]\n"
    "run: {duration: 30d}\n";

/// Everything that is said about it, one problem a line.
inline std::string said(const ScenarioOrProblems& result) {
  std::string text;
  for (const Problem& problem : result.problems) text += problem.text() + "\n";
  return text;
}

inline Scenario read_good(const std::string& text, const std::vector<Override>& overrides = {}) {
  auto result = read_scenario_text(text, "test.yaml", overrides, 16e9);
  EXPECT_TRUE(result.ok()) << said(result);
  return std::move(result.scenario);
}

}  // namespace toposim::sim
