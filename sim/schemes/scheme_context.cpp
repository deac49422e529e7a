#include "sim/schemes/scheme_context.hpp"

namespace toposim::sim {

double restart_rate_per_s(const faults::FaultModel& model) {
  double rate_per_s = 0;
  const auto& classes = model.spec().classes;
  for (std::uint32_t i = 0; i < classes.size(); ++i) {
    const faults::FaultClassSpec& c = classes[i];
    if (c.component == faults::Component::job && c.kind == faults::FaultKind::fail_stop && !c.planned)
      rate_per_s += c.job_fraction * model.rate_per_s(i);
  }
  return rate_per_s;
}

}  // namespace toposim::sim
