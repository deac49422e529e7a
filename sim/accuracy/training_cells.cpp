#include "sim/accuracy/training_cells.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

namespace toposim::accuracy {
namespace {

struct Job {
  std::size_t cell = 0, run = 0;
  emulator::RunSpec spec;
};

constexpr double bytes_at_once = 2e9;  // gradients of all runs that go on side by side

}  // namespace

std::uint64_t steps_of(const TrainingSpec& training, double budget) {
  return static_cast<std::uint64_t>(std::max(1LL, std::llround(budget * static_cast<double>(training.steps))));
}

emulator::RunSpec run_spec(const AccuracySpec& spec, const DataPlacement& placement, const FaultCaseSpec* faults,
                           const SchemeSpec* scheme, std::uint64_t steps, std::uint64_t seed) {
  emulator::RunSpec run;
  run.steps = steps;
  run.seed = seed;
  run.worker_domain = placement.worker_domain;
  run.sample_domain = placement.sample_domain;
  run.sample_worker = placement.sample_worker;
  run.deal = {seed, spec.training.batch, spec.placement.sharing, spec.placement.global_mix};
  run.centroid_width = placement.centroid_width;
  run.worker_centroids = placement.worker_centroids;
  run.correction = spec.correction;
  run.clip_norm = spec.training.clip_norm;
  run.normalise = spec.training.normalise;
  run.optimizer = spec.training.optimizer;
  run.schedule = spec.training.schedule;
  run.evaluate_every = spec.training.evaluate_every;
  run.evaluation_limit = spec.training.evaluation_samples;
  run.sketch_width = spec.sketch_width;
  run.estimator = "drop";
  if (faults != nullptr) {
    run.faults = faults->faults;
    run.faults.seed = seed;
    run.faults.steps = steps;
    run.redeal = faults->redeal;
    run.faults.from_step = static_cast<std::uint64_t>(std::llround(faults->from * static_cast<double>(steps)));
  }
  if (scheme != nullptr) {
    run.estimator = scheme->estimator;
    run.domain_threshold = scheme->domain_threshold;
    run.int8 = scheme->int8;
  }
  return run;
}

std::vector<TrainingCell> train_cells(const workloads::Workload& workload, const AccuracySpec& spec,
                                      const DataPlacement& placement, const emulator::RunResult* first, int threads,
                                      const StudyHooks& hooks) {
  std::vector<TrainingCell> cells;
  for (const double budget : spec.training.budgets) {
    const std::uint64_t steps = steps_of(spec.training, budget);
    cells.push_back({nullptr, nullptr, steps, {}});
    for (const FaultCaseSpec& faults : spec.faults)
      for (const SchemeSpec& scheme : spec.schemes) cells.push_back({&faults, &scheme, steps, {}});
  }
  std::vector<Job> jobs;
  std::int64_t steps_total = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    cells[c].runs.resize(spec.seeds);
    for (std::uint32_t i = 0; i < spec.seeds; ++i) {
      if (first != nullptr && i == 0 && cells[c].faults == nullptr && cells[c].steps == spec.training.steps) {
        cells[c].runs[0] = *first;
        continue;
      }
      jobs.push_back(
          {c, i, run_spec(spec, placement, cells[c].faults, cells[c].scheme, cells[c].steps, spec.seed + i)});
      steps_total += static_cast<std::int64_t>(cells[c].steps);
    }
  }
  // Small runs side by side, large ones one after another on all cores.
  const double run_bytes = 4.0 * static_cast<double>(workload.parameter_count()) * spec.training.workers;
  const bool side_by_side = run_bytes * threads <= bytes_at_once && static_cast<int>(jobs.size()) >= threads;
  std::int64_t steps_done = 0;
  const auto count = [&](std::uint64_t) {
#pragma omp critical(toposim_training_progress)
    {
      ++steps_done;
      if (hooks.count) hooks.count("training step", steps_done, steps_total);
    }
  };
  emulator::RunObserver observer;
  observer.step_done = count;
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(side_by_side ? std::max(threads, 1) : 1)
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    try {
      Job& job = jobs[j];
      job.spec.threads = side_by_side ? 1 : threads;
      emulator::RunResult result = emulator::run_training(workload, job.spec, observer);
      result.parameters = {};
      cells[job.cell].runs[job.run] = std::move(result);
      job.spec = {};
    } catch (...) {
#pragma omp critical(toposim_training_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return cells;
}

}  // namespace toposim::accuracy
