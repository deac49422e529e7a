// The survivors train on, and the gradient of a lost replica is estimated from the others of its domain.
//
// An estimate carries no new samples: kept samples count real ones only. What it does to progress is an assumption
// (StatisticsSpec), until measured.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "sim/schemes/make_scheme.hpp"
#include "sim/schemes/replica_scheme.hpp"

namespace toposim::sim {

namespace {

class Compensate final : public ReplicaScheme {
 public:
  Compensate(const SchemeSpec& spec, const SchemeContext& context)
      : ReplicaScheme(spec, context),
        domains_(context.domains),
        always_ns_(to_ns(context.compensation_always_s, "compensation_always_s")),
        while_missing_ns_(to_ns(context.compensation_while_missing_s, "compensation_while_missing_s")) {
    for (const double threshold : {spec.domain_threshold, spec.job_threshold})
      if (!(threshold >= 0 && threshold <= 1))
        throw std::invalid_argument(fmt::format("threshold is {}: expected a share, 0 to 1", threshold));
    if (domains_.replicas() != static_cast<std::uint32_t>(context.layout.data))
      throw std::invalid_argument("the domains and the job differ in the number of replicas");
    if (by_domain()) add_setting("domain_threshold", spec.domain_threshold);
    if (by_job()) add_setting("job_threshold", spec.job_threshold);
    add_setting("compensation_always_s", context.compensation_always_s);
    add_setting("compensation_while_missing_s", context.compensation_while_missing_s);
  }

  bool can_run(std::span<const std::uint32_t> missing) const override {
    if (!ReplicaScheme::can_run(missing)) return false;
    if (by_job() && dead_share(missing.size()) > spec().job_threshold) return false;
    return !by_domain() || worst_domain_share(missing) <= spec().domain_threshold;
  }

  StepTerms step_terms(std::span<const std::uint32_t> missing) const override {
    StepTerms terms = ReplicaScheme::step_terms(missing);
    terms.overhead_ns += always_ns_;
    if (missing.empty() || terms.redistribute) return terms;
    terms.overhead_ns += while_missing_ns_;
    terms.progress = std::max(0.0, terms.progress - spec().statistics.estimation_penalty * dead_share(missing.size()));
    return terms;
  }

  std::vector<std::string> assumptions() const override {
    std::vector<std::string> list = ReplicaScheme::assumptions();
    list.push_back(fmt::format("estimator {}: progress lost per unit of dead share {}", spec().estimator,
                               spec().statistics.estimation_penalty));
    return list;
  }

 private:
  bool by_domain() const { return spec().threshold != SchemeSpec::Threshold::job; }
  bool by_job() const { return spec().threshold != SchemeSpec::Threshold::domain; }

  /// Missing over size, the worst domain. Domains are contiguous, so sorted replicas come domain by domain.
  double worst_domain_share(std::span<const std::uint32_t> missing) const {
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

  topology::Domains domains_;
  std::int64_t always_ns_, while_missing_ns_;
};

}  // namespace

std::unique_ptr<Scheme> make_compensate(const SchemeSpec& spec, const SchemeContext& context) {
  return std::make_unique<Compensate>(spec, context);
}

}  // namespace toposim::sim
