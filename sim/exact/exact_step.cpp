#include "sim/exact/exact_step.hpp"

#include <algorithm>
#include <cmath>

#include "topology/error.hpp"

namespace toposim::sim {

StepPlanner::StepPlanner(const StepModel& step_model, const topology::Router& router,
                         const topology::Placement& placement)
    : step_model_(step_model), router_(router), bottleneck_(make_bottleneck_model(router)) {
  const DataExchanges exchanges = data_exchanges(step_model.job(), placement);
  gradients_ = planned(exchanges.gradients);
  parameters_ = planned(exchanges.parameters);
}

std::vector<StepPlanner::Collective> StepPlanner::planned(const std::vector<Exchange>& exchanges) const {
  const JobSpec& job = step_model_.job();
  std::vector<Collective> collectives;
  for (const Exchange& exchange : exchanges) {
    PricedPlan best = best_plan(exchange.request, job.algorithm, router_.cluster(), job.latency, *bottleneck_,
                                topology::FabricState{});
    collectives.push_back({exchange.request, std::move(best.plan), exchange.times});
  }
  return collectives;
}

void StepPlanner::append(const Collective& collective, const StepState& state,
                         std::vector<Operation>& operations) const {
  CollectivePlan now = collective.plan;
  const bool in_switches = std::ranges::any_of(now.phases, [](const Phase& phase) { return !phase.arc_flows.empty(); });
  if (in_switches) {
    now = plan(collective.request, now.algorithm, router_.cluster(), step_model_.job().latency, now.protocol,
               state.fabric);
  }
  // Pipelined: the longest phase whole, 1/chunks of the others (CollectivePlan), one after another.
  std::size_t longest = 0;
  double longest_s = -1;
  for (std::size_t i = 0; now.pipelined && i < now.phases.size(); ++i) {
    const double time_s = bottleneck_->solve(now.phases[i], state.fabric).transfer_s;
    if (time_s > longest_s) longest = i, longest_s = time_s;
  }
  operations.push_back({nullptr, 1, now.base_s});
  for (std::size_t i = 0; i < now.phases.size(); ++i) {
    const double scale = now.pipelined && i != longest ? 1 / now.chunks : 1;
    operations.push_back({std::make_shared<const Phase>(now.phases[i]), scale, 0});
  }
}

StepParts StepPlanner::parts(const StepState& state, double overhead_s) const {
  const StepBreakdown step = step_model_.step_incremental(state);
  const JobSpec& job = step_model_.job();
  StepParts parts;
  const double alone_s = step.step_time_s - step.data_parallel_s + overhead_s;
  parts[0].compute_s = std::min(step.parameter_window_s, alone_s);
  parts[2].compute_s = std::min(step.gradient_window_s, alone_s - parts[0].compute_s);
  parts[1].compute_s = alone_s - parts[0].compute_s - parts[2].compute_s;
  const auto fill = [&](StepPart& part, const std::vector<Collective>& collectives, std::int64_t repeats) {
    for (std::int64_t again = 0; again < repeats; ++again)
      for (const Collective& collective : collectives)
        for (std::int64_t time = 0; time < std::llround(collective.times); ++time)
          append(collective, state, part.operations);
  };
  fill(parts[0], parameters_, job.zero_stage >= 3 ? step.micro_batches : 1);
  fill(parts[2], gradients_, job.zero_stage >= 2 ? step.micro_batches : 1);
  return parts;
}

}  // namespace toposim::sim
