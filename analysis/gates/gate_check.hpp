#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gates/gate.hpp"
#include "analysis/gates/gate_outcome.hpp"

namespace toposim::analysis {

/// The candidate that was probably meant; empty: none is near. For "did you mean".
using Nearest = std::function<std::string(std::string_view written, const std::vector<std::string>& candidates)>;

/// One outcome per gate, in their order. A gate without `where` has to hold in every place of its metric and scheme;
/// the outcome shows the worst. A gate that names what is not there, or has no value to judge, fails and says why.
std::vector<GateOutcome> check_gates(const std::vector<GateSeries>& series, const std::vector<Gate>& gates,
                                     const Nearest& nearest);

/// A value in the unit of a gate's bound, with four digits, or as many more as show on which side of the bound it is:
/// "46.4 min", "99.61 %".
std::string shown_beside(const Gate& gate, double value);

}  // namespace toposim::analysis
