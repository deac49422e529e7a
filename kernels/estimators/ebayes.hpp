#pragma once
// Empirical Bayes: a dead worker's gradient is its domain's mean and noise. That mean is estimated by
//   mu N + (1 - mu) M,  N the mean of its n surviving neighbours, M that of the m survivors elsewhere;
// with `within` the variance of one gradient around its domain's mean, and `between` the square of the distance of the
// domain's mean from the others', the best blend of one step is
//   mu_1 = far / (far + near),  near = within / n,  far = between + within / m,
// and mu = n / (n + m) is the survivors' mean, or drop: what comes out where between = 0. Results speak of
// lambda N + (1 - lambda) x the survivors' mean, lambda = (mu - n / (n + m)) / (1 - n / (n + m)), not below 0.
//
// Domains differ in both variances, and what is left of one that lost most of its workers says little of them. So each
// is a blend of the domain's own decayed average over steps and of that of all domains, by how many steps the former
// rests on. Of the step itself a domain's average knows nothing: where the noise of N happens to look like a distance,
// N would be trusted most just when it is furthest off. Only `within` rises to that of the step, where that is more,
// and `between` counts only as far as it stands two standard errors out of its scatter over steps.
//
// What mu_1 leaves of a domain's bias is small beside one step's noise, but a worker that stays dead leaves it in every
// step, where noise averages out. With a loss that has lasted T steps mu rises towards
//   mu_T = (between + within / (m T)) / (between + within / (m T) + within / (n T)),
// as far as the error expected of one step grows by no more than half a percent:
//   E |error|^2 = k^2 ((1 - mu)^2 far + mu^2 near) + k within, k dead in the domain.
#include <map>
#include <vector>

#include "kernels/estimators/estimator.hpp"
#include "kernels/estimators/variance_components.hpp"

namespace toposim::estimators {

class EmpiricalBayes final : public Estimator {
 public:
  /// Steps after which what was seen counts half: ln 2 / ln (1 / 0.8) = 3.1.
  static constexpr double decay = 0.8;
  /// Steps after which a lasting loss counts no more than it does.
  static constexpr double lasting_steps_max = 30;
  /// Steps of a domain's own that count as much as the average of all domains.
  static constexpr double own_steps_half = 4;
  static constexpr double standard_errors = 2;
  /// By how much more than the least the error of one step may be, for less bias.
  static constexpr double error_allowance = 0.005;

  Estimates estimate(const Products& products) override;

 private:
  void remember(const Products& products);
  /// Decayed sums over steps: of weights, and of the two variances; of squares, for the scatter of `between`.
  struct Track {
    double weight = 0, weight_squared = 0, within = 0, between = 0, between_squared = 0;
    void add(double within_now, double between_now);
    double steps() const { return weight * weight / weight_squared; }
    double scatter() const;  ///< standard error of the mean of `between`
  };
  double lambda(std::uint32_t domain, double neighbours, double others, double dead, double lasting_steps) const;

  Track all_;
  std::vector<Track> domains_;                     ///< of the steps before this one
  std::vector<DomainVariances> now_;               ///< of this one
  std::map<std::uint32_t, double> missing_steps_;  ///< of the workers dead now, this step included
};

}  // namespace toposim::estimators
