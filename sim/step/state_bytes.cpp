#include "sim/step/state_bytes.hpp"

#include "sim/step/training_bytes.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {

StateBytes state_bytes(const JobSpec& job) {
  const double all = parameter_count(job.model), experts = expert_parameter_count(job.model);
  // Expert parallelism gives a replica only its share of the experts.
  const double parameters = all - experts + experts / static_cast<double>(job.layout.expert);
  const double data = static_cast<double>(job.layout.data);
  const StageSize stage = fullest_stage(job);
  const double ranks = data * static_cast<double>(job.layout.context);
  const double shard =
      stage.dense_parameters / ranks + stage.expert_parameters * static_cast<double>(job.layout.expert) / ranks;

  StateBytes bytes;
  bytes.checkpoint = (weight_bytes + optimizer_bytes) * all;
  bytes.per_replica_load = weight_bytes * parameters / (job.zero_stage >= 3 ? data : 1) +
                           optimizer_bytes * parameters / (job.zero_stage >= 1 ? data : 1);
  if (job.zero_stage >= 1) bytes.shard_per_gpu += optimizer_bytes * shard;
  if (job.zero_stage >= 3) bytes.shard_per_gpu += weight_bytes * shard;
  bytes.gradient_elements_per_gpu = stage.parameters();
  return bytes;
}

}  // namespace toposim::sim
