#include "sim/app/world.hpp"

#include "faults/impact.hpp"
#include "sim/step/compensation_cost.hpp"

namespace toposim::sim {

World::World(const Scenario& s)
    : scenario(s),
      cluster(topology::build_cluster(s.cluster)),
      router(cluster),
      placement(cluster, s.job.layout),
      domains(static_cast<std::uint32_t>(s.job.layout.data), s.domains),
      step_model(s.job, s.gpu, router, placement),
      fault_model(s.faults, cluster),
      job_map(cluster, placement) {
  if (s.run.fidelity == Fidelity::bottleneck) {
    costs.emplace(step_model);
  } else {
    flow = make_flow_model(router);
    costs.emplace([this](const StepState& state) { return step_model.step(state, *flow).step_time_s; });
  }
  nominal_step = flow ? step_model.step(StepState{}, *flow) : step_model.step_incremental(StepState{});
  nominal_step_ns = costs->step_time_ns(StepState{});
}

SchemeContext scheme_context(const World& world, const SchemeSpec& spec) {
  const Scenario& s = world.scenario;
  const CompensationCost compensation = compensation_cost(s.job, s.gpu, s.cluster, spec.estimator, spec.sketch_width,
                                                          world.nominal_step.hidden_gradient_reduction_s);
  const double stop_rate = faults::job_stop_rate_per_s(world.fault_model, world.cluster, world.placement.job_nodes());
  const double restart_rate = restart_rate_per_s(world.fault_model);
  SchemeContext context{.cluster = s.cluster,
                        .layout = s.job.layout,
                        .domains = world.domains,
                        .bytes = state_bytes(s.job),
                        .global_batch_samples = static_cast<double>(s.job.global_batch),
                        .step_time_ns = world.nominal_step_ns};
  if (stop_rate > 0) context.stop_mtti_s = 1 / stop_rate;
  if (restart_rate > 0) context.restart_mtti_s = 1 / restart_rate;
  context.compensation_always_s = compensation.always_s;
  context.compensation_while_missing_s = compensation.while_missing_s;
  return context;
}

}  // namespace toposim::sim
