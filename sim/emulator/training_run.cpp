#include "sim/emulator/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/topokernels.hpp"
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

/// The parts of a run that its steps share.
class Run {
 public:
  Run(const workloads::Workload& workload, const RunSpec& spec, const RunObserver& observer)
      : workload_(workload),
        spec_(spec),
        observer_(observer),
        workers_(spec.worker_domain.size()),
        parameters_(workload.parameter_count()),
        dealer_(spec.deal, spec.sample_domain, spec.worker_domain, spec.sample_worker),
        faults_(spec.faults, spec.worker_domain),
        virtual_workers_(workload, workers_, spec.deal.batch, spec.threads),
        trainer_(make_trainer(workload, spec)),
        copies_(spec.correction, spec.worker_domain, workload.initial_parameters(spec.seed), spec.optimizer),
        samples_(workers_ * spec.deal.batch),
        applied_(parameters_),
        everyone_(workers_, 1),
        schedule_(spec.schedule) {
    schedule_.total_steps = spec.steps;
  }

  RunResult go() {
    for (std::uint64_t step = 0; step < spec_.steps; ++step) {
      dealer_.deal(samples_);
      backward(step);
      if (observer_.gradients) observer_.gradients(step, copies_.of(0), virtual_workers_.gradients());
      const auto losses = virtual_workers_.losses();
      result_.losses.push_back(std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(workers_));
      const trainer::StepReport report = reduce(step);
      if (spec_.clip_norm > 0) kernels::Kernels(spec_.threads).clip(applied_, spec_.clip_norm, spec_.normalise);
      copies_.step(trainer_.pool(), report, workloads::learning_rate(schedule_, step), applied_);
      if (copies_.count() > 1) result_.copy_distances.push_back(copies_.distance());
      if (spec_.evaluate_every > 0 && (step + 1) % spec_.evaluate_every == 0 && step + 1 < spec_.steps)
        result_.held_out.emplace_back(step + 1, workload_.evaluate(copies_.mean(), spec_.evaluation_limit).loss);
      if (observer_.step_done) observer_.step_done(step);
    }
    result_.parameters = copies_.mean();
    result_.evaluation = workload_.evaluate(result_.parameters, spec_.evaluation_limit);
    result_.held_out.emplace_back(spec_.steps, result_.evaluation.loss);
    return std::move(result_);
  }

 private:
  /// Workers of a domain are neighbours in number, so that a copy's are a range.
  void backward(std::uint64_t step) {
    if (copies_.count() == 1) return virtual_workers_.backward(copies_.of(0), samples_, {spec_.seed, step});
    for (std::size_t first = 0; first < workers_;) {
      std::size_t end = first + 1;
      while (end < workers_ && spec_.worker_domain[end] == spec_.worker_domain[first]) ++end;
      virtual_workers_.backward(
          copies_.of(spec_.worker_domain[first]),
          std::span<const std::uint32_t>(samples_).subspan(first * spec_.deal.batch, (end - first) * spec_.deal.batch),
          {spec_.seed, step}, first, end - first);
      first = end;
    }
  }

  trainer::StepReport take(const std::vector<std::uint8_t>& answered, bool slow) {
    return trainer_.step(virtual_workers_.gradients(), parameters_, answered, now_s_, applied_,
                         slow ? std::span<const std::uint8_t>(everyone_) : std::span<const std::uint8_t>());
  }

  /// What the trainer makes of the gradients of those who answer, in applied_.
  trainer::StepReport reduce(std::uint64_t step) {
    now_s_ += spec_.step_time_s;
    trainer::StepReport report =
        take(replaced_ ? everyone_ : faults_.answered(step), spec_.faults.pattern == FaultPattern::slow);
    result_.dead_worker_steps += report.missing.size();
    result_.detect_s += report.detect_s;
    now_s_ += report.detect_s;
    if (report.action == trainer::Action::full_recovery) {
      ++result_.full_recoveries;
      replaced_ = lasting(spec_.faults.pattern);
      return take(everyone_, false);
    }
    if (report.action == trainer::Action::compensated) {
      ++result_.compensated_steps;
      if (lasting(spec_.faults.pattern) && spec_.redeal != Redeal::none) dealer_.bury(report.missing, spec_.redeal);
      if (observer_.compensated) observer_.compensated(step, virtual_workers_.gradients(), report, applied_);
    }
    return report;
  }

  const workloads::Workload& workload_;
  const RunSpec& spec_;
  const RunObserver& observer_;
  std::size_t workers_, parameters_;
  Dealer dealer_;
  StepFaults faults_;
  VirtualWorkers virtual_workers_;
  trainer::TopologyAwareTrainer trainer_;
  ParameterCopies copies_;
  std::vector<std::uint32_t> samples_;
  std::vector<float> applied_;
  std::vector<std::uint8_t> everyone_;
  workloads::CosineSchedule schedule_;
  bool replaced_ = false;
  double now_s_ = 0;
  RunResult result_;
};

}  // namespace

RunResult run_training(const workloads::Workload& workload, const RunSpec& spec, const RunObserver& observer) {
  if (spec.sample_domain.size() != workload.sample_count())
    throw std::invalid_argument(fmt::format("training run: domains for {} samples, {} has {}",
                                            spec.sample_domain.size(), workload.name(), workload.sample_count()));
  return Run(workload, spec, observer).go();
}

}  // namespace toposim::emulator
