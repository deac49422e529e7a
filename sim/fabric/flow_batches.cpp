#include "sim/fabric/flow_batches.hpp"

#include <boost/pending/disjoint_sets.hpp>
#include <limits>
#include <numeric>

namespace toposim::sim {
namespace {

using Crossing = MaxMinProblem::Crossing;
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Flows of each connected component, ascending; components in order of their first flow.
std::vector<std::vector<std::uint32_t>> components(const MaxMinProblem& problem) {
  std::vector<std::uint32_t> rank(problem.links(), 0), parent(problem.links());
  boost::disjoint_sets<std::uint32_t*, std::uint32_t*> sets(rank.data(), parent.data());
  for (std::uint32_t l = 0; l < problem.links(); ++l) sets.make_set(l);
  for (std::size_t f = 0; f < problem.flows(); ++f) {
    const auto route = problem.crossings_of(f);
    for (const Crossing& c : route.subspan(1)) sets.union_set(route.front().link, c.link);
  }
  std::vector<std::uint32_t> component_of(problem.links(), none);  // by root link
  std::vector<std::vector<std::uint32_t>> flows;
  for (std::uint32_t f = 0; f < problem.flows(); ++f) {
    std::uint32_t& component = component_of[sets.find_set(problem.crossings_of(f).front().link)];
    if (component == none) {
      component = static_cast<std::uint32_t>(flows.size());
      flows.emplace_back();
    }
    flows[component].push_back(f);
  }
  return flows;
}

/// By link: how many flows cross it, and the greatest common divisor of their times.
struct LinkUse {
  std::uint32_t flows = 0, divisor = 0;
};

std::vector<LinkUse> link_use(const MaxMinProblem& problem) {
  std::vector<LinkUse> use(problem.links());
  for (const Crossing& c : problem.crossings) {
    ++use[c.link].flows;
    use[c.link].divisor = std::gcd(use[c.link].divisor, c.times);
  }
  return use;
}

/// The crossings that can bind: all shared links, and the tightest of those the flow has to itself.
void binding(const MaxMinProblem& problem, const std::vector<LinkUse>& use, std::uint32_t flow,
             std::vector<Crossing>& out) {
  out.clear();
  const Crossing* tightest = nullptr;
  const auto share = [&](const Crossing& c) { return problem.capacity_Bps[c.link] / c.times; };
  for (const Crossing& c : problem.crossings_of(flow)) {
    if (use[c.link].flows > 1) {
      out.push_back(c);
    } else if (tightest == nullptr || share(c) < share(*tightest)) {
      tightest = &c;
    }
  }
  if (tightest != nullptr) out.push_back(*tightest);
}

}  // namespace

std::vector<FlowBatch> flow_batches(const MaxMinProblem& problem, std::size_t flows_max) {
  const std::vector<LinkUse> use = link_use(problem);
  std::vector<std::uint32_t> local(problem.links(), none);  // link number within the batch being filled
  std::vector<std::uint32_t> touched;
  std::vector<FlowBatch> batches;
  std::vector<Crossing> row;
  for (const std::vector<std::uint32_t>& flows : components(problem)) {
    if (batches.empty() || batches.back().flows.size() + flows.size() > flows_max) {
      batches.emplace_back();
      for (const std::uint32_t link : touched) local[link] = none;
      touched.clear();
    }
    FlowBatch& batch = batches.back();
    for (const std::uint32_t flow : flows) {
      binding(problem, use, flow, row);
      for (Crossing& c : row) {
        const std::uint32_t divisor = use[c.link].divisor;
        c.times /= divisor;
        if (local[c.link] == none) {
          local[c.link] = static_cast<std::uint32_t>(batch.problem.links());
          batch.problem.capacity_Bps.push_back(problem.capacity_Bps[c.link] / divisor);
          touched.push_back(c.link);
        }
        c.link = local[c.link];
      }
      batch.problem.add_flow(problem.bytes[flow], row);
      batch.flows.push_back(flow);
    }
  }
  return batches;
}

}  // namespace toposim::sim
