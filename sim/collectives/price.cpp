#include <algorithm>

#include "sim/collectives/collective.hpp"

namespace toposim::sim {

double bus_factor(CollectiveKind kind, double ranks) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2 * (ranks - 1) / ranks;
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_gather:
    case CollectiveKind::all_to_all:
      return (ranks - 1) / ranks;
    case CollectiveKind::broadcast:
    case CollectiveKind::point_to_point:
      break;
  }
  return 1;
}

CollectiveTime price(const CollectivePlan& plan, const CollectiveRequest& request, FabricModel& model,
                     const topology::FabricState& state) {
  std::vector<PhaseTime> times;
  times.reserve(plan.phases.size());
  for (const Phase& phase : plan.phases) times.push_back(model.solve(phase, state));
  return combine(plan, request, times);
}

CollectiveTime combine(const CollectivePlan& plan, const CollectiveRequest& request,
                       std::span<const PhaseTime> phase_times) {
  CollectiveTime time{.algorithm = plan.algorithm,
                      .protocol = plan.protocol,
                      .total_s = 0,
                      .latency_s = plan.base_s,
                      .phases_s = {},
                      .algbw_Bps = 0,
                      .busbw_Bps = 0};
  double transfer_sum_s = 0, transfer_max_s = 0;
  for (std::size_t i = 0; i < plan.phases.size(); ++i) {
    const PhaseTime& solved = phase_times[i];
    time.phases_s.emplace_back(plan.phases[i].name, solved.total_s());
    time.latency_s += solved.latency_s;
    transfer_sum_s += solved.transfer_s;
    transfer_max_s = std::max(transfer_max_s, solved.transfer_s);
  }
  const double transfer_s =
      plan.pipelined ? transfer_max_s + (transfer_sum_s - transfer_max_s) / plan.chunks : transfer_sum_s;
  time.total_s = time.latency_s + transfer_s;
  std::size_t ranks = 0;
  for (const auto& group : request.groups) ranks = std::max(ranks, group.size());
  if (time.total_s > 0) {
    time.algbw_Bps = request.bytes / time.total_s;
    time.busbw_Bps = time.algbw_Bps * bus_factor(request.kind, static_cast<double>(ranks));
  }
  return time;
}

}  // namespace toposim::sim
