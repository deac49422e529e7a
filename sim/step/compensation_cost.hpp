#pragma once
// What estimating a dead replica's gradient from its neighbours adds to a step.
//
// A linear estimator is a vector of coefficients: the step's gradient is sum(a_i G_i) over survivors, so each survivor
// scales its own gradient by a_i before the reduction and no gradient travels. While no replica is missing nothing is
// estimated. What the coefficients depend on decides the rest:
//   nothing or embeddings only (drop, zero, uniform, literal, cosdist, softmax): known before the step;
//   this step's gradients (shrink): each GPU sketches its gradient, the sketches are gathered over the replicas, each
//     GPU computes the inner products of its own parameter shard, these are summed over the model-parallel ranks of the
//     replica, and the coefficients come back. The reduction cannot start before: what of it was hidden under the
//     backward pass is exposed;
//   earlier steps' gradients (ridge, stale, ema): the same, and the sketch of every step is kept, broken or not.
#include <cstdint>
#include <string>

#include "sim/step/job_spec.hpp"
#include "topology/cluster_spec.hpp"

namespace toposim::sim {

/// Parts in seconds per step, each as if paid; always_s and while_missing_s say what is.
struct CompensationCost {
  double scale_s = 0;
  double sketch_s = 0;
  double gram_s = 0;
  double exchange_s = 0;       ///< sketches out, inner products summed, coefficients back
  double lost_overlap_s = 0;   ///< gradient reduction no longer hidden under the backward pass
  double always_s = 0;         ///< added to every step, replicas missing or not
  double while_missing_s = 0;  ///< added to a step with one or more replicas missing, beside always_s
};

/// Kernels by kernels/kernel_cost.hpp at the bandwidth measured for them, or the datasheet's where none was, over the
/// fullest stage's parameters, gradients of gradient_bytes a value. Messages, by tree of ceil(log2 n) rounds (Chan et
/// al. 2007, "Collective communication", section 4): n = data sketches of sketch_width fp32 values gathered, 4 n^2
/// bytes of inner products summed up and down over the ranks of a replica, 4 n bytes of coefficients back; each round
/// pays software latency and the wires from NIC to NIC through leaf and spine. hidden_reduction_s:
/// StepBreakdown::hidden_gradient_reduction_s. Throws std::invalid_argument for an unknown estimator or a sketch width
/// below 1.
CompensationCost compensation_cost(const JobSpec& job, const GpuSpec& gpu, const topology::ClusterSpec& cluster,
                                   const std::string& estimator, std::int64_t sketch_width, double hidden_reduction_s);

}  // namespace toposim::sim
