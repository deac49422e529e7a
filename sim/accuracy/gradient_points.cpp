#include "sim/accuracy/gradient_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "kernels/estimators/estimator.hpp"
#include "sim/accuracy/training_cells.hpp"
#include "sim/emulator/population_gradient.hpp"

namespace toposim::accuracy {
namespace {

struct Enough {};  // thrown by an observer when no step is left to measure

void require_memory(const workloads::Workload& workload, const AccuracySpec& spec, double available_bytes) {
  const std::size_t history = lookback_of(spec).gradients;
  const double gradients =
      4.0 * static_cast<double>(workload.parameter_count()) * spec.training.workers * static_cast<double>(1 + history);
  const double needed =
      gradients +
      (spec.gradient.draws > 0
           ? similarity_bytes(spec.training.workers, 1 + history + (any_int8(spec) ? 1 : 0), workload.groups().size())
           : 0);
  if (needed <= available_bytes) return;
  throw AccuracyError(fmt::format(
      "training.workers = {}: gradients of {} parameters and their products need {:.1f} GB, and {:.1f} GB are free; "
      "take fewer workers{}",
      spec.training.workers, workload.parameter_count(), needed * 1e-9, available_bytes * 1e-9,
      history > 0 ? ", or leave out the estimators that look back (ridge, ridge+g, stale, ema, cv)" : ""));
}

/// Looks on while the fault-free run goes by.
class Measuring {
 public:
  Measuring(const workloads::Workload& workload, const AccuracySpec& spec, const DataPlacement& placement, int threads,
            const StudyHooks& hooks)
      : workload_(workload),
        spec_(spec),
        placement_(placement),
        threads_(threads),
        hooks_(hooks),
        back_(lookback_of(spec)),
        steps_(measured_steps(spec)) {}

  void look(std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients) {
    if (points.size() == steps_.size()) return;
    std::vector<float> sketches;
    const auto wanted = [&](std::size_t back) {
      return points.size() < steps_.size() && step + back >= steps_[points.size()];
    };
    if (wanted(back_.sketches)) sketches = sketches_of(similarity_spec(step), rows_of(gradients));
    if (wanted(0)) measure(step, parameters, gradients, sketches);
    if (points.size() == steps_.size()) {
      past_.clear();
      if (spec_.seeds == 0) throw Enough{};
      return;
    }
    if (wanted(back_.sketches) && back_.sketches > 0) {
      if (sketches.empty()) sketches = sketches_of(similarity_spec(step), rows_of(gradients));
      past_sketches_.push_front(std::move(sketches));
      if (past_sketches_.size() > back_.sketches) past_sketches_.pop_back();
    } else {
      past_sketches_.clear();
    }
    if (wanted(back_.gradients) && back_.gradients > 0) {
      past_.emplace_front(gradients.begin(), gradients.end());
      if (past_.size() > back_.gradients) past_.pop_back();
    } else {
      past_.clear();
    }
  }

  std::vector<GradientPoint> points;

 private:
  SimilaritySpec similarity_spec(std::uint64_t step) const {
    SimilaritySpec made;
    made.step = step;
    made.workers = spec_.training.workers;
    for (const workloads::LayerGroup& group : workload_.groups())
      made.groups.push_back({group.name, group.begin, group.end});
    made.sketch_width = spec_.sketch_width;
    made.seed = spec_.seed;
    made.threads = threads_;
    return made;
  }

  GradientRows rows_of(std::span<const float> gradients) const {
    return [this, gradients](std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
      const std::span<const float> rows = age == 0 ? gradients : std::span<const float>(past_[age - 1]);
      return rows.subspan(worker * workload_.parameter_count() + begin, end - begin);
    };
  }

  void measure(std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients,
               const std::vector<float>& sketches) {
    if (hooks_.stage) hooks_.stage(fmt::format("step {}: the gradient over all samples", step));
    const double mix = spec_.placement.sharing == emulator::Sharing::iid
                           ? 1
                           : std::lround(spec_.placement.global_mix * spec_.training.batch) /
                                 static_cast<double>(spec_.training.batch);
    // Gradients taken at different parameters estimate no common one.
    const auto population =
        spec_.correction.copies == emulator::Copies::per_domain
            ? std::vector<float>{}
            : emulator::population_gradient(emulator::domain_gradients(workload_, parameters, placement_.sample_domain,
                                                                       {spec_.seed, step}, threads_),
                                            placement_.sample_domain, placement_.worker_domain, mix);
    if (hooks_.stage) hooks_.stage(fmt::format("step {}: inner products of all gradients", step));
    SimilaritySpec wanted = similarity_spec(step);
    wanted.ages = 1 + past_.size();
    wanted.quantised = any_int8(spec_);
    wanted.population = population;
    std::vector<std::vector<float>> all_sketches = {sketches};
    all_sketches.insert(all_sketches.end(), past_sketches_.begin(), past_sketches_.end());
    const StepSimilarities similarities = similarities_of(wanted, rows_of(gradients), std::move(all_sketches));
    points.push_back(measure_point(similarities, spec_, placement_, spec_.training.batch, threads_, hooks_));
  }

  const workloads::Workload& workload_;
  const AccuracySpec& spec_;
  const DataPlacement& placement_;
  int threads_;
  const StudyHooks& hooks_;
  Lookback back_;
  std::vector<std::uint64_t> steps_;
  std::deque<std::vector<float>> past_, past_sketches_;  // newest first
};

}  // namespace

Lookback lookback_of(const AccuracySpec& spec) {
  Lookback back;
  for (const SchemeSpec& scheme : spec.schemes) {
    const estimators::EstimatorNeeds& needs = estimators::estimator(scheme.estimator).needs;
    if (needs.gradient_history) back.gradients = estimators::history_steps;
    back.sketches = std::max({back.sketches, back.gradients, needs.memory_steps});
  }
  return back;
}

bool any_int8(const AccuracySpec& spec) {
  return std::any_of(spec.schemes.begin(), spec.schemes.end(), [](const SchemeSpec& scheme) { return scheme.int8; });
}

GradientPoint measure_point(const StepSimilarities& similarities, const AccuracySpec& spec,
                            const DataPlacement& placement, std::uint32_t batch, int threads, const StudyHooks& hooks) {
  GradientPoint point{scene_of(similarities, placement.worker_domain, batch), {}};
  for (const FaultCaseSpec& faults : spec.faults) {
    if (hooks.stage) hooks.stage(fmt::format("step {}: failure draws of {}", similarities.step, faults.name));
    point.draws.push_back(draw_failures(similarities, faults, spec.schemes,
                                        {.domain = placement.worker_domain,
                                         .centroid_width = placement.centroid_width,
                                         .centroids = placement.worker_centroids,
                                         .draws = spec.gradient.draws,
                                         .seed = spec.seed,
                                         .threads = threads}));
  }
  return point;
}

std::vector<std::uint64_t> measured_steps(const AccuracySpec& spec) {
  std::vector<std::uint64_t> steps;
  if (spec.gradient.draws == 0) return steps;
  for (const double at : spec.gradient.at)
    steps.push_back(static_cast<std::uint64_t>(std::llround(at * static_cast<double>(spec.training.steps - 1))));
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

FaultFreeRun measure_gradients(const workloads::Workload& workload, const AccuracySpec& spec,
                               const DataPlacement& placement, double available_bytes, int threads,
                               const StudyHooks& hooks) {
  require_memory(workload, spec, available_bytes);
  Measuring measuring(workload, spec, placement, threads, hooks);
  FaultFreeRun run;
  emulator::RunSpec fault_free = run_spec(spec, placement, nullptr, nullptr, spec.training.steps, spec.seed);
  fault_free.threads = threads;
  emulator::RunObserver observer;
  observer.gradients = [&](std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients) {
    measuring.look(step, parameters, gradients);
  };
  observer.step_done = [&](std::uint64_t step) {
    if (hooks.count)
      hooks.count("fault-free step", static_cast<std::int64_t>(step + 1),
                  static_cast<std::int64_t>(spec.training.steps));
  };
  try {
    run.result = emulator::run_training(workload, fault_free, observer);
    run.result.parameters = {};
  } catch (const Enough&) {
  }
  run.points = std::move(measuring.points);
  return run;
}

}  // namespace toposim::accuracy
