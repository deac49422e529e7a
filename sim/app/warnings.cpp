#include "sim/app/warnings.hpp"

#include <fmt/format.h>

#include "analysis/number_text.hpp"
#include "sim/step/memory_use.hpp"
#include "topology/imported_fabric.hpp"

namespace toposim::sim {
namespace {

double setting(const Scheme& scheme, std::string_view name) {
  for (const auto& [key, value] : scheme.settings())
    if (key == name) return value;
  return 0;
}

}  // namespace

std::vector<std::string> scenario_warnings(const Scenario& scenario) {
  std::vector<std::string> warnings;
  const MemoryUse memory = memory_use(scenario.job, scenario.gpu);
  if (!memory.fits())
    warnings.push_back(fmt::format(
        "the job does not fit: it needs {:.1f} GB of GPU memory and a GPU has {:.1f} GB; raise the tensor or pipeline "
        "degree, the ZeRO stage or recomputation",
        memory.total() * 1e-9, memory.capacity * 1e-9));
  if (scenario.cluster.import)
    for (const std::string& warning : scenario.cluster.import->warnings)
      warnings.push_back(fmt::format("{}: {}", scenario.cluster.import->file, warning));
  if (scenario.cluster.fabric_sharp && scenario.job.zero_stage >= 1)
    warnings.push_back(
        fmt::format("cluster.fabric.sharp makes all-reduce faster, and with zero_stage {} gradients are reduced by a "
                    "reduce-scatter: it changes nothing",
                    scenario.job.zero_stage));
  return warnings;
}

std::vector<std::string> step_warnings(const Scenario& scenario, const Scheme& scheme, std::int64_t step_ns) {
  std::vector<std::string> warnings;
  const double step_s = 1e-9 * static_cast<double>(step_ns);
  if (to_ns(scenario.run.duration_s, "run.duration") < step_ns)
    warnings.push_back(fmt::format("no step ends within run.duration, {}: one takes {}",
                                   analysis::human_duration(scenario.run.duration_s),
                                   analysis::human_duration(step_s)));
  const CheckpointPlan& plan = scheme.checkpoints();
  if (plan.write_ns > plan.interval_steps * step_ns)
    warnings.push_back(
        fmt::format("{}: a checkpoint is due every {} and takes {} to write, so the job waits for each; set a longer "
                    "checkpoint.interval, or faster storage",
                    scheme.name(), analysis::human_duration(step_s * static_cast<double>(plan.interval_steps)),
                    analysis::human_duration(1e-9 * static_cast<double>(plan.write_ns))));
  return warnings;
}

std::vector<std::string> run_warnings(const SchemeSpec& spec, const Scheme& scheme,
                                      const std::vector<LifecycleResult>& runs) {
  constexpr double far_more_often = 4, enough_to_tell = 10;
  const double expected_s = setting(scheme, "mtti_s");
  if (spec.checkpoint.interval_rule == CheckpointSpec::Interval::fixed || expected_s <= 0) return {};
  double wall_s = 0, recoveries = 0;
  for (const LifecycleResult& run : runs) {
    wall_s += 1e-9 * static_cast<double>(run.wall_ns);
    recoveries += static_cast<double>(run.full_recoveries);
  }
  if (recoveries < enough_to_tell || wall_s / recoveries * far_more_often > expected_s) return {};
  return {fmt::format(
      "{}: its checkpoint interval, {}, suits a full recovery every {}, and there was one every {}; try "
      "checkpoint.mtti: {:.3g}h",
      scheme.name(), analysis::human_duration(setting(scheme, "checkpoint_interval_s")),
      analysis::human_duration(expected_s), analysis::human_duration(wall_s / recoveries), wall_s / recoveries / 3600)};
}

}  // namespace toposim::sim
