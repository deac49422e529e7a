#pragma once
// Which losses a replica scheme goes on without.
#include <cstdint>
#include <span>

#include "sim/schemes/scheme_context.hpp"
#include "sim/schemes/scheme_spec.hpp"

namespace toposim::sim {

/// Enough replicas left (minimum_replicas of the job, at least one), and for compensate no more dead than the
/// thresholds allow: of any one domain, of the job, or either, as SchemeSpec::threshold says.
class Tolerance {
 public:
  /// Throws std::invalid_argument on a share outside 0 to 1, or domains that are not the job's.
  Tolerance(const SchemeSpec& spec, const SchemeContext& context);

  bool can_run(std::span<const std::uint32_t> missing) const;  ///< missing: sorted
  bool by_domain() const { return by_domain_; }
  bool by_job() const { return by_job_; }

 private:
  double worst_domain_share(std::span<const std::uint32_t> missing) const;

  topology::Domains domains_;
  double replicas_, minimum_, domain_threshold_, job_threshold_;
  bool by_domain_, by_job_;
};

/// Mean time until a fault that the scheme answers with a full recovery: the job-wide ones, and the loss of a replica
/// where one alone is too much. Losses that are too much only together are left out: how many are missing at once
/// depends on repairs and spares, which the simulation knows. Infinite: never.
double full_recovery_mtti_s(const Tolerance& tolerance, const SchemeContext& context);

}  // namespace toposim::sim
