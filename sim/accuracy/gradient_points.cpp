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

std::size_t history_of(const AccuracySpec& spec) {
  return std::any_of(
             spec.schemes.begin(), spec.schemes.end(),
             [](const SchemeSpec& scheme) { return estimators::estimator(scheme.estimator).needs.gradient_history; })
             ? estimators::history_steps
             : 0;
}

void require_memory(const workloads::Workload& workload, const AccuracySpec& spec, double available_bytes) {
  const std::size_t history = history_of(spec);
  const double gradients =
      4.0 * static_cast<double>(workload.parameter_count()) * spec.training.workers * static_cast<double>(1 + history);
  const double needed =
      gradients +
      (spec.gradient.draws > 0 ? similarity_bytes(spec.training.workers, 1 + history, workload.groups().size()) : 0);
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
        history_(history_of(spec)),
        steps_(measured_steps(spec)) {}

  void look(std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients) {
    if (points.size() == steps_.size()) return;
    const std::uint64_t next = steps_[points.size()];
    if (step == next) measure(step, parameters, gradients);
    if (points.size() == steps_.size()) {
      past_.clear();
      if (spec_.seeds == 0) throw Enough{};
      return;
    }
    if (history_ == 0 || step + history_ < steps_[points.size()]) return;
    past_.emplace_front(gradients.begin(), gradients.end());
    if (past_.size() > history_) past_.pop_back();
  }

  std::vector<GradientPoint> points;

 private:
  void measure(std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients) {
    const std::size_t n = workload_.parameter_count();
    if (hooks_.stage) hooks_.stage(fmt::format("step {}: the gradient over all samples", step));
    const double mix = spec_.placement.sharing == emulator::Sharing::iid
                           ? 1
                           : std::lround(spec_.placement.global_mix * spec_.training.batch) /
                                 static_cast<double>(spec_.training.batch);
    const auto population = emulator::population_gradient(
        emulator::domain_gradients(workload_, parameters, placement_.sample_domain, {spec_.seed, step}, threads_),
        placement_.sample_domain, placement_.worker_domain, mix);
    if (hooks_.stage) hooks_.stage(fmt::format("step {}: inner products of all gradients", step));
    SimilaritySpec wanted;
    wanted.step = step;
    wanted.workers = spec_.training.workers;
    wanted.ages = 1 + past_.size();
    for (const workloads::LayerGroup& group : workload_.groups())
      wanted.groups.push_back({group.name, group.begin, group.end});
    wanted.sketch_width = spec_.sketch_width;
    wanted.seed = spec_.seed;
    wanted.population = population;
    wanted.threads = threads_;
    const StepSimilarities similarities =
        similarities_of(wanted, [&](std::size_t age, std::size_t worker, std::size_t begin, std::size_t end) {
          const std::span<const float> rows = age == 0 ? gradients : std::span<const float>(past_[age - 1]);
          return rows.subspan(worker * n + begin, end - begin);
        });
    GradientPoint point{scene_of(similarities, placement_.worker_domain, spec_.training.batch), {}};
    for (const FaultCaseSpec& faults : spec_.faults) {
      if (hooks_.stage) hooks_.stage(fmt::format("step {}: failure draws of {}", step, faults.name));
      point.draws.push_back(draw_failures(similarities, faults, spec_.schemes,
                                          {.domain = placement_.worker_domain,
                                           .centroid_width = placement_.centroid_width,
                                           .centroids = placement_.worker_centroids,
                                           .draws = spec_.gradient.draws,
                                           .seed = spec_.seed,
                                           .threads = threads_}));
    }
    points.push_back(std::move(point));
  }

  const workloads::Workload& workload_;
  const AccuracySpec& spec_;
  const DataPlacement& placement_;
  int threads_;
  const StudyHooks& hooks_;
  std::size_t history_;
  std::vector<std::uint64_t> steps_;
  std::deque<std::vector<float>> past_;  // newest first
};

}  // namespace

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
  const emulator::RunObserver observer{
      [&](std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients) {
        measuring.look(step, parameters, gradients);
      },
      [&](std::uint64_t step) {
        if (hooks.count)
          hooks.count("fault-free step", static_cast<std::int64_t>(step + 1),
                      static_cast<std::int64_t>(spec.training.steps));
      }};
  try {
    run.result = emulator::run_training(workload, fault_free, observer);
    run.result.parameters = {};
  } catch (const Enough&) {
  }
  run.points = std::move(measuring.points);
  return run;
}

}  // namespace toposim::accuracy
