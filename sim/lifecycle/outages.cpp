#include "sim/lifecycle/outages.hpp"

#include <algorithm>
#include <tuple>

namespace toposim::sim {

void Outages::add(std::int64_t start_ns, std::int64_t repair_ns, const Fault& fault) {
  if (start_ns >= horizon_ns_) return;
  const std::uint32_t index = count();
  nodes_.insert(nodes_.end(), fault.nodes_down.begin(), fault.nodes_down.end());
  cables_.insert(cables_.end(), fault.cables.begin(), fault.cables.end());
  slow_nodes_.insert(slow_nodes_.end(), fault.slow_nodes.begin(), fault.slow_nodes.end());
  faults_.push_back({fault.fault_class, fault.stops_job, fault.planned, static_cast<std::uint32_t>(nodes_.size()),
                     static_cast<std::uint32_t>(cables_.size()), static_cast<std::uint32_t>(slow_nodes_.size())});
  events_.push_back({start_ns, index, true});
  // A fault of the whole job is over when the job restarts: nothing is under repair.
  const bool repairs = !fault.nodes_down.empty() || !fault.cables.empty() || !fault.slow_nodes.empty();
  if (repairs && repair_ns < horizon_ns_ - start_ns) events_.push_back({start_ns + repair_ns, index, false});
}

void Outages::sort() {
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return std::tie(a.time_ns, a.start, a.fault) < std::tie(b.time_ns, b.start, b.fault);
  });
}

Outages::Fault Outages::fault(std::uint32_t index) const {
  static constexpr Ranges none;
  const Ranges& before = index == 0 ? none : faults_[index - 1];
  const Ranges& own = faults_[index];
  return {own.fault_class,
          own.stops_job,
          own.planned,
          {nodes_.data() + before.nodes_end, nodes_.data() + own.nodes_end},
          {cables_.data() + before.cables_end, cables_.data() + own.cables_end},
          {slow_nodes_.data() + before.slow_end, slow_nodes_.data() + own.slow_end}};
}

Outages make_outages(const faults::FaultTimeline& timeline, const faults::FaultSpec& spec,
                     const topology::Cluster& cluster, std::int64_t horizon_ns) {
  Outages outages(horizon_ns);
  std::vector<Outages::Cable> cables;
  std::vector<Outages::SlowNode> slow_nodes;
  for (const faults::FaultEvent& event : timeline) {
    if (event.start_ns >= horizon_ns) break;
    const faults::Impact impact = faults::impact_of(event, spec, cluster);
    cables.clear();
    slow_nodes.clear();
    for (const auto& [arc, factor] : impact.cables) cables.push_back({arc, cluster.arc(arc).reverse, factor});
    for (const auto& [node, speed] : impact.slow_nodes) slow_nodes.push_back({node, speed});
    const bool planned = spec.classes[event.fault_class].planned;
    outages.add(event.start_ns, event.repair_ns,
                {event.fault_class, impact.stops_job, planned, impact.nodes_down, cables, slow_nodes});
  }
  outages.sort();
  return outages;
}

}  // namespace toposim::sim
