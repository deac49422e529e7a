// Max-min completion times by SimGrid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "sim/fabric/flow_batches.hpp"
#include "sim/fabric/flow_classes.hpp"
#include "sim/fabric/flow_problem.hpp"
#include "sim/fabric/simgrid_engine.hpp"
#include "topology/error.hpp"

namespace toposim::sim {
namespace {

/// Each completed transfer scans SimGrid's list of those in flight, so cost grows with the square of this.
constexpr std::size_t flows_in_flight_max = 256;

/// SimGrid counts bytes in integers. Scaled by a power of two so that the largest flow fills the 53 bits of a double:
/// whole bytes stay exact, fractions are rounded at 1e-16 of the largest flow. Capacities are scaled alike.
int byte_exponent(const MaxMinProblem& problem) {
  int exponent = 0;
  std::frexp(*std::ranges::max_element(problem.bytes), &exponent);
  return 53 - exponent;
}

std::vector<double> solve_at_once(SimgridEngine& engine, const MaxMinProblem& problem) {
  engine.reserve(problem.links(), 2);
  const int exponent = byte_exponent(problem);
  for (std::size_t l = 0; l < problem.links(); ++l)
    engine.link(l)->set_bandwidth(std::ldexp(problem.capacity_Bps[l], exponent));
  std::vector<double> done_s(problem.flows(), -1);
  std::vector<std::uint32_t> route;
  std::vector<simgrid::s4u::CommPtr> in_flight;  // SimGrid does not keep them
  engine.reset_elapsed();
  for (std::size_t f = 0; f < problem.flows(); ++f) {
    route.clear();
    for (const MaxMinProblem::Crossing& c : problem.crossings_of(f)) route.insert(route.end(), c.times, c.link);
    const auto bytes = static_cast<std::uint64_t>(std::llround(std::ldexp(problem.bytes[f], exponent)));
    in_flight.push_back(
        engine.start_transfer(route, std::max<std::uint64_t>(bytes, 1), engine.host(0), engine.host(1), f));
  }
  engine.run([&](std::size_t flow) { done_s[flow] = engine.elapsed_s(); });
  if (std::ranges::min(done_s) < 0) throw std::logic_error("SimGrid ended with a flow that was never done");
  return done_s;
}

bool positive(double x) {
  return x > 0 && std::isfinite(x);
}

void check(const MaxMinProblem& problem) {
  if (!std::ranges::all_of(problem.capacity_Bps, positive))
    throw std::invalid_argument("max-min problem: every capacity must be positive and finite");
  if (!std::ranges::all_of(problem.bytes, positive))
    throw std::invalid_argument("max-min problem: every flow's bytes must be positive and finite");
  for (std::size_t f = 0; f < problem.flows(); ++f)
    if (problem.crossings_of(f).empty()) throw std::invalid_argument("max-min problem: every flow must cross a link");
}

/// Busiest link of flows of one size: see last_completion_s.
double busiest_link_s(const MaxMinProblem& problem) {
  std::vector<double> load(problem.links(), 0);
  for (std::size_t f = 0; f < problem.flows(); ++f)
    for (const MaxMinProblem::Crossing& c : problem.crossings_of(f)) load[c.link] += c.times * problem.bytes[f];
  double longest_s = 0;
  for (std::size_t l = 0; l < problem.links(); ++l) longest_s = std::max(longest_s, load[l] / problem.capacity_Bps[l]);
  return longest_s;
}

/// By class, in the order of the quotient's flows. With only the last completion wanted, all classes of a component
/// that is too large to simulate get that of the component's last.
std::vector<double> class_completion_s(const MaxMinProblem& quotient, bool only_last) {
  const std::vector<FlowBatch> batches = flow_batches(quotient, flows_in_flight_max);
  std::vector<double> class_done_s(quotient.flows());
  const auto keep = [&](const FlowBatch& batch, const std::vector<double>& done_s) {
    for (std::size_t i = 0; i < done_s.size(); ++i) class_done_s[batch.flows[i]] = done_s[i];
  };
  std::vector<const FlowBatch*> simulated;
  for (const FlowBatch& batch : batches) {
    const std::size_t flows = batch.flows.size();
    if (flows <= component_flows_max) {
      simulated.push_back(&batch);
    } else if (only_last &&
               std::ranges::adjacent_find(batch.problem.bytes, std::not_equal_to{}) == batch.problem.bytes.end()) {
      keep(batch, std::vector<double>(flows, busiest_link_s(batch.problem)));
    } else {
      throw topology::TopologyError(fmt::format(
          "{} unlike flows of unlike sizes share links, directly or through others; the flow model takes at "
          "most {}: use `run.fidelity: bottleneck`, a lower bound here",
          flows, component_flows_max));
    }
  }
  if (simulated.empty()) return class_done_s;
  with_simgrid([&](SimgridEngine& engine) {
    for (const FlowBatch* batch : simulated) keep(*batch, solve_at_once(engine, batch->problem));
  });
  return class_done_s;
}

}  // namespace

std::vector<double> completion_s(const MaxMinProblem& problem) {
  check(problem);
  const FlowClasses classes = flow_classes(problem);
  const std::vector<double> class_done_s = class_completion_s(classes.quotient, false);
  std::vector<double> done_s(problem.flows());
  std::ranges::transform(classes.class_of, done_s.begin(), [&](std::uint32_t c) { return class_done_s[c]; });
  return done_s;
}

double last_completion_s(const MaxMinProblem& problem) {
  check(problem);
  const std::vector<double> class_done_s = class_completion_s(flow_classes(problem).quotient, true);
  return class_done_s.empty() ? 0 : std::ranges::max(class_done_s);
}

std::vector<double> completion_unreduced_s(const MaxMinProblem& problem) {
  check(problem);
  std::vector<double> done_s;
  if (problem.flows() > 0) with_simgrid([&](SimgridEngine& engine) { done_s = solve_at_once(engine, problem); });
  return done_s;
}

}  // namespace toposim::sim
