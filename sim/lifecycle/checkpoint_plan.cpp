#include "sim/lifecycle/checkpoint_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/lifecycle/recovery_costs.hpp"

namespace toposim::sim {

namespace {
constexpr double century_s = 100 * 365.25 * 86400;
}

double young_interval_s(double stall_s, double mtti_s) {
  return std::sqrt(2 * stall_s * mtti_s);
}

double daly_interval_s(double stall_s, double mtti_s) {
  if (stall_s >= 2 * mtti_s) return mtti_s;
  const double ratio = stall_s / (2 * mtti_s);
  return std::sqrt(2 * stall_s * mtti_s) * (1 + std::sqrt(ratio) / 3 + ratio / 9) - stall_s;
}

double write_time_s(const CheckpointSpec& spec, const StateBytes& bytes, std::int64_t job_nodes) {
  if (spec.write_s >= 0) return spec.write_s;
  return std::max(bytes.checkpoint / spec.storage_write_Bps,
                  bytes.checkpoint / static_cast<double>(job_nodes) / spec.node_Bps);
}

double snapshot_time_s(const CheckpointSpec& spec, const StateBytes& bytes, const topology::ClusterSpec& cluster,
                       std::int64_t ranks) {
  if (spec.snapshot_s >= 0) return spec.snapshot_s;
  return bytes.checkpoint / static_cast<double>(ranks) / cluster.pcie.bandwidth_Bps;
}

CheckpointPlan resolve_checkpoints(const CheckpointSpec& spec, const StateBytes& bytes,
                                   const topology::ClusterSpec& cluster, const topology::ParallelLayout& layout,
                                   std::int64_t step_time_ns, double mtti_s) {
  const std::int64_t job_nodes = std::max<std::int64_t>(1, layout.ranks() / cluster.gpus_per_node);
  const double write_s = write_time_s(spec, bytes, job_nodes);
  CheckpointPlan plan;
  plan.asynchronous = spec.write == CheckpointSpec::Write::asynchronous;
  const double stall_s = plan.asynchronous ? snapshot_time_s(spec, bytes, cluster, layout.ranks()) : write_s;
  plan.stall_ns = to_ns(stall_s, plan.asynchronous ? "snapshot_s" : "write_s");
  plan.write_ns = plan.asynchronous ? to_ns(write_s, "write_s") : 0;

  double interval_s = spec.interval_s;
  std::int64_t least_steps = 1;
  if (spec.interval_rule == CheckpointSpec::Interval::fixed) {
    if (!(interval_s > 0))
      throw std::invalid_argument(fmt::format("checkpoint interval is {} s: expected more than 0", interval_s));
  } else {
    const double mtti = std::min(mtti_s, century_s);
    if (!(mtti > 0)) throw std::invalid_argument(fmt::format("mean time to interrupt is {} s", mtti_s));
    interval_s = spec.interval_rule == CheckpointSpec::Interval::young ? young_interval_s(stall_s, mtti)
                                                                       : daly_interval_s(stall_s, mtti);
    least_steps = std::max<std::int64_t>(1, (plan.write_ns + step_time_ns - 1) / step_time_ns);
  }
  const double steps = std::min(interval_s, century_s) * 1e9 / static_cast<double>(step_time_ns);
  plan.interval_steps = std::max<std::int64_t>(least_steps, std::llround(steps));
  return plan;
}

}  // namespace toposim::sim
