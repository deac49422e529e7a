#pragma once
// One training run of virtual workers under faults, through the trainer that a real job would link.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/emulator/correction.hpp"
#include "sim/emulator/dealer.hpp"
#include "sim/emulator/step_faults.hpp"
#include "sim/trainer/topology_aware_trainer.hpp"
#include "sim/workloads/optimizer.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::emulator {

struct RunSpec {
  std::uint64_t steps = 300, seed = 1;
  std::vector<std::uint32_t> worker_domain, sample_domain;
  std::vector<std::uint32_t> sample_worker;  ///< per sample, for Sharing::subclustered
  DealSpec deal;
  StepFaultSpec faults;
  Redeal redeal = Redeal::none;  ///< once workers are gone for good and the run goes on without them
  std::string estimator = "shrink";
  double domain_threshold = 0.25;
  bool int8 = false;  ///< gradients are exchanged in int8
  std::size_t sketch_width = 512;
  std::size_t centroid_width = 0;
  std::vector<float> worker_centroids;
  CorrectionSpec correction;
  double clip_norm = 0;    ///< the step's gradient is shortened to this length where it is longer; 0: never
  bool normalise = false;  ///< it is given the length clip_norm whatever it was
  workloads::OptimizerSettings optimizer;
  workloads::CosineSchedule schedule;  ///< its total_steps are set to `steps`
  std::uint64_t evaluate_every = 0;    ///< held-out loss after every n-th step, beside the end's; 0: never
  std::size_t evaluation_limit = 10'000;
  double step_time_s = 1;  ///< of the virtual clock
  int threads = 1;
};

struct RunResult {
  std::vector<double> losses;                              ///< per step: mean over all workers, the dead ones' too
  std::vector<std::pair<std::uint64_t, double>> held_out;  ///< steps done, loss; the last is that of `evaluation`
  workloads::Evaluation evaluation;
  std::vector<float> parameters;  ///< the mean of copies
  std::uint64_t compensated_steps = 0;
  std::uint64_t full_recoveries = 0;  ///< the dead were replaced and the step repeated with all workers
  std::uint64_t dead_worker_steps = 0;
  double detect_s = 0;                 ///< waited for missing workers, in all
  std::vector<double> copy_distances;  ///< per step, where domains have copies of their own (ParameterCopies::distance)
};

/// Looks on; each may be empty, and may throw to stop the run.
struct RunObserver {
  /// After the backward pass: parameters before the update (of the first copy), row of gradients per worker, the dead
  /// ones' too.
  std::function<void(std::uint64_t step, std::span<const float> parameters, std::span<const float> gradients)>
      gradients;
  /// Where dead workers were estimated: row of gradients per worker, theirs too, and what the trainer made of the
  /// others.
  std::function<void(std::uint64_t step, std::span<const float> gradients, const trainer::StepReport& report,
                     std::span<const float> applied)>
      compensated;
  std::function<void(std::uint64_t step)> step_done;
};

/// After a full recovery from a lasting fault the workers are back for good. Throws std::invalid_argument where the
/// specification does not fit the workload. The same bits for any number of threads.
RunResult run_training(const workloads::Workload& workload, const RunSpec& spec, const RunObserver& observer = {});

}  // namespace toposim::emulator
