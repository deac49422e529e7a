#include "sim/accuracy/failure_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>

#include "kernels/estimators/estimator.hpp"
#include "sim/accuracy/gradient_scene.hpp"

namespace toposim::accuracy {
namespace {

using estimators::Term;
using Coefficients = std::vector<double>;

constexpr double undefined_ratio = std::numeric_limits<double>::quiet_NaN();

double ratio(double error, double of) {
  if (std::isnan(error) || std::isnan(of)) return undefined_ratio;
  return of > 0 ? error / of : error > 0 ? undefined_ratio : 1;
}

/// Who answers, draw by draw; those in which nobody is dead are passed over.
std::vector<std::vector<std::uint8_t>> draw_answers(const FaultCaseSpec& faults, const DrawSpec& spec) {
  const bool chosen_once = faults.faults.pattern != emulator::FaultPattern::transient &&
                           faults.faults.pattern != emulator::FaultPattern::timeline;
  std::vector<std::vector<std::uint8_t>> answers;
  const std::uint64_t tries_max = 10'000 + 1000 * std::uint64_t{spec.draws};
  for (std::uint64_t i = 0; answers.size() < spec.draws; ++i) {
    if (i == tries_max)
      throw std::invalid_argument(
          fmt::format("fault case {}: {} of {} draws had a dead worker; it needs more faults, or gradient.draws: 0",
                      faults.name, answers.size(), tries_max));
    emulator::StepFaultSpec drawn = faults.faults;
    drawn.seed = spec.seed;
    drawn.from_step = 0;
    const std::uint64_t step = faults.faults.pattern == emulator::FaultPattern::timeline ? i % drawn.steps : i;
    if (chosen_once) drawn.seed += i * 0x9E37'79B9'7F4A'7C15;  // other workers in every draw
    auto answered = emulator::StepFaults(drawn, spec.domain).answered(chosen_once ? 0 : step);
    if (std::find(answered.begin(), answered.end(), 0) != answered.end()) answers.push_back(std::move(answered));
  }
  return answers;
}

bool above_threshold(std::span<const std::uint32_t> domain, const std::vector<std::uint8_t>& answered,
                     double threshold) {
  std::vector<double> size(*std::max_element(domain.begin(), domain.end()) + std::size_t{1}, 0.0), dead = size;
  for (std::size_t w = 0; w < domain.size(); ++w) {
    ++size[domain[w]];
    if (answered[w] == 0) ++dead[domain[w]];
  }
  for (std::size_t d = 0; d < size.size(); ++d)
    if (dead[d] > threshold * size[d]) return true;
  return false;
}

/// One draw: what the estimators see, and the errors of the coefficients that they find.
class Draw {
 public:
  Draw(const StepSimilarities& similarities, const DrawSpec& spec, const std::vector<std::uint8_t>& answered,
       bool history)
      : similarities_(similarities), domain_(spec.domain), answered_(answered), everyone_(answered.size(), 1) {
    seen_ = {similarities.workers, similarities.sketch_width, spec.domain, {}, spec.centroid_width, spec.centroids};
    for (std::size_t age = 0; age < similarities.sketches.size(); ++age)
      seen_.steps.push_back({similarities.sketches[age], age > 0 && history ? everyone_ : answered_});
  }
  Draw(const Draw&) = delete;
  Draw& operator=(const Draw&) = delete;

  void prepare(double noise) {
    noise_ = noise;
    drop_ = errors_of(coefficients("drop", nullptr), false);
  }

  DrawErrors measure(const SchemeSpec& scheme) const {
    DrawErrors errors;
    estimators::Estimates estimates;
    const std::vector<Term> terms = coefficients(scheme.estimator, &estimates);
    const Errors found = errors_of(terms, scheme.int8);
    errors.dead = std::count(answered_.begin(), answered_.end(), 0);
    errors.above_threshold = above_threshold(domain_, answered_, scheme.domain_threshold);
    errors.global_error_ratio = ratio(found.full, drop_.full);
    errors.global_error_over_noise = ratio(found.full, noise_);
    errors.population_error_ratio = ratio(found.population, drop_.population);
    errors.population_error_over_noise = ratio(found.population, noise_);
    errors.global_cosine = found.cosine;
    errors.lambda = estimates.lambda < 0 ? undefined_ratio : estimates.lambda;
    errors.coefficient_sum = estimators::coefficient_sum(terms);
    errors.effective_samples = estimators::effective_sample_size(terms);
    for (std::size_t g = 0; g < found.groups.size(); ++g)
      errors.group_error_ratio.push_back(ratio(found.groups[g], drop_.groups[g]));
    local_errors(estimates, scheme.int8, errors);
    return errors;
  }

 private:
  struct Errors {
    double full = 0, population = undefined_ratio, cosine = 0;
    std::vector<double> groups;
  };

  std::vector<Term> coefficients(const std::string& estimator, estimators::Estimates* estimates) const {
    const estimators::EstimatorKind& kind = estimators::estimator(estimator);
    const auto estimating = kind.make();
    // One that remembers has been through the steps before.
    for (std::size_t age = std::min(kind.needs.memory_steps, seen_.steps.size() - 1); age > 0; --age) {
      const estimators::Observations earlier = seen_from(age);
      estimating->estimate(estimators::Products(earlier));
    }
    const estimators::Observations now = seen_from(0);
    const estimators::Products products(now);
    const estimators::Estimates found = estimating->estimate(products);
    if (estimates != nullptr) *estimates = found;
    return estimators::step_coefficients(products, found);
  }

  /// What there was to see `age` steps ago, with the gradients that are kept.
  estimators::Observations seen_from(std::size_t age) const {
    estimators::Observations seen = seen_;
    const std::size_t first = std::min(age, seen_.steps.size() - 1);
    const std::size_t count = std::min(similarities_.ages, seen_.steps.size() - first);
    seen.steps.assign(seen_.steps.begin() + static_cast<std::ptrdiff_t>(first),
                      seen_.steps.begin() + static_cast<std::ptrdiff_t>(first + count));
    return seen;
  }

  /// int8: of this step's gradients as int8 leaves them; those of earlier steps are taken as they were.
  Coefficients dense(std::span<const Term> terms, bool int8) const {
    Coefficients a(similarities_.vectors(), 0.0);
    for (const Term& term : terms)
      a[int8 && term.age == 0 ? similarities_.quantised_vector(term.worker)
                              : similarities_.vector_of(term.age, term.worker)] += term.coefficient;
    return a;
  }

  Errors errors_of(std::span<const Term> terms, bool int8) const {
    const auto n = static_cast<double>(similarities_.workers);
    const Coefficients applied = dense(terms, int8);
    Coefficients full(applied.size(), 0.0), error = applied;
    for (std::size_t w = 0; w < similarities_.workers; ++w) {
      full[w] = 1 / n;
      error[w] -= 1 / n;
    }
    Errors errors;
    errors.full = std::sqrt(similarities_.all.square(error));
    for (const auto& group : similarities_.groups) errors.groups.push_back(std::sqrt(group.square(error)));
    const double lengths = std::sqrt(similarities_.all.square(applied) * similarities_.all.square(full));
    errors.cosine = lengths > 0 ? similarities_.all.product(applied, full) / lengths : undefined_ratio;
    if (similarities_.population) {
      error = applied;
      error[similarities_.population_vector()] = -1;
      errors.population = std::sqrt(similarities_.all.square(error));
    }
    return errors;
  }

  void local_errors(const estimators::Estimates& estimates, bool int8, DrawErrors& errors) const {
    double l2 = 0, cosine = 0, count = 0, cosines = 0;
    for (std::size_t i = 0; i < std::min(estimates.dead.size(), local_errors_max); ++i) {
      const estimators::Estimate& estimate = estimates.dead[i];
      const std::size_t truth = similarities_.vector_of(0, estimate.worker);
      const double truth_square = similarities_.all(truth, truth);
      if (!(truth_square > 0)) continue;
      const Coefficients a = dense(estimate.terms, int8);
      const double square = similarities_.all.square(a);
      double along = 0;
      for (std::size_t v = 0; v < a.size(); ++v) along += a[v] * similarities_.all(v, truth);
      l2 += std::sqrt(std::max(square - 2 * along + truth_square, 0.0) / truth_square);
      ++count;
      if (!(square > 0)) continue;
      cosine += along / std::sqrt(square * truth_square);
      ++cosines;
    }
    errors.local_l2 = count > 0 ? l2 / count : undefined_ratio;
    errors.local_cosine = cosines > 0 ? cosine / cosines : undefined_ratio;
  }

  const StepSimilarities& similarities_;
  std::span<const std::uint32_t> domain_;
  const std::vector<std::uint8_t>& answered_;
  std::vector<std::uint8_t> everyone_;
  estimators::Observations seen_;
  double noise_ = 0;
  Errors drop_;
};

}  // namespace

std::vector<std::vector<DrawErrors>> draw_failures(const StepSimilarities& similarities, const FaultCaseSpec& faults,
                                                   std::span<const SchemeSpec> schemes, const DrawSpec& spec) {
  const auto answers = draw_answers(faults, spec);
  const bool history = faults.faults.pattern == emulator::FaultPattern::transient ||
                       faults.faults.pattern == emulator::FaultPattern::slow;
  const double noise = noise_l2(similarities.all, spec.domain);
  std::vector<std::vector<DrawErrors>> errors(schemes.size(), std::vector<DrawErrors>(answers.size()));
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) num_threads(std::max(spec.threads, 1))
  for (std::size_t i = 0; i < answers.size(); ++i) {
    try {
      Draw draw(similarities, spec, answers[i], history);
      draw.prepare(noise);
      for (std::size_t s = 0; s < schemes.size(); ++s) errors[s][i] = draw.measure(schemes[s]);
    } catch (...) {
#pragma omp critical(toposim_draw_failure)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return errors;
}

}  // namespace toposim::accuracy
