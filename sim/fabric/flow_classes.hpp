#pragma once
// Symmetry of a max-min problem: flows that must all get the same rate, whatever happens, are solved as one.
#include <cstdint>
#include <vector>

#include "sim/fabric/flow_problem.hpp"

namespace toposim::sim {

struct FlowClasses {
  std::vector<std::uint32_t> class_of;  ///< by flow; classes are numbered by their first flow
  MaxMinProblem quotient;               ///< flow c stands for class c
};

/// The coarsest equitable partition of flows and links: two flows are alike if they carry the same bytes over links
/// that are alike, two links if they have the same capacity and carry flows that are alike (colour refinement, 1-WL).
/// Max-min rates are unique, so an equitable partition has one rate a class, from the start until the last flow is done
/// (classes finish whole). A link of a class of m links, crossed k times by each of the n flows of a class, carries n
/// k / m of them: the times in the quotient.
///
/// Colours are 64-bit hashes; two that differ collide with a chance of about items^2 / 2^65 (3e-8 for a million).
/// Where colours have not settled after 64 rounds every flow is a class of its own.
FlowClasses flow_classes(const MaxMinProblem& problem);

}  // namespace toposim::sim
