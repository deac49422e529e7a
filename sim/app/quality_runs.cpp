#include "sim/app/quality_runs.hpp"

#include "analysis/time_to_quality.hpp"
#include "sim/schemes/make_scheme.hpp"

namespace toposim::sim {

QualityRuns::QualityRuns(World& world, const std::vector<std::optional<MeasuredStatistics>>& measured)
    : world_(world), schemes_(measured.size()) {
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (!measured[i]) continue;
    any_ = true;
    OfScheme& made = schemes_[i];
    made.measured_on = measured[i]->measured_on;
    made.source = measured[i]->source;
    made.progress.resize(static_cast<std::size_t>(world.scenario.run.replicas));
    const SchemeSpec& spec = world.scenario.schemes[i];
    SchemeContext context = scheme_context(world, spec);
    for (const MeasuredProgress& seed : measured[i]->per_seed) {
      context.measured_progress = seed;
      made.of_seed.push_back(make_scheme(spec, context));
    }
  }
}

void QualityRuns::run(std::int64_t replica, std::size_t scheme, const Outages& outages) {
  OfScheme& of = schemes_[scheme];
  if (of.of_seed.empty()) return;
  std::vector<double>& progress = of.progress[static_cast<std::size_t>(replica)];
  for (const auto& seed : of.of_seed)
    progress.push_back(
        goodput_progress(simulate(world_.job_map, *seed, outages, *world_.costs), world_.nominal_step_ns));
}

std::optional<analysis::TimeToQuality> QualityRuns::time_to_quality(std::size_t scheme,
                                                                    const std::vector<LifecycleResult>& runs) const {
  const OfScheme& of = schemes_[scheme];
  const SchemeSpec& spec = world_.scenario.schemes[scheme];
  const bool whole_batches = spec.kind == SchemeKind::checkpoint_restart || spec.redistribute_batch;
  if (!any_ || (of.of_seed.empty() && !whole_batches)) return std::nullopt;
  std::vector<double> progress, progress_of_seed(of.of_seed.size(), 0);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    progress.push_back(goodput_progress(runs[i], world_.nominal_step_ns));
    for (std::size_t s = 0; s < progress_of_seed.size(); ++s)
      progress_of_seed[s] += of.progress[i][s] / static_cast<double>(runs.size());
  }
  analysis::TimeToQuality made = analysis::time_to_quality(world_.scenario.run.duration_s, progress, progress_of_seed);
  made.measured_on = of.measured_on;
  made.source = of.source;
  return made;
}

}  // namespace toposim::sim
