#include "sim/schemes/common.hpp"

#include <cmath>

#include "sim/schemes/make_scheme.hpp"

namespace toposim::sim {

std::string name_of(const SchemeSpec& spec) {
  return spec.name.empty() ? std::string(to_string(spec.kind)) : spec.name;
}

void add_restart(const RecoveryCosts& costs, StageList& stages) {
  stages.add(Bucket::spare_wait, Stage::by_state)
      .add(Bucket::reallocate, costs.reallocate_ns)
      .add(Bucket::comm_init, Stage::by_state)
      .add(Bucket::load, costs.load_ns)
      .add(Bucket::catch_up, costs.catch_up_ns);
}

std::vector<std::pair<std::string, double>> common_settings(const Scheme& scheme, const SchemeContext& context,
                                                            double mtti_s) {
  const RecoveryCosts& costs = scheme.costs();
  const CheckpointPlan& plan = scheme.checkpoints();
  const auto s = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
  std::vector<std::pair<std::string, double>> settings{
      {"checkpoint_interval_steps", static_cast<double>(plan.interval_steps)},
      {"checkpoint_interval_s", static_cast<double>(plan.interval_steps) * s(context.step_time_ns)},
      {"checkpoint_stall_s", s(plan.stall_ns)},
      {"checkpoint_write_s", s(plan.asynchronous ? plan.write_ns : plan.stall_ns)},
  };
  if (std::isfinite(mtti_s)) settings.emplace_back("mtti_s", mtti_s);
  settings.insert(settings.end(), {{"detect_s", s(costs.detect_ns)},
                                   {"reallocate_s", s(costs.reallocate_ns)},
                                   {"comm_init_s", s(costs.comm_init_ns(context.layout.data))},
                                   {"load_s", s(costs.load_ns)},
                                   {"catch_up_s", s(costs.catch_up_ns)}});
  return settings;
}

}  // namespace toposim::sim
