#include "sim/schemes/replica_scheme.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/schemes/common.hpp"
#include "sim/schemes/statistics.hpp"

namespace toposim::sim {

namespace {

RecoveryCosts costs_of(const SchemeSpec& spec, const SchemeContext& context) {
  RecoveryCosts costs =
      resolve_recovery(spec.recovery, spec.checkpoint, context.bytes, context.cluster, context.layout);
  costs.rejoin_stall_ns = to_ns(spec.rejoin_stall_s, "rejoin_stall_s");
  return costs;
}

/// Checkpoints are for what the scheme does not survive; where no single fault is of that kind, for any loss.
double mtti_s(const SchemeSpec& spec, const SchemeContext& context) {
  if (spec.checkpoint.mtti_s > 0) return spec.checkpoint.mtti_s;
  const double fatal_s = full_recovery_mtti_s(Tolerance(spec, context), context);
  return std::isfinite(fatal_s) ? fatal_s : context.stop_mtti_s;
}

}  // namespace

ReplicaScheme::ReplicaScheme(const SchemeSpec& spec, const SchemeContext& context)
    : Scheme(name_of(spec), costs_of(spec, context),
             resolve_checkpoints(spec.checkpoint, context.bytes, context.cluster, context.layout, context.step_time_ns,
                                 mtti_s(spec, context))),
      spec_(spec),
      tolerance_(spec, context),
      measured_progress_(context.measured_progress),
      replicas_(static_cast<double>(context.layout.data)),
      global_batch_samples_(context.global_batch_samples),
      shards_(context.bytes.shard_per_gpu > 0),
      step_overhead_ns_(to_ns(spec.step_overhead_s, "step_overhead_s")),
      settings_(common_settings(*this, context, mtti_s(spec, context))) {
  const auto s = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
  add_setting("quorum_s", s(costs().quorum_ns));
  add_setting("regroup_s", s(costs().regroup_ns(context.layout.data)));
  add_setting("shard_load_s", s(costs().shard_load_ns));
  add_setting("peer_load_s", s(costs().peer_load_ns));
  add_setting("rejoin_stall_s", s(costs().rejoin_stall_ns));
  add_setting("step_overhead_s", s(step_overhead_ns_));
  add_setting("minimum_replicas", spec.minimum_replicas);
}

Response ReplicaScheme::respond(const Losses& losses) const {
  Response response;
  if (!losses.planned) response.stages.add(Bucket::detect, costs().detect_ns);
  response.stages.add(Bucket::quorum, costs().quorum_ns);
  if (losses.job_wide || !can_run(losses.missing)) {
    response.from = ResumeFrom::checkpoint;
    add_restart(costs(), response.stages);
  } else {
    response.from = spec_.keep_step_in_flight ? ResumeFrom::step_in_flight : ResumeFrom::last_step;
    response.stages.add(Bucket::comm_init, Stage::by_state).add(Bucket::load, costs().shard_load_ns);
  }
  return response;
}

StepTerms ReplicaScheme::step_terms(std::span<const std::uint32_t> missing) const {
  const double dead = dead_share(missing.size());
  const double share = spec_.redistribute_batch ? 1 : 1 - dead;
  return {
      step_overhead_ns_, share,
      measured_progress_ ? measured_progress_->at(dead) : step_progress(spec_.statistics, global_batch_samples_, share),
      spec_.redistribute_batch && !missing.empty()};
}

std::vector<std::string> ReplicaScheme::assumptions() const {
  std::vector<std::string> list;
  if (measured()) {
    list.push_back("a step with replicas missing does what training with that share dead on average did per step");
  } else if (!spec_.redistribute_batch) {
    const StatisticsSpec& s = spec_.statistics;
    const std::string noise = s.noise_scale_samples < 0 ? "B_noise far above the batch"
                                                        : fmt::format("B_noise = {} samples", s.noise_scale_samples);
    const char* rate = s.learning_rate == StatisticsSpec::LearningRate::keep     ? "kept"
                       : s.learning_rate == StatisticsSpec::LearningRate::linear ? "scaled with the batch"
                                                                                 : "scaled with the batch's root";
    list.push_back(fmt::format(
        "progress of a step with replicas missing: quadratic model (arXiv 1812.06162), {}, learning rate {}", noise,
        rate));
  }
  if (shards_) list.push_back("a peer holds a copy of every ZeRO shard, kept up to date at no cost");
  return list;
}

}  // namespace toposim::sim
