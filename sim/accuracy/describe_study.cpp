#include <fmt/format.h>

#include <cmath>

#include "kernels/estimators/estimator.hpp"
#include "sim/accuracy/collect.hpp"
#include "sim/accuracy/recorded_study.hpp"

namespace toposim::accuracy {
namespace {

using emulator::FaultPattern;
using emulator::Sharing;

std::string percent(double share) {
  return fmt::format("{:.4g} %", 100 * share);
}

std::string words(const FaultCaseSpec& faults, std::uint32_t workers, double& dead_share) {
  const emulator::StepFaultSpec& spec = faults.faults;
  const auto count = static_cast<double>(std::llround(spec.share * workers));
  dead_share = count / workers;
  const std::string from = faults.from > 0 ? fmt::format(", from {} of the run on", percent(faults.from)) : "";
  const std::string redeal = faults.redeal == emulator::Redeal::domain ? "; their data go to the rest of the domain"
                             : faults.redeal == emulator::Redeal::job  ? "; their data go to all survivors"
                                                                       : "";
  switch (spec.pattern) {
    case FaultPattern::transient:
      dead_share = spec.share;
      return fmt::format("each worker in each step, on its own, with probability {}", percent(spec.share));
    case FaultPattern::permanent:
      return fmt::format("{:.0f} of {} workers chosen at random, for good{}{}", count, workers, from, redeal);
    case FaultPattern::slow:
      return fmt::format("{:.0f} of {} workers chosen at random answer a step late{}", count, workers, from);
    case FaultPattern::skewed:
      return fmt::format("{:.0f} of {} workers for good, up to {} of a domain{}{}", count, workers, spec.per_domain,
                         from, redeal);
    case FaultPattern::domain:
      return fmt::format("one whole domain for good{}{}", from, redeal);
    case FaultPattern::timeline:
      dead_share = 0;
      for (const emulator::Absence& absence : spec.absences) dead_share += (absence.to - absence.from) / workers;
      return fmt::format("as the lifecycle in {} went, {} absences of workers", faults.timeline, spec.absences.size());
    case FaultPattern::none:
      break;
  }
  return "none";
}

std::string placement_words(const PlacementSpec& spec) {
  if (spec.sharing == Sharing::iid) return "every worker draws from all samples (i.i.d.)";
  const std::string by = spec.source == EmbeddingSource::labels ? "label"
                         : spec.source == EmbeddingSource::file ? "embeddings of " + spec.embeddings
                                                                : fmt::format("{} embedding dimensions", spec.dims);
  return fmt::format(
      "clustered by {}; a domain's samples {}; {} of each batch from all samples", by,
      spec.sharing == Sharing::shared ? "dealt at random among its workers" : "split among its workers for good",
      percent(spec.global_mix));
}

std::string correction_words(const emulator::CorrectionSpec& spec) {
  const std::string mix = fmt::format("{} of a step along the domain's own gradient", percent(spec.beta));
  if (spec.copies == emulator::Copies::shared)
    return mix + ", averaged over domains in the one copy of the parameters: it changes nothing but rounding";
  return fmt::format(
      "{}, a copy of the parameters per domain, {}", mix,
      spec.average_every > 0 ? fmt::format("averaged every {} steps", spec.average_every) : "averaged at the end");
}

void describe_cases(const AccuracySpec& spec, std::uint32_t workers, double domain_size,
                    analysis::AccuracyResults& results) {
  for (const FaultCaseSpec& faults : spec.faults) {
    analysis::FaultCase made{faults.name, {}, 0};
    made.text = words(faults, workers, made.dead_share);
    if (faults.faults.pattern == FaultPattern::domain) made.dead_share = domain_size / workers;
    if (emulator::lasting(faults.faults.pattern)) made.dead_share *= 1 - faults.from;  // per step, over the run
    results.fault_cases.push_back(std::move(made));
  }
  for (const SchemeSpec& scheme : spec.schemes)
    results.schemes.push_back(
        {scheme.name,
         fmt::format("{}{}; full recovery above {} of a domain", estimators::estimator(scheme.estimator).summary,
                     scheme.int8 ? ", in int8" : "", percent(scheme.domain_threshold))});
}

}  // namespace

void describe_recording(const recorded::RecordedGradients& recording, const AccuracySpec& spec,
                        const DataPlacement& placement, analysis::AccuracyResults& results) {
  const auto workers = static_cast<std::uint32_t>(recording.workers());
  const std::uint32_t batch = recorded_batch(recording, spec);
  const double domain_size = static_cast<double>(workers) / placement.domains;
  results.seed = spec.seed;
  results.setting = {
      {"workload",
       fmt::format("gradients recorded in {}: {} parameters in {} layer groups, {} steps", recording.index_path(),
                   recording.parameters(), recording.groups().size(), recording.steps().size())},
      {"workers", fmt::format("{} in {} domains, {} samples each per step", workers, placement.domains, batch)}};
  results.numbers = {{"parameters", static_cast<double>(recording.parameters())},
                     {"workers", workers},
                     {"domains", placement.domains},
                     {"domain_size", domain_size},
                     {"batch_samples", batch},
                     {"sketch_width", spec.sketch_width}};
  describe_cases(spec, workers, domain_size, results);
}

void describe_study(const workloads::Workload& workload, const AccuracySpec& spec, const DataPlacement& placement,
                    analysis::AccuracyResults& results) {
  const TrainingSpec& training = spec.training;
  results.seed = spec.seed;
  results.setting = {
      {"workload", fmt::format("{}, {} parameters, {} training samples", workload.name(), workload.parameter_count(),
                               workload.sample_count())},
      {"workers", fmt::format("{} in {} domains of {}, {} samples each per step", training.workers, placement.domains,
                              spec.placement.domain_size, training.batch)},
      {"data", placement_words(spec.placement)},
      {"training", fmt::format("{} steps, {}, learning rate {:g}, half a cosine down to {:g}", training.steps,
                               training.optimizer.kind == workloads::OptimizerKind::adam
                                   ? "Adam"
                                   : fmt::format("SGD with momentum {:g}", training.optimizer.momentum),
                               training.schedule.peak_rate, training.schedule.final_rate)}};
  results.numbers = {{"parameters", static_cast<double>(workload.parameter_count())},
                     {"workers", training.workers},
                     {"domains", placement.domains},
                     {"domain_size", spec.placement.domain_size},
                     {"batch_samples", training.batch},
                     {"steps", static_cast<double>(training.steps)},
                     {"global_mix_share", spec.placement.sharing == Sharing::iid ? 1 : spec.placement.global_mix},
                     {"sketch_width", spec.sketch_width}};
  if (training.clip_norm > 0)
    results.setting.emplace_back(
        "gradient",
        fmt::format("{} to length {:g}", training.normalise ? "normalised" : "clipped", training.clip_norm));
  if (spec.correction.beta > 0 || spec.correction.copies == emulator::Copies::per_domain) {
    results.setting.emplace_back("correction", correction_words(spec.correction));
    results.numbers.emplace_back("sent_per_worker_and_step_bytes",
                                 emulator::correction_bytes(spec.correction, workload.parameter_count(),
                                                            spec.placement.domain_size, placement.domains));
  }
  describe_cases(spec, training.workers, spec.placement.domain_size, results);
  results.placement = {placement.samples, placement.explained, placement.purity, placement.cosines, placement.advice};
}

}  // namespace toposim::accuracy
