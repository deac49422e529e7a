#pragma once
// One scenario from values to results: build the cluster, price a step, draw the faults, replay them under every
// scheme.
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/results.hpp"
#include "sim/app/progress.hpp"
#include "sim/scenario/scenario.hpp"

namespace toposim::sim {

/// A study that ran but whose numbers do not stand, such as a cross-check beyond its bound. Says what to do.
class StudyError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A scenario that turns out to ask for too much once a step is priced.
class ScenarioError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Builds what a study needs and prices one healthy step, runs nothing; returns what a user should know before he
/// believes a result. Throws topology::TopologyError where the fabric cannot do what the job asks of it, ScenarioError.
std::vector<std::string> check_study(const Scenario& scenario);

/// Throws ScenarioError, StudyError, topology::TopologyError, std::invalid_argument, std::bad_alloc. Results are
/// independent of `threads`, apart from Results::cost.
analysis::Results run_study(const Scenario& scenario, int threads, Progress& progress);

}  // namespace toposim::sim
