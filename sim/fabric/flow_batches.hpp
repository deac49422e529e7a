#pragma once
// A max-min problem cut into parts that cannot affect each other, so that few flows are in flight at a time.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/fabric/flow_problem.hpp"

namespace toposim::sim {

struct FlowBatch {
  MaxMinProblem problem;
  std::vector<std::uint32_t> flows;  ///< flow i of `problem` is flow flows[i] of the whole
};

/// Connected components (flows that share no link, however indirectly, do not affect each other), in order of their
/// first flow, packed into batches of at most `flows_max`; a larger component is a batch by itself.
///
/// Of the links that one flow crosses alone only the tightest is kept: the others never bind. A link that every flow
/// crosses a multiple of g times is given 1/g of its capacity and times: the same constraint, written shorter.
std::vector<FlowBatch> flow_batches(const MaxMinProblem& problem, std::size_t flows_max);

}  // namespace toposim::sim
