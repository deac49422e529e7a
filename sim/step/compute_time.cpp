#include "sim/step/compute_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "sim/step/training_bytes.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {

ComputeTime compute_per_micro_batch(const JobSpec& job, const GpuSpec& gpu) {
  const double m = static_cast<double>(micro_batches(job));
  // Per token, in seconds of one GPU at its peak.
  const ForwardFlops flops = forward_flops_per_token(job.model);
  const double weights = flops.weights / peak_flops(job, gpu);
  const double core = flops.attention_core / bf16_peak_flops(gpu), logits = flops.logits / bf16_peak_flops(gpu);
  const double forward = weights + core + logits;
  double recomputed = 0;
  if (job.recompute == JobSpec::Recompute::selective) recomputed = core;
  if (job.recompute == JobSpec::Recompute::full) recomputed = weights + core;
  const double all = 3 * forward + recomputed;

  double seconds = job.compute_time_s;
  if (seconds == 0) {
    if (!(job.compute_efficiency > 0 && job.compute_efficiency <= 1)) {
      throw std::invalid_argument(fmt::format(
          "job: compute_efficiency = {} must be in (0, 1], or compute_time be given", job.compute_efficiency));
    }
    const double tokens = static_cast<double>(job.global_batch) * static_cast<double>(job.model.sequence);
    seconds = all * tokens / (job.compute_efficiency * static_cast<double>(job.layout.ranks()));
  } else if (!(seconds > 0)) {
    throw std::invalid_argument(fmt::format("job: compute_time = {} s must be above 0", seconds));
  }
  const double scale = seconds / m / all;
  ComputeTime time;
  time.forward_s = forward * scale;
  time.backward_s = (2 * forward + recomputed) * scale;
  time.attention_core_s = 3 * core * scale;
  return time;
}

double bubble_share(const JobSpec& job, std::int64_t micro_batches) {
  return static_cast<double>(job.layout.pipeline - 1) /
         (static_cast<double>(job.virtual_pipeline) * static_cast<double>(micro_batches));
}

std::int64_t surviving_micro_batches(const JobSpec& job, std::int64_t missing, bool redistribute) {
  const std::int64_t m = micro_batches(job), left = job.layout.data - missing;
  if (missing < 0 || left <= 0) {
    throw std::invalid_argument(
        fmt::format("step: {} of {} replicas missing; at least one must be left", missing, job.layout.data));
  }
  return redistribute ? (m * job.layout.data + left - 1) / left : m;
}

double optimizer_time_s(const JobSpec& job, const GpuSpec& gpu, std::int64_t replicas) {
  if (!(gpu.memory_bandwidth_Bps > 0)) {
    throw std::invalid_argument(
        fmt::format("GPU '{}': memory_bandwidth = {} B/s must be above 0", gpu.name, gpu.memory_bandwidth_Bps));
  }
  const StageSize stage = fullest_stage(job);
  const double ranks = job.zero_stage >= 1 ? static_cast<double>(replicas * job.layout.context) : 1;
  const double experts_over = std::max(1.0, ranks / static_cast<double>(job.layout.expert));
  const double parameters = stage.dense_parameters / ranks + stage.expert_parameters / experts_over;
  return parameters * (2 * optimizer_bytes + job.gradient_bytes + weight_bytes) / gpu.memory_bandwidth_Bps;
}

}  // namespace toposim::sim
