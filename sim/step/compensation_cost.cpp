#include "sim/step/compensation_cost.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/estimators/estimator.hpp"
#include "kernels/kernel_cost.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {
namespace {

double tree_rounds(double ranks) {
  return ranks > 1 ? std::ceil(std::log2(ranks)) : 0;
}

}  // namespace

CompensationCost compensation_cost(const JobSpec& job, const GpuSpec& gpu, const topology::ClusterSpec& cluster,
                                   const std::string& estimator, std::int64_t sketch_width, double hidden_reduction_s) {
  const estimators::EstimatorNeeds needs = estimators::estimator(estimator).needs;
  if (sketch_width < 1) throw std::invalid_argument(fmt::format("sketch_width = {} must be at least 1", sketch_width));
  constexpr double fp32_bytes = 4;
  const kernels::DeviceSpec device{gpu.kernel_bandwidth_Bps > 0 ? gpu.kernel_bandwidth_Bps : gpu.memory_bandwidth_Bps,
                                   gpu.kernel_launch_s};
  const double elements = fullest_stage(job).parameters();
  const double n = static_cast<double>(job.layout.data);
  const double model_ranks = static_cast<double>(job.layout.tensor * job.layout.pipeline);
  const double width = static_cast<double>(sketch_width);

  CompensationCost cost;
  cost.scale_s = kernels::scale_s(device, elements, job.gradient_bytes);
  cost.sketch_s = kernels::sketch_s(device, elements, job.gradient_bytes);
  cost.gram_s = kernels::gram_s(device, n, width);
  const double wires_s = 2 * cluster.access.latency_s + 2 * cluster.uplink.latency_s;
  const double round_s = job.latency.network_round_s + wires_s;
  const auto messages_s = [&](double rounds, double bytes) {
    return rounds * round_s + bytes / (cluster.access.bandwidth_Bps * job.latency.network_efficiency);
  };
  cost.exchange_s = messages_s(tree_rounds(n), (n - 1) * width * fp32_bytes) +
                    messages_s(2 * tree_rounds(model_ranks), model_ranks > 1 ? 2 * n * n * fp32_bytes : 0) +
                    messages_s(tree_rounds(n), n > 1 ? n * fp32_bytes : 0);
  cost.lost_overlap_s = hidden_reduction_s;

  if (needs.gradient_history) cost.always_s = cost.sketch_s;
  if (needs.scaling) cost.while_missing_s += cost.scale_s;
  if (needs.gradients) cost.while_missing_s += cost.sketch_s + cost.gram_s + cost.exchange_s + cost.lost_overlap_s;
  return cost;
}

}  // namespace toposim::sim
