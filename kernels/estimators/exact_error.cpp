#include "kernels/estimators/exact_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace toposim::estimators {
namespace {

double form(std::span<const Term> v, const InnerProduct& product) {
  double sum = 0;
  for (const Term& a : v)
    for (const Term& b : v) sum += a.coefficient * b.coefficient * product(a, b);
  return std::max(sum, 0.0);  // rounding may leave a little less than nothing
}

}  // namespace

double relative_error(std::span<const Term> estimate, std::span<const Term> truth, const InnerProduct& product) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> difference;
  for (const Term& term : estimate) difference[{term.age, term.worker}] += term.coefficient;
  for (const Term& term : truth) difference[{term.age, term.worker}] -= term.coefficient;
  std::vector<Term> v;
  for (const auto& [at, coefficient] : difference)
    if (coefficient != 0) v.push_back({at.first, at.second, coefficient});
  const double error = form(v, product), length = form(truth, product);
  if (!(length > 0)) return error > 0 ? std::numeric_limits<double>::infinity() : 0;
  return std::sqrt(error / length);
}

}  // namespace toposim::estimators
