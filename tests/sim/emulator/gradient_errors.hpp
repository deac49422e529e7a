#pragma once
// How far a step's applied gradient is from what it would have been without faults, computed from the vectors
// themselves: beside it stands the quadratic form in their inner products that studies use.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/topokernels.hpp"
#include "sim/trainer/topology_aware_trainer.hpp"

namespace toposim::emulator::test {

/// Of one dead worker's estimate against its true gradient.
struct LocalError {
  std::uint32_t worker = 0;
  double relative_l2 = 0, cosine = 0;
};

struct GradientErrors {
  std::uint64_t step = 0;
  std::size_t dead = 0;
  double relative_l2 = 0;  ///< |applied - full| / |full|, full: the mean over all workers
  double cosine = 0;       ///< of applied and full
  double over_drop = 0;    ///< |applied - full| / |drop - full|; 1 for drop itself, 0 / 0 counts as 1
  double over_noise = 0;   ///< |applied - full| / the full gradient's own mini-batch noise
  double noise_l2 = 0;  ///< that noise: sqrt(sum over domains of n / (n - 1) sum |G_i - mean|^2) / workers, i.e. from
                        ///< the spread inside domains; domains of one worker add nothing
  double lambda = 0, coefficient_sum = 0, effective_sample_size = 0;
  std::vector<LocalError> local;  ///< of the dead whose estimate takes nothing from earlier steps
};

using kernels::Kernels;
using kernels::Vector;

/// Gradients by worker, and sums of them.
class Rows {
 public:
  Rows(std::span<const float> gradients, std::size_t parameters) : gradients_(gradients), parameters_(parameters) {}
  std::span<const float> of(std::uint32_t worker) const {
    return gradients_.subspan(worker * parameters_, parameters_);
  }

  /// sum of coefficient x gradient.
  std::vector<float> sum(Kernels& kernels, std::span<const estimators::Term> terms) const {
    std::vector<Vector> inputs;
    std::vector<float> weights, total(parameters_);
    if (terms.empty()) return total;
    for (const estimators::Term& term : terms) {
      inputs.emplace_back(of(term.worker));
      weights.push_back(static_cast<float>(term.coefficient));
    }
    kernels.pool(inputs, weights, total);
    return total;
  }
  std::vector<float> mean(Kernels& kernels, std::span<const std::uint32_t> workers) const {
    std::vector<estimators::Term> terms;
    for (const std::uint32_t w : workers) terms.push_back({0, w, 1.0 / static_cast<double>(workers.size())});
    return sum(kernels, terms);
  }

 private:
  std::span<const float> gradients_;
  std::size_t parameters_;
};

inline double noise_l2(Kernels& kernels, const Rows& rows, std::span<const std::uint32_t> domain) {
  std::vector<std::vector<std::uint32_t>> members(*std::max_element(domain.begin(), domain.end()) + std::size_t{1});
  for (std::uint32_t w = 0; w < domain.size(); ++w) members[domain[w]].push_back(w);
  double sum = 0;
  for (const std::vector<std::uint32_t>& in : members) {
    if (in.size() < 2) continue;
    const std::vector<float> mean = rows.mean(kernels, in);
    double spread = 0;
    for (const std::uint32_t w : in) spread += kernels.compare(rows.of(w), mean).error_square;
    const double n = static_cast<double>(in.size());
    sum += spread * n / (n - 1);
  }
  return std::sqrt(sum) / static_cast<double>(domain.size());
}

inline LocalError local_error(Kernels& kernels, const Rows& rows, const estimators::Estimate& estimate) {
  const std::vector<float> guess = rows.sum(kernels, estimate.terms);
  const tk_metrics_sums sums = kernels.compare(guess, rows.of(estimate.worker));
  const tk_metrics metrics = tk_derive_metrics(&sums);
  return {estimate.worker, metrics.relative_l2, metrics.cosine};
}

inline double ratio(double error, double of) {
  return of > 0 ? error / of : error > 0 ? HUGE_VAL : 1;
}

/// `gradients`: row per worker of `parameters` numbers, the dead ones' too. `applied`: what the trainer made of them.
inline GradientErrors gradient_errors(std::span<const float> gradients, std::size_t parameters,
                                      std::span<const std::uint32_t> domain, const trainer::StepReport& report,
                                      std::span<const float> applied) {
  Kernels kernels;
  const Rows rows(gradients, parameters);
  std::vector<std::uint32_t> all, survivors;
  for (std::uint32_t w = 0; w < domain.size(); ++w) {
    all.push_back(w);
    if (!std::binary_search(report.missing.begin(), report.missing.end(), w)) survivors.push_back(w);
  }
  const std::vector<float> full = rows.mean(kernels, all), drop = rows.mean(kernels, survivors);
  const tk_metrics_sums sums = kernels.compare(applied, full);
  const tk_metrics metrics = tk_derive_metrics(&sums);

  GradientErrors errors;
  errors.dead = report.missing.size();
  errors.relative_l2 = metrics.relative_l2;
  errors.cosine = metrics.cosine;
  errors.over_drop = ratio(std::sqrt(sums.error_square), std::sqrt(kernels.compare(drop, full).error_square));
  errors.noise_l2 = noise_l2(kernels, rows, domain);
  errors.over_noise = ratio(std::sqrt(sums.error_square), errors.noise_l2);
  errors.lambda = report.estimates.lambda;
  errors.coefficient_sum = estimators::coefficient_sum(report.coefficients);
  errors.effective_sample_size = estimators::effective_sample_size(report.coefficients);
  for (const estimators::Estimate& estimate : report.estimates.dead) {
    const bool now_only = std::all_of(estimate.terms.begin(), estimate.terms.end(),
                                      [](const estimators::Term& term) { return term.age == 0; });
    if (!now_only) continue;  // earlier gradients are the trainer's own
    errors.local.push_back(local_error(kernels, rows, estimate));
  }
  return errors;
}

}  // namespace toposim::emulator::test
