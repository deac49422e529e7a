#include "sim/emulator/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "sim/emulator/virtual_workers.hpp"

namespace toposim::emulator {
namespace {

trainer::TopologyAwareTrainer make_trainer(const workloads::Workload& workload, const RunSpec& spec) {
  trainer::TrainerSpec made;
  made.neighborhood.domain = spec.worker_domain;
  made.neighborhood.parameters = workload.parameter_count();
  made.neighborhood.sketch_width = spec.sketch_width;
  made.neighborhood.seed = spec.seed;
  made.neighborhood.centroid_width = spec.centroid_width;
  made.neighborhood.centroids = spec.worker_centroids;
  made.neighborhood.int8 = spec.int8;
  made.neighborhood.threads = spec.threads;
  made.estimator = spec.estimator;
  made.domain_threshold = spec.domain_threshold;
  return trainer::TopologyAwareTrainer(made);
}

}  // namespace

RunResult run_training(const workloads::Workload& workload, const RunSpec& spec, const RunObserver& observer) {
  if (spec.sample_domain.size() != workload.sample_count())
    throw std::invalid_argument(fmt::format("training run: domains for {} samples, {} has {}",
                                            spec.sample_domain.size(), workload.name(), workload.sample_count()));
  const std::size_t workers = spec.worker_domain.size(), parameters = workload.parameter_count();
  Dealer dealer(spec.deal, spec.sample_domain, spec.worker_domain, spec.sample_worker);
  const StepFaults faults(spec.faults, spec.worker_domain);
  VirtualWorkers virtual_workers(workload, workers, spec.deal.batch, spec.threads);
  trainer::TopologyAwareTrainer trainer = make_trainer(workload, spec);
  workloads::Optimizer optimizer(spec.optimizer, parameters);
  workloads::CosineSchedule schedule = spec.schedule;
  schedule.total_steps = spec.steps;

  RunResult result;
  result.parameters = workload.initial_parameters(spec.seed);
  std::vector<std::uint32_t> samples(workers * spec.deal.batch);
  std::vector<float> applied(parameters);
  const std::vector<std::uint8_t> everyone(workers, 1);
  const bool slow = spec.faults.pattern == FaultPattern::slow;
  bool replaced = false;
  double now_s = 0;
  for (std::uint64_t step = 0; step < spec.steps; ++step) {
    dealer.deal(samples);
    virtual_workers.backward(result.parameters, samples, {spec.seed, step});
    if (observer.gradients) observer.gradients(step, result.parameters, virtual_workers.gradients());
    const auto losses = virtual_workers.losses();
    result.losses.push_back(std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(workers));

    now_s += spec.step_time_s;
    const std::vector<std::uint8_t> answered = replaced ? everyone : faults.answered(step);
    trainer::StepReport report =
        trainer.step(virtual_workers.gradients(), parameters, answered, now_s, applied,
                     slow ? std::span<const std::uint8_t>(everyone) : std::span<const std::uint8_t>());
    result.dead_worker_steps += report.missing.size();
    result.detect_s += report.detect_s;
    now_s += report.detect_s;
    if (report.action == trainer::Action::full_recovery) {
      ++result.full_recoveries;
      replaced = lasting(spec.faults.pattern);
      trainer.step(virtual_workers.gradients(), parameters, everyone, now_s, applied);
    } else if (report.action == trainer::Action::compensated) {
      const bool measured = spec.measure_every > 0 && result.compensated_steps % spec.measure_every == 0;
      ++result.compensated_steps;
      if (lasting(spec.faults.pattern) && spec.redeal != Redeal::none) dealer.bury(report.missing, spec.redeal);
      if (measured) {
        result.errors.push_back(
            gradient_errors(virtual_workers.gradients(), parameters, spec.worker_domain, report, applied));
        result.errors.back().step = step;
      }
    }
    optimizer.step(workloads::learning_rate(schedule, step), applied, result.parameters);
    if (spec.evaluate_every > 0 && (step + 1) % spec.evaluate_every == 0 && step + 1 < spec.steps)
      result.held_out.emplace_back(step + 1, workload.evaluate(result.parameters, spec.evaluation_limit).loss);
    if (observer.step_done) observer.step_done(step);
  }
  result.evaluation = workload.evaluate(result.parameters, spec.evaluation_limit);
  result.held_out.emplace_back(spec.steps, result.evaluation.loss);
  return result;
}

}  // namespace toposim::emulator
