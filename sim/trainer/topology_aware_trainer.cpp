#include "sim/trainer/topology_aware_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace toposim::trainer {
namespace {

NeighborhoodSpec with_history(const TrainerSpec& spec) {
  NeighborhoodSpec neighborhood = spec.neighborhood;
  const bool history = estimators::estimator(spec.estimator).needs.gradient_history;
  neighborhood.history_steps = history ? estimators::history_steps : 0;
  return neighborhood;
}

}  // namespace

TopologyAwareTrainer::TopologyAwareTrainer(TrainerSpec spec)
    : spec_(std::move(spec)),
      needs_(estimators::estimator(spec_.estimator).needs),
      estimator_(estimators::estimator(spec_.estimator).make()),
      monitor_(spec_.neighborhood.domain, spec_.heartbeat),
      pool_(with_history(spec_)) {
  if (!(spec_.domain_threshold >= 0 && spec_.domain_threshold <= 1))
    throw std::invalid_argument(
        fmt::format("trainer: domain_threshold = {} must be between 0 and 1", spec_.domain_threshold));
  if (needs_.gradients && spec_.neighborhood.sketch_width == 0)
    throw std::invalid_argument(
        fmt::format("trainer: {} compares gradients and needs a sketch_width of 64 or more", spec_.estimator));
  domain_sizes_.resize(*std::max_element(pool_.domain().begin(), pool_.domain().end()) + std::size_t{1});
  for (const std::uint32_t domain : pool_.domain()) ++domain_sizes_[domain];
}

std::string TopologyAwareTrainer::why_not_compensate(const std::vector<std::uint32_t>& gone, double now_s) const {
  std::map<std::uint32_t, std::size_t> dead;
  for (const std::uint32_t worker : gone) {
    if (monitor_.ask(worker, now_s) == Verdict::no_quorum)
      return fmt::format("no quorum on worker {} in domain {}", worker, pool_.domain()[worker]);
    ++dead[pool_.domain()[worker]];
  }
  for (const auto& [domain, count] : dead)
    if (static_cast<double>(count) > spec_.domain_threshold * static_cast<double>(domain_sizes_[domain]))
      return fmt::format("domain {} lost {} of {}, above {} %", domain, count, domain_sizes_[domain],
                         100 * spec_.domain_threshold);
  return gone.size() == pool_.workers() ? "no worker answered" : "";
}

StepReport TopologyAwareTrainer::step(std::span<const float> gradients, std::size_t stride,
                                      std::span<const std::uint8_t> answered, double now_s, std::span<float> out,
                                      std::span<const std::uint8_t> late) {
  StepReport report;
  if (answered.size() != pool_.workers() || (!late.empty() && late.size() != pool_.workers()))
    throw std::invalid_argument(
        fmt::format("trainer: {} and {} flags for {} workers", answered.size(), late.size(), pool_.workers()));
  const auto gone = [&](std::uint32_t w) { return answered[w] == 0 && (late.empty() || late[w] == 0); };
  std::vector<std::uint32_t> dead;
  double asked_s = now_s;
  for (std::uint32_t w = 0; w < answered.size(); ++w) {
    if (answered[w] == 0) report.missing.push_back(w);
    if (!gone(w)) continue;
    dead.push_back(w);
    asked_s = std::max(asked_s, monitor_.suspected_from_s(w));
  }
  // Those who are there go on beating while the others are waited for.
  for (std::uint32_t w = 0; w < answered.size(); ++w)
    if (!gone(w)) monitor_.beat(w, asked_s);
  report.detect_s = asked_s - now_s;
  if (!dead.empty()) report.reason = why_not_compensate(dead, asked_s);
  if (report.missing.size() == pool_.workers() && report.reason.empty()) report.reason = "no worker answered in time";
  if (!report.reason.empty()) {
    report.action = Action::full_recovery;
    return report;
  }
  const bool sketch = needs_.gradient_history || (needs_.gradients && !report.missing.empty());
  pool_.begin_step(gradients, stride, answered, sketch, late);
  const estimators::Observations seen = pool_.observations();
  const estimators::Products products(seen);
  report.estimates = estimator_->estimate(products);
  report.coefficients = estimators::step_coefficients(products, report.estimates);
  report.action = report.missing.empty() ? Action::plain : Action::compensated;
  pool_.combine(report.coefficients, out);
  return report;
}

}  // namespace toposim::trainer
