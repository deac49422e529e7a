#pragma once
// Linear estimators of a dead worker's gradient: a coefficient for each (step, worker), so that survivors can scale
// their own gradients and none has to travel. estimators() is the one place to add another.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/estimators/observations.hpp"

namespace toposim::estimators {

struct Term {
  std::uint32_t age = 0, worker = 0;  ///< steps ago
  double coefficient = 0;
  bool operator==(const Term&) const = default;
};

/// The estimate of one dead worker's gradient, sum of coefficient x G[age][worker].
struct Estimate {
  std::uint32_t worker = 0;
  std::vector<Term> terms;  ///< by age, then worker
};

/// What one step's estimator found.
struct Estimates {
  std::vector<Estimate> dead;  ///< one per dead worker, in order
  double lambda = -1;          ///< weight of the neighbours where the estimator chooses one, else -1
};

/// What an estimator has to be given: what it costs hangs on it.
struct EstimatorNeeds {
  bool scaling = false;           ///< coefficients differ between survivors
  bool gradients = false;         ///< they depend on this step's gradients
  bool gradient_history = false;  ///< ... and on earlier steps', which have to be kept
  std::size_t memory_steps = 0;   ///< calls before this one that shape what it does now
};

/// One per training run: some remember earlier steps.
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Called every step, dead workers or not. A dead worker without surviving neighbours is estimated by the survivors'
  /// mean; one whose own history is not in the window, by what the estimator would do without history.
  virtual Estimates estimate(const Products& products) = 0;
};

struct EstimatorKind {
  std::string_view name, summary;
  EstimatorNeeds needs;
  std::unique_ptr<Estimator> (*make)();
};

/// All there are, in the order that reports list them.
std::span<const EstimatorKind> estimators();
/// Throws std::invalid_argument for an unknown name, naming those there are.
const EstimatorKind& estimator(std::string_view name);

/// Steps of history that estimators look at.
inline constexpr std::size_t history_steps = 3;

/// The step's gradient: (sum over survivors + sum of the estimates) / workers, as coefficients; terms by age, then
/// worker. For an estimator without history every term's age is 0, and a survivor's own coefficient is what it scales
/// by.
std::vector<Term> step_coefficients(const Products& products, const Estimates& estimates);

double coefficient_sum(std::span<const Term> terms);
/// (sum a)^2 / sum a^2: how many equally weighted gradients would average as much noise (Kish 1965).
double effective_sample_size(std::span<const Term> terms);

}  // namespace toposim::estimators
