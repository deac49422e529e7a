#include "sim/schemes/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace toposim::sim {
namespace {

void require_share(double value, const char* name) {
  if (!(value >= 0 && value <= 1))
    throw std::invalid_argument(fmt::format("{} is {}: expected a share, 0 to 1", name, value));
}

}  // namespace

Tolerance::Tolerance(const SchemeSpec& spec, const SchemeContext& context)
    : domains_(context.domains),
      replicas_(static_cast<double>(context.layout.data)),
      minimum_(spec.minimum_replicas),
      domain_threshold_(spec.domain_threshold),
      job_threshold_(spec.job_threshold),
      by_domain_(spec.kind == SchemeKind::compensate && spec.threshold != SchemeSpec::Threshold::job),
      by_job_(spec.kind == SchemeKind::compensate && spec.threshold != SchemeSpec::Threshold::domain) {
  require_share(minimum_, "minimum_replicas");
  require_share(domain_threshold_, "domain_threshold");
  require_share(job_threshold_, "job_threshold");
  if (by_domain_ && domains_.replicas() != static_cast<std::uint32_t>(context.layout.data))
    throw std::invalid_argument("the domains and the job differ in the number of replicas");
}

bool Tolerance::can_run(std::span<const std::uint32_t> missing) const {
  const auto dead = static_cast<double>(missing.size());
  const double left = replicas_ - dead;
  if (left < 1 || left / replicas_ < minimum_) return false;
  if (by_job_ && dead / replicas_ > job_threshold_) return false;
  return !by_domain_ || worst_domain_share(missing) <= domain_threshold_;
}

/// Missing over size, the worst domain. Domains are contiguous, so sorted replicas come domain by domain.
double Tolerance::worst_domain_share(std::span<const std::uint32_t> missing) const {
  double worst = 0;
  for (std::size_t i = 0; i < missing.size();) {
    const std::uint32_t domain = domains_.domain_of(missing[i]);
    std::size_t end = i;
    while (end < missing.size() && domains_.domain_of(missing[end]) == domain) ++end;
    worst = std::max(worst, static_cast<double>(end - i) / domains_.size(domain));
    i = end;
  }
  return worst;
}

double full_recovery_mtti_s(const Tolerance& tolerance, const SchemeContext& context) {
  const auto replicas = static_cast<std::uint32_t>(context.layout.data);
  std::uint32_t fatal_alone = 0;
  for (std::uint32_t replica = 0; replica < replicas; ++replica)
    fatal_alone += tolerance.can_run(std::array{replica}) ? 0 : 1;
  const double job_wide = 1 / context.restart_mtti_s, any = 1 / context.stop_mtti_s;
  return 1 / (job_wide + std::max(0.0, any - job_wide) * fatal_alone / replicas);
}

}  // namespace toposim::sim
