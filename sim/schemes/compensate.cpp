// The survivors train on, and the gradient of a lost replica is estimated from the others of its domain.
//
// An estimate carries no new samples: kept samples count real ones only. What it does to progress is measured
// (MeasuredProgress) or an assumption (StatisticsSpec).
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "sim/schemes/make_scheme.hpp"
#include "sim/schemes/replica_scheme.hpp"

namespace toposim::sim {

namespace {

class Compensate final : public ReplicaScheme {
 public:
  Compensate(const SchemeSpec& spec, const SchemeContext& context)
      : ReplicaScheme(spec, context),
        always_ns_(to_ns(context.compensation_always_s, "compensation_always_s")),
        while_missing_ns_(to_ns(context.compensation_while_missing_s, "compensation_while_missing_s")) {
    if (tolerance().by_domain()) add_setting("domain_threshold", spec.domain_threshold);
    if (tolerance().by_job()) add_setting("job_threshold", spec.job_threshold);
    add_setting("compensation_always_s", context.compensation_always_s);
    add_setting("compensation_while_missing_s", context.compensation_while_missing_s);
  }

  StepTerms step_terms(std::span<const std::uint32_t> missing) const override {
    StepTerms terms = ReplicaScheme::step_terms(missing);
    terms.overhead_ns += always_ns_;
    if (missing.empty() || terms.redistribute) return terms;
    terms.overhead_ns += while_missing_ns_;
    if (!measured())
      terms.progress =
          std::max(0.0, terms.progress - spec().statistics.estimation_penalty * dead_share(missing.size()));
    return terms;
  }

  std::vector<std::string> assumptions() const override {
    std::vector<std::string> list = ReplicaScheme::assumptions();
    if (!measured())
      list.push_back(fmt::format("estimator {}: progress lost per unit of dead share {}", spec().estimator,
                                 spec().statistics.estimation_penalty));
    return list;
  }

 private:
  std::int64_t always_ns_, while_missing_ns_;
};

}  // namespace

std::unique_ptr<Scheme> make_compensate(const SchemeSpec& spec, const SchemeContext& context) {
  return std::make_unique<Compensate>(spec, context);
}

}  // namespace toposim::sim
