#pragma once
// What a scheme needs to know about the job and the cluster to price its recovery. Made once per scenario.
#include <cstdint>
#include <limits>
#include <optional>

#include "faults/fault_timeline.hpp"
#include "sim/schemes/measured_progress.hpp"
#include "sim/step/state_bytes.hpp"
#include "topology/cluster_spec.hpp"
#include "topology/domains.hpp"

namespace toposim::sim {

struct SchemeContext {
  topology::ClusterSpec cluster;
  topology::ParallelLayout layout;
  topology::Domains domains;
  StateBytes bytes;
  double global_batch_samples = 1;
  std::int64_t step_time_ns = 1;  ///< of the healthy job
  /// Mean time until something the job uses stops (faults::job_stop_rate_per_s), and until the whole job is stopped by
  /// what no replica scheme survives (restart_rate_per_s). Infinite: never.
  double stop_mtti_s = std::numeric_limits<double>::infinity();
  double restart_mtti_s = std::numeric_limits<double>::infinity();
  /// What compensation adds to a step: always (scaling), and while replicas are missing (sketch, Gram, coefficients).
  double compensation_always_s = 0, compensation_while_missing_s = 0;
  std::optional<MeasuredProgress> measured_progress = std::nullopt;  ///< in place of what StatisticsSpec assumes
};

/// Expected rate of unplanned faults that stop the whole job: the job-wide share of the classes that hit the job.
double restart_rate_per_s(const faults::FaultModel& model);

}  // namespace toposim::sim
