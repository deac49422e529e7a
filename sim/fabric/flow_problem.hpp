#pragma once
// Flows over links of fixed capacity that share every link max-min fairly: what is left of a phase once it is routed.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace toposim::sim {

/// All flows start together; a flow's rate is limited by every link it crosses. Capacities and bytes are positive.
struct MaxMinProblem {
  /// A flow at rate r takes `times` x r of the link: 1 for a flow of its own, n for one that stands for n alike flows.
  struct Crossing {
    std::uint32_t link = 0, times = 1;
    friend bool operator==(const Crossing&, const Crossing&) = default;
  };

  std::vector<double> capacity_Bps;     ///< by link
  std::vector<double> bytes;            ///< by flow
  std::vector<std::uint32_t> first{0};  ///< flow f's crossings are first[f] .. first[f + 1] - 1
  std::vector<Crossing> crossings;

  std::size_t flows() const { return bytes.size(); }
  std::size_t links() const { return capacity_Bps.size(); }
  std::span<const Crossing> crossings_of(std::size_t flow) const {
    return {crossings.data() + first[flow], crossings.data() + first[flow + 1]};
  }
  void add_flow(double flow_bytes, std::span<const Crossing> flow_crossings) {
    bytes.push_back(flow_bytes);
    crossings.insert(crossings.end(), flow_crossings.begin(), flow_crossings.end());
    first.push_back(static_cast<std::uint32_t>(crossings.size()));
  }
};

/// SimGrid's time grows with the square of the flows in flight: 16,384 of one size in one component take 3 s, of random
/// sizes 34 s. More are refused.
inline constexpr std::size_t component_flows_max = 20'000;

/// When each flow is done, in seconds from the common start: reduced to symmetry classes (flow_classes), split into
/// connected components, solved by SimGrid. Any thread. Throws std::invalid_argument on a capacity or a size that is
/// not positive and finite, and on a flow that crosses no link; TopologyError where a connected component has more than
/// component_flows_max classes.
std::vector<double> completion_s(const MaxMinProblem& problem);

/// When the last flow is done, 0 where there is none. A component of more classes than SimGrid can hold in flight
/// (component_flows_max) whose flows are of one size is not simulated: its last flow is done when its busiest link is.
/// (That link has the smallest fair share of all, its flows get that share from the start to the end, and no other
/// flow's rate is ever less: shares only grow as flows of one size leave.)
double last_completion_s(const MaxMinProblem& problem);

/// The same by SimGrid on every flow as given, all in flight at once.
std::vector<double> completion_unreduced_s(const MaxMinProblem& problem);

}  // namespace toposim::sim
