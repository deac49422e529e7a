#include "kernels/estimators/estimator.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <stdexcept>

#include "kernels/estimators/ebayes.hpp"
#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {
namespace {

using Rule = Estimates (*)(const Products&);

/// An estimator that remembers nothing.
template <Rule rule>
class Stateless final : public Estimator {
 public:
  Estimates estimate(const Products& products) override { return rule(products); }
};

template <Rule rule>
std::unique_ptr<Estimator> make() {
  return std::make_unique<Stateless<rule>>();
}

std::unique_ptr<Estimator> make_ebayes() {
  return std::make_unique<EmpiricalBayes>();
}

constexpr EstimatorNeeds nothing{false, false, false, 0}, places{true, false, false, 0},
    gradients{true, true, false, 0}, remembering{true, true, false, 8}, history{true, true, true, 0};

// drop and zero divide by a count, as the reduction does anyway.
constexpr std::array kinds{
    EstimatorKind{"drop", "mean of all survivors", nothing, make<drop>},
    EstimatorKind{"zero", "nothing in the dead worker's place", nothing, make<zero>},
    EstimatorKind{"literal", "neighbours weighted 1 / (1 + cosine of centroids), as published", places, make<literal>},
    EstimatorKind{"cosdist", "neighbours weighted 1 / (1 + cosine distance of centroids)", places, make<cosdist>},
    EstimatorKind{"softmax", "neighbours weighted exp(cosine / 0.1) of centred centroids", places, make<softmax>},
    EstimatorKind{"uniform", "mean of the neighbours", places, make<uniform>},
    EstimatorKind{"normscale", "mean of the neighbours, scaled to their mean norm", gradients, make<normscale>},
    EstimatorKind{"lsscale", "mean of the neighbours, scaled by least squares", gradients, make<lsscale>},
    EstimatorKind{"shrink", "mean of the neighbours shrunk towards that of all survivors, by leaving one out",
                  gradients, make<shrink>},
    EstimatorKind{"ebayes", "blend of the neighbours' and the survivors' mean by the variances in and between domains",
                  remembering, make_ebayes},
    EstimatorKind{"ridge", "regression on the neighbours over past steps", history, make<ridge>},
    EstimatorKind{"ridge+g", "the same with the survivors' mean as a regressor", history, make<ridge_global>},
    EstimatorKind{"stale", "its own last gradient", history, make<stale>},
    EstimatorKind{"ema", "decayed mean of its own past gradients", history, make<ema>},
    EstimatorKind{"cv", "ema, corrected by what the neighbours changed since (control variate)", history, make<cv>},
};

}  // namespace

std::span<const EstimatorKind> estimators() {
  return kinds;
}

const EstimatorKind& estimator(std::string_view name) {
  std::string names;
  for (const EstimatorKind& kind : kinds) {
    if (kind.name == name) return kind;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  }
  throw std::invalid_argument(fmt::format("unknown estimator '{}'; there are {}", name, names));
}

std::vector<Term> step_coefficients(const Products& products, const Estimates& estimates) {
  const double workers = static_cast<double>(products.seen().workers);
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sum;
  for (const std::uint32_t w : products.survivors()) sum[{0, w}] += 1 / workers;
  for (const Estimate& estimate : estimates.dead)
    for (const Term& term : estimate.terms) sum[{term.age, term.worker}] += term.coefficient / workers;
  std::vector<Term> terms;
  terms.reserve(sum.size());
  for (const auto& [at, coefficient] : sum) terms.push_back({at.first, at.second, coefficient});
  return terms;
}

double coefficient_sum(std::span<const Term> terms) {
  double sum = 0;
  for (const Term& term : terms) sum += term.coefficient;
  return sum;
}

double effective_sample_size(std::span<const Term> terms) {
  double sum = 0, squares = 0;
  for (const Term& term : terms) {
    sum += term.coefficient;
    squares += term.coefficient * term.coefficient;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

}  // namespace toposim::estimators
