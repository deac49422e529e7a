#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gates/gate_outcome.hpp"

namespace toposim::analysis {

/// junit.xml as GitLab, Jenkins and GitHub's actions read it: one suite named as the scenario, one case per gate.
std::string junit_xml(std::string_view scenario, double wall_s, const std::vector<GateOutcome>& gates);

}  // namespace toposim::analysis
