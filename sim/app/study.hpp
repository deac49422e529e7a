#pragma once
// One scenario from values to results: build the cluster, price a step, draw the faults, replay them under every
// scheme.
#include <stdexcept>

#include "analysis/results.hpp"
#include "sim/app/progress.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// A study that ran but whose numbers do not stand, such as a cross-check beyond its bound. Says what to do.
class StudyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws StudyError, topology::TopologyError, std::invalid_argument, std::bad_alloc. Results are independent of
/// `threads`, apart from Results::cost.
analysis::Results run_study(const Scenario& scenario, int threads, Progress& progress);

}  // namespace toposim::sim
