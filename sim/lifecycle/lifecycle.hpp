#pragma once
// Weeks of a job under faults and one scheme, on our own integer clock.
//
// Rules, the same for every scheme:
// - A fault that stops something the job uses stops the job: the collective in flight hangs until the fault is
//   detected. What follows is the scheme's Response.
// - A further such fault during a recovery, or while a replica rejoins, begins the recovery again for all losses
//   together; what was waited so far stays in its bucket. A checkpoint being written when the job stops is lost.
// - A fault of the whole job (software, ...) is over when the job has restarted: it puts no node under repair.
// - A node that fails leaves its slot to a spare for good; repaired, it is a spare itself. Spares fail too.
// - spare_wait ends at the first repair that makes Scheme::can_run true (checkpoint/restart: every slot filled).
// - A replica that came back waits for the next step boundary; all that are ready then share one stall.
// - Cables and slow nodes change the step time at once; the step in flight is stretched (Training). While no route is
//   left at all the job stands still, booked as spare_wait.
// - What happens at the same nanosecond: the job's own events, then repairs, then faults.
// - At the horizon, work since the last checkpoint counts as kept.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/lifecycle/job_map.hpp"
#include "sim/lifecycle/lifecycle_result.hpp"
#include "sim/lifecycle/outages.hpp"
#include "sim/lifecycle/scheme.hpp"
#include "sim/step/step_costs.hpp"

namespace toposim::sim {

/// Names of the fault classes, for the log.
struct LifecycleLog {
  explicit LifecycleLog(const faults::FaultSpec& spec) : faults(&spec) {}
  const faults::FaultSpec* faults;
  std::vector<LifecycleEvent> events;  ///< in order of time
};

/// One run until outages.horizon_ns(). A pure function of its arguments, any thread; `outages` must be sorted. Throws
/// std::invalid_argument for outages of nodes the job does not have, and what `costs` throws, but for TopologyError in
/// a broken state.
LifecycleResult simulate(const JobMap& job, const Scheme& scheme, const Outages& outages, StepCostModel& costs,
                         LifecycleLog* log = nullptr);

}  // namespace toposim::sim
