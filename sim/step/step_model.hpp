#pragma once
// How long one optimizer step takes, and on what. Exposed times sum to the step; hidden communication is listed apart.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/fabric/fabric_model.hpp"
#include "sim/step/job_spec.hpp"
#include "topology/fabric_state.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

/// What decides the cost of a step, beside the job itself. Equal values cost the same.
struct StepState {
  std::vector<std::uint32_t> missing_replicas;  ///< sorted; they take no part
  topology::FabricState fabric;
  double compute_speed = 1;  ///< of the slowest GPU that takes part, (0, 1]: everyone waits for it
  /// Survivors take over the missing replicas' micro-batches (the batch stays whole); else the batch shrinks.
  bool redistribute = false;
  bool nominal() const { return missing_replicas.empty() && fabric.healthy() && compute_speed == 1; }
  std::uint64_t hash() const;
  friend bool operator==(const StepState&, const StepState&) = default;
};

struct StepBreakdown {
  // Exposed: they sum to step_time_s.
  double compute_s = 0;
  double tensor_parallel_s = 0;
  double pipeline_bubble_s = 0;
  double pipeline_transfer_s = 0;
  double expert_parallel_s = 0;
  double context_parallel_s = 0;
  double data_parallel_s = 0;
  double optimizer_s = 0;
  double straggler_wait_s = 0;  ///< what the slowest GPU adds over nominal compute
  double step_time_s = 0;
  // Hidden under compute.
  double hidden_tensor_parallel_s = 0, hidden_pipeline_s = 0, hidden_data_parallel_s = 0;
  // Shape.
  double model_flops = 0;          ///< per step, the whole job
  double mfu = 0;                  ///< model_flops / (GPUs x peak x step_time_s)
  std::int64_t micro_batches = 0;  ///< per replica
  Algorithm data_parallel_algorithm{};
  double data_parallel_busbw_Bps = 0;
};

struct MemoryUse {  // bytes per GPU, the fullest stage
  double weights = 0, gradients = 0, optimizer = 0, activations = 0;
  double total() const { return weights + gradients + optimizer + activations; }
  double capacity = 0;
  bool fits() const { return total() <= capacity; }
};

double parameter_count(const ModelSpec& model);
/// Forward and backward FLOPs for one token, attention included (Megatron-LM's count, arXiv 2104.04473 eq. 3, extended
/// to grouped queries and gated feed-forward). Recomputation is not model FLOPs and is not counted here.
double model_flops_per_token(const ModelSpec& model);
MemoryUse memory_use(const JobSpec& job, const GpuSpec& gpu);

class StepModel {
 public:
  StepModel(const JobSpec& job, const GpuSpec& gpu, const topology::Router& router,
            const topology::Placement& placement);
  ~StepModel();
  StepModel(const StepModel&) = delete;
  StepModel& operator=(const StepModel&) = delete;

  /// A pure function of its arguments. With the bottleneck model the data-parallel traffic of a state is priced as a
  /// difference to the healthy state; any other model is asked for each phase in full. Any thread.
  StepBreakdown step(const StepState& state, FabricModel& model) const;
  StepBreakdown step_incremental(const StepState& state) const;  ///< bottleneck fidelity, tens of microseconds

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace toposim::sim
