#include "kernels/estimators/ebayes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/estimators/kinds.hpp"

namespace toposim::estimators {

void EmpiricalBayes::remember(const Products& products) {
  std::map<std::uint32_t, double> missing;
  for (const std::uint32_t dead : products.dead()) {
    const auto before = missing_steps_.find(dead);
    missing[dead] = before == missing_steps_.end() ? 1 : before->second + 1;
  }
  missing_steps_ = std::move(missing);
  if (products.seen().width == 0) return;
  const VarianceComponents found = variance_components(products);
  if (!found.known) return;
  weight_ = decay * weight_ + 1;
  weight_squared_ = decay * decay * weight_squared_ + 1;
  within_ = decay * within_ + found.within;
  between_ = decay * between_ + found.between;
  between_squared_ = decay * between_squared_ + found.between * found.between;
}

double EmpiricalBayes::lambda(double neighbours, double dead, double lasting_steps) const {
  if (!(weight_ > 0) || !(within_ > 0)) return 0;
  const double within = within_ / weight_;
  const double mean = between_ / weight_, steps = weight_ * weight_ / weight_squared_;
  double between = mean;
  if (steps > 1.5) {  // one step says nothing of its scatter
    const double variance = std::max(between_squared_ / weight_ - mean * mean, 0.0) * steps / (steps - 1);
    between -= std::sqrt(variance / steps);
  }
  if (!(between > 0)) return 0;
  const double noise = within / neighbours;
  const double least = between / (between + noise);
  const double patient = between / (between + noise / std::min(lasting_steps, lasting_steps_max));
  const double error = dead * dead * between * noise / (between + noise) + dead * within;
  const double room =
      std::sqrt(((1 + error_allowance) * (1 + error_allowance) - 1) * error / (dead * dead * (between + noise)));
  return std::min(patient, least + room);
}

Estimates EmpiricalBayes::estimate(const Products& products) {
  remember(products);
  Estimates estimates;
  if (products.dead().empty()) return estimates;
  const auto& survivors = products.survivors_by_domain();
  std::vector<double> dead_in(survivors.size(), 0.0);
  for (const std::uint32_t dead : products.dead()) ++dead_in[products.seen().domain[dead]];
  double sum = 0;
  for (const std::uint32_t dead : products.dead()) {
    const std::uint32_t domain = products.seen().domain[dead];
    const double chosen = survivors[domain].empty() ? 0
                                                    : lambda(static_cast<double>(survivors[domain].size()),
                                                             dead_in[domain], missing_steps_[dead]);
    estimates.dead.push_back({dead, blended(products, dead, chosen)});
    sum += chosen;
  }
  estimates.lambda = sum / static_cast<double>(products.dead().size());
  return estimates;
}

}  // namespace toposim::estimators
