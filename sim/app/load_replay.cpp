#include "sim/app/load_replay.hpp"

#include <fmt/format.h>

#include "faults/replay/replay.hpp"
#include "faults/trace/error.hpp"
#include "faults/trace/read_trace.hpp"
#include "sim/app/study.hpp"

namespace toposim::sim {

void load_replay(Scenario& scenario) {
  const faults::ReplaySpec& spec = scenario.replay;
  if (spec.file.empty()) return;
  try {
    faults::ReadPolicies policies;
    policies.lenient = spec.lenient;
    policies.keep_planned = spec.keep_planned;
    const faults::Trace trace = faults::read_trace(spec.file, policies);
    scenario.replayed =
        std::make_shared<const faults::Replay>(trace, spec, static_cast<std::uint32_t>(scenario.cluster.total_nodes()));
    scenario.faults = scenario.replayed->classes();
  } catch (const faults::TraceError& error) {
    throw ScenarioError(
        fmt::format("faults.trace: {}; --set faults.trace.file=PATH takes it from elsewhere", error.what()));
  }
}

}  // namespace toposim::sim
