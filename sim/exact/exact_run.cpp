#include "sim/exact/exact_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "sim/exact/exact_fabric.hpp"
#include "sim/exact/exact_job.hpp"
#include "sim/exact/exact_step.hpp"
#include "sim/fabric/simgrid_engine.hpp"

namespace toposim::sim {
namespace {

void check(const topology::Cluster& cluster, const JobMap& job, const Scheme& scheme, std::int64_t steps) {
  if (cluster.gpu_count() > exact_gpus_max || steps > exact_steps_max)
    throw std::invalid_argument(fmt::format(
        "the exact fidelity is for windows of up to {} steps on up to {} GPUs; this is {} steps on {} GPUs, "
        "spares included: shorten run.duration, or set run.fidelity: flow",
        exact_steps_max, exact_gpus_max, steps, cluster.gpu_count()));
  if (steps < 0) throw std::invalid_argument(fmt::format("exact run of {} steps", steps));
  if (job.nodes() != cluster.node_count())
    throw std::invalid_argument(
        fmt::format("exact run: the job map has {} nodes, the cluster {}", job.nodes(), cluster.node_count()));
  const std::vector<std::uint32_t> first{0};
  const Response response = scheme.respond({false, false, first});
  if (response.from != ResumeFrom::checkpoint || !response.stages.has(Bucket::reallocate))
    throw std::invalid_argument(
        fmt::format("the exact fidelity plays schemes that restart the whole job from a checkpoint when it loses "
                    "anything; {} does not: give it to the flow or bottleneck fidelity",
                    scheme.name()));
}

}  // namespace

ExactResult exact_run(const topology::Router& router, const topology::Placement& placement, const StepModel& step_model,
                      const JobMap& job, const Scheme& scheme, const Outages& outages, std::int64_t steps) {
  check(router.cluster(), job, scheme, steps);
  if (steps == 0) return {};
  const StepPlanner planner(step_model, router, placement);
  ExactResult result;
  with_simgrid([&](SimgridEngine& engine) {
    ExactFabric fabric(engine, router);
    result = ExactJob(fabric, planner, job, scheme, outages, steps).run();
  });
  return result;
}

}  // namespace toposim::sim
