#include "sim/app/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "analysis/statistics.hpp"
#include "faults/impact.hpp"
#include "faults/replay/replay.hpp"
#include "sim/app/collect.hpp"
#include "sim/app/cross_check.hpp"
#include "sim/app/describe.hpp"
#include "sim/app/measured_statistics.hpp"
#include "sim/app/quality_runs.hpp"
#include "sim/app/replicas.hpp"
#include "sim/app/resources.hpp"
#include "sim/app/theory.hpp"
#include "sim/app/version.hpp"
#include "sim/app/warnings.hpp"
#include "sim/app/world.hpp"
#include "sim/exact/exact_run.hpp"
#include "sim/lifecycle/lifecycle.hpp"
#include "sim/schemes/make_scheme.hpp"

namespace toposim::sim {
namespace {

std::int64_t duration_ns(const Scenario& scenario) {
  return to_ns(scenario.run.duration_s, "run.duration");
}

faults::FaultTimeline draw_faults(const World& world, std::uint32_t replica, std::int64_t horizon_ns) {
  const Scenario& s = world.scenario;
  return s.replayed ? s.replayed->draw(s.run.seed, replica, horizon_ns)
                    : world.fault_model.draw(s.run.seed, replica, horizon_ns);
}

/// Whether the 95 % interval of every scheme's mean ETTR is narrower than asked for on either side.
bool precise_enough(const std::vector<std::vector<LifecycleResult>>& runs, std::int64_t done, double half_width) {
  for (std::size_t scheme = 0; scheme < runs.front().size(); ++scheme) {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(done));
    for (std::int64_t i = 0; i < done; ++i) values.push_back(ettr(runs[static_cast<std::size_t>(i)][scheme]));
    const auto summary = analysis::summarise(std::span<const double>(values));
    if (!summary.interval || summary.interval->half_width() > half_width) return false;
  }
  return true;
}

/// The first replica's window in SimGrid's own clock, for every scheme, beside the same window on the fast path.
void check_exact(const World& world, const std::vector<std::unique_ptr<Scheme>>& schemes, const Outages& outages,
                 const std::vector<LifecycleResult>& fast, Progress& progress, analysis::Results& results) {
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    progress.stage(fmt::format("running {} flow by flow in SimGrid", schemes[i]->name()));
    const ExactResult exact = exact_run(world.router, world.placement, world.step_model, world.job_map, *schemes[i],
                                        outages, outages.horizon_ns() / world.nominal_step_ns + 1);
    const auto kept = static_cast<double>(exact.kept_steps), fast_kept = static_cast<double>(fast[i].kept_steps);
    const double deviation = std::abs(kept - fast_kept) / std::max(1.0, kept);
    results.fabric.emplace_back(fmt::format("{}_exact_kept_steps", schemes[i]->name()), kept);
    results.fabric.emplace_back(fmt::format("{}_fast_kept_steps", schemes[i]->name()), fast_kept);
    results.fabric.emplace_back(fmt::format("{}_kept_steps_deviation", schemes[i]->name()), deviation);
    // One step in flight at the end of the window may fall on either side.
    if (deviation > cross_check_bound && std::abs(kept - fast_kept) > 1) {
      throw StudyError(fmt::format(
          "{}: the first replica keeps {} steps flow by flow in SimGrid and {} on the fast path, more than {:.0f} % "
          "apart: the fast path cannot be trusted for this scenario",
          schemes[i]->name(), kept, fast_kept, 100 * cross_check_bound));
    }
  }
}

void check_fabric(const World& world, Progress& progress, analysis::Results& results) {
  const std::vector<StateUse> states = world.costs->states();
  results.fabric = {{"distinct_states", static_cast<double>(world.costs->misses())}};
  if (world.scenario.run.fidelity != Fidelity::bottleneck || world.scenario.run.cross_check_states < 0) return;
  progress.stage("cross-checking the fabric against SimGrid");
  const auto flow = make_flow_model(world.router);
  const CrossCheck check = cross_check(world.step_model, *flow, states, world.scenario.run.cross_check_states);
  results.fabric.emplace_back("checked_states", static_cast<double>(check.states));
  results.fabric.emplace_back("healthy_deviation", check.healthy_deviation);
  results.fabric.emplace_back("largest_deviation", check.largest_deviation);
  require_close(check);
}

void append(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
}

using Measured = std::vector<std::optional<MeasuredStatistics>>;

/// Of each scheme.
Measured read_measured(const Scenario& scenario) {
  Measured measured;
  for (const SchemeSpec& spec : scenario.schemes) measured.push_back(measured_statistics(spec, scenario.domains));
  return measured;
}

std::vector<std::unique_ptr<Scheme>> make_schemes(const World& world, const Measured& measured) {
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    SchemeContext context = scheme_context(world, world.scenario.schemes[i]);
    if (measured[i]) context.measured_progress = measured[i]->mean;
    schemes.push_back(make_scheme(world.scenario.schemes[i], context));
  }
  return schemes;
}

std::int64_t steps_at_most(const World& world) {
  return duration_ns(world.scenario) / world.nominal_step_ns + 1;
}

/// What the reader cannot know before a step is priced.
void require_possible(const World& world) {
  if (world.scenario.run.fidelity != Fidelity::exact || steps_at_most(world) <= exact_steps_max) return;
  throw ScenarioError(fmt::format(
      "run.fidelity: exact is for up to {} steps, and run.duration holds {} of {:.3g} s; shorten it to {:.0f}s, or "
      "use flow",
      exact_steps_max, steps_at_most(world), 1e-9 * static_cast<double>(world.nominal_step_ns),
      std::floor(1e-9 * static_cast<double>(world.nominal_step_ns) * (exact_steps_max - 1))));
}

std::vector<std::string> warnings_before(const World& world, const std::vector<std::unique_ptr<Scheme>>& schemes,
                                         const Measured& measured) {
  std::vector<std::string> warnings = scenario_warnings(world.scenario);
  for (const auto& one : measured)
    if (one) append(warnings, one->warnings);
  for (const auto& scheme : schemes) append(warnings, step_warnings(world.scenario, *scheme, world.nominal_step_ns));
  return warnings;
}

}  // namespace

std::vector<std::string> check_study(const Scenario& scenario) {
  const World world(scenario);
  require_possible(world);
  const Measured measured = read_measured(scenario);
  return warnings_before(world, make_schemes(world, measured), measured);
}

analysis::Results run_study(const Scenario& scenario, int threads, Progress& progress) {
  const double wall_start = wall_seconds();
  progress.stage("building the cluster and pricing a step");
  World world(scenario);
  require_possible(world);

  analysis::Results results;
  results.scenario_name = scenario.name;
  results.scenario_hash = scenario.hash;
  results.seed = scenario.run.seed;
  results.duration_s = scenario.run.duration_s;
  results.cluster = describe(scenario, world.cluster, world.placement, world.domains);
  collect_step(
      world.flow ? world.step_model.step(StepState{}, *world.flow) : world.step_model.step_incremental(StepState{}),
      results);
  collect_memory(memory_use(scenario.job, scenario.gpu), results);

  const Measured measured = read_measured(scenario);
  const std::vector<std::unique_ptr<Scheme>> schemes = make_schemes(world, measured);
  results.warnings = warnings_before(world, schemes, measured);
  QualityRuns quality(world, measured);

  const std::int64_t horizon_ns = duration_ns(scenario);
  std::vector<std::vector<LifecycleResult>> runs(static_cast<std::size_t>(scenario.run.replicas));
  const auto run_one = [&](std::int64_t replica) {
    const auto timeline = draw_faults(world, static_cast<std::uint32_t>(replica), horizon_ns);
    const Outages outages = make_outages(timeline, scenario.faults, world.cluster, horizon_ns);
    std::vector<LifecycleResult>& row = runs[static_cast<std::size_t>(replica)];
    row.reserve(schemes.size());
    for (std::size_t i = 0; i < schemes.size(); ++i) try {
        const Scheme* scheme = schemes[i].get();
        quality.run(replica, i, outages);
        if (replica > 0) {
          row.push_back(simulate(world.job_map, *scheme, outages, *world.costs));
          continue;
        }
        // The first replica is the one whose every event goes to timeline.csv.
        LifecycleLog log(scenario.faults);
        row.push_back(simulate(world.job_map, *scheme, outages, *world.costs, &log));
        const auto rows = timeline_rows(scheme->name(), log.events);
        results.timeline.insert(results.timeline.end(), rows.begin(), rows.end());
      } catch (const UnmeasuredState& error) {
        throw StudyError(fmt::format("{}: {}", schemes[i]->name(), error.what()));
      }
  };
  ReplicaLoop loop{.replicas = scenario.run.replicas, .threads = threads, .run = run_one, .stop = {}, .progress = {}};
  loop.progress = [&](std::int64_t done) { progress.count("replica", done, scenario.run.replicas); };
  if (scenario.run.target_precision > 0)
    loop.stop = [&](std::int64_t done) { return precise_enough(runs, done, scenario.run.target_precision); };
  const std::int64_t done = run_replicas(loop);

  results.replicas_requested = scenario.run.replicas;
  results.replicas_done = done;
  const double price_per_hour = scenario.cluster.price_per_gpu_hour *
                                static_cast<double>(scenario.cluster.total_nodes() * scenario.cluster.gpus_per_node);
  const double all_stops_mtti_s =
      1 / faults::job_stop_rate_per_s(world.fault_model, world.cluster, world.placement.job_nodes(), true);
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    std::vector<LifecycleResult> of_scheme;
    of_scheme.reserve(static_cast<std::size_t>(done));
    for (std::int64_t run = 0; run < done; ++run) of_scheme.push_back(runs[static_cast<std::size_t>(run)][i]);
    const SchemeSpec& spec = scenario.schemes[i];
    append(results.warnings, run_warnings(spec, *schemes[i], of_scheme));
    results.schemes.push_back(
        {.name = schemes[i]->name(),
         .kind = std::string(to_string(spec.kind)),
         .metrics = lifecycle_metrics(of_scheme, world.nominal_step_ns, price_per_hour),
         .settings = schemes[i]->settings(),
         .assumptions = schemes[i]->assumptions(),
         .closed_forms = closed_forms(spec, *schemes[i], scheme_context(world, spec), all_stops_mtti_s),
         .time_to_quality = quality.time_to_quality(i, of_scheme)});
  }
  check_fabric(world, progress, results);
  if (scenario.run.fidelity == Fidelity::exact) {
    const auto timeline = draw_faults(world, 0, horizon_ns);
    check_exact(world, schemes, make_outages(timeline, scenario.faults, world.cluster, horizon_ns), runs.front(),
                progress, results);
  }

  results.versions = version_facts();
  results.cost = {{"cpu_s", cpu_seconds()},
                  {"wall_s", wall_seconds() - wall_start},
                  {"memory_peak_bytes", static_cast<double>(peak_memory_bytes())},
                  {"threads", static_cast<double>(threads)},
                  {"step_cost_queries", static_cast<double>(world.costs->queries())},
                  {"step_cost_hits", static_cast<double>(world.costs->hits())},
                  {"step_cost_misses", static_cast<double>(world.costs->misses())}};
  return results;
}

}  // namespace toposim::sim
