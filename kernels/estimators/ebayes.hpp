#pragma once
// Empirical Bayes: a dead worker's gradient is its domain's mean and noise. Its neighbours' mean N (n of them) tells of
// that mean with the variance within / n, all survivors' mean m with the variance between: the best blend,
//   G_d = lambda N + (1 - lambda) m,  lambda_1 = between / (between + within / n),
// differs by domain, since the fewer neighbours are left the noisier is their mean. Both variances are decayed averages
// over the steps seen, and `between` counts only as far as it stands out of its own scatter.
//
// What lambda_1 leaves of a domain's bias is small beside one step's noise, but a worker that stays dead leaves it in
// every step, where noise averages out. With a loss that has lasted T steps lambda rises towards
//   lambda_T = between / (between + within / (n T)),
// as far as the error expected of one step grows by no more than half a percent:
//   E |error|^2 = k^2 ((1 - lambda)^2 between + lambda^2 within / n) + k within, k dead in the domain.
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
  /// By how much more than the least the error of one step may be, for less bias.
  static constexpr double error_allowance = 0.005;

  Estimates estimate(const Products& products) override;

 private:
  void remember(const Products& products);
  double lambda(double neighbours, double dead, double lasting_steps) const;

  // Decayed sums over steps: of weights, and of the two variances; of squares, for the scatter of `between`.
  double weight_ = 0, weight_squared_ = 0, within_ = 0, between_ = 0, between_squared_ = 0;
  std::map<std::uint32_t, double> missing_steps_;  ///< of the workers dead now, this step included
};

}  // namespace toposim::estimators
