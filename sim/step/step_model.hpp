#pragma once
// How long one optimizer step takes, and on what. Exposed times sum to the step; hidden communication is listed apart.
//
// Assumptions, each with its source where it is computed (compute_time.hpp, communication.hpp, step_model.cpp): layers
// are spread evenly over stages; every replica does the same work; tensor, context and expert communication lies
// between kernels of one micro-batch and so lengthens the pipeline bubble with it.
#include <cstdint>
#include <memory>

#include "sim/fabric/fabric_model.hpp"
#include "sim/step/job_spec.hpp"
#include "sim/step/memory_use.hpp"
#include "sim/step/step_state.hpp"
#include "sim/step/transformer.hpp"
#include "topology/placement.hpp"

namespace toposim::sim {

struct StepBreakdown {
  // Exposed: they sum to step_time_s, in this order.
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
  double hidden_tensor_parallel_s = 0, hidden_pipeline_s = 0, hidden_context_parallel_s = 0, hidden_data_parallel_s = 0;
  double hidden_gradient_reduction_s = 0;  ///< of hidden_data_parallel_s: before the optimizer; the rest is parameters
  double gradient_window_s = 0, parameter_window_s = 0;  ///< compute that their exchanges can hide under
  // Shape.
  double model_flops = 0;          ///< of the step, every replica that takes part
  double mfu = 0;                  ///< model_flops / (GPUs that take part x peak x step_time_s)
  std::int64_t micro_batches = 0;  ///< per replica that takes part
  Algorithm data_parallel_algorithm{};
  double data_parallel_busbw_Bps = 0;
};

class StepModel {
 public:
  /// Keeps references to the router, its cluster and the placement. Prices the healthy step once, at bottleneck
  /// fidelity. Throws std::invalid_argument where the job cannot be run as asked (see micro_batches, peak_flops), or
  /// topology::TopologyError where the fabric cannot carry it.
  StepModel(const JobSpec& job, const GpuSpec& gpu, const topology::Router& router,
            const topology::Placement& placement);
  ~StepModel();
  StepModel(const StepModel&) = delete;
  StepModel& operator=(const StepModel&) = delete;

  /// Every phase of communication asked of `model` in full. A pure function of its arguments, any thread. Throws
  /// std::invalid_argument if nobody is left or the state is out of range, TopologyError where no route is left.
  StepBreakdown step(const StepState& state, FabricModel& model) const;
  /// The same at bottleneck fidelity, priced as a difference to the healthy state: tens of microseconds.
  StepBreakdown step_incremental(const StepState& state) const;

  const JobSpec& job() const;
  const GpuSpec& gpu() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace toposim::sim
