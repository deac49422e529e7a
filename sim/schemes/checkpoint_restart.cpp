// Any loss stops the job; spares take the places of failed nodes and everybody starts again from the last checkpoint.
#include <memory>

#include "sim/schemes/common.hpp"
#include "sim/schemes/make_scheme.hpp"

namespace toposim::sim {

namespace {

class CheckpointRestart final : public Scheme {
 public:
  CheckpointRestart(const SchemeSpec& spec, const SchemeContext& context)
      : Scheme(name_of(spec),
               resolve_recovery(spec.recovery, spec.checkpoint, context.bytes, context.cluster, context.layout),
               resolve_checkpoints(spec.checkpoint, context.bytes, context.cluster, context.layout,
                                   context.step_time_ns, mtti_s(spec, context))),
        settings_(common_settings(*this, context, mtti_s(spec, context))) {}

  Response respond(const Losses& losses) const override {
    Response response{ResumeFrom::checkpoint, {}};
    if (!losses.planned) response.stages.add(Bucket::detect, costs().detect_ns);
    add_restart(costs(), response.stages);
    return response;
  }
  bool can_run(std::span<const std::uint32_t> missing) const override { return missing.empty(); }
  StepTerms step_terms(std::span<const std::uint32_t>) const override { return {}; }
  std::vector<std::pair<std::string, double>> settings() const override { return settings_; }
  std::vector<std::string> assumptions() const override { return {}; }

 private:
  static double mtti_s(const SchemeSpec& spec, const SchemeContext& context) {
    return spec.checkpoint.mtti_s > 0 ? spec.checkpoint.mtti_s : context.stop_mtti_s;
  }

  std::vector<std::pair<std::string, double>> settings_;
};

}  // namespace

std::unique_ptr<Scheme> make_checkpoint_restart(const SchemeSpec& spec, const SchemeContext& context) {
  return std::make_unique<CheckpointRestart>(spec, context);
}

}  // namespace toposim::sim
