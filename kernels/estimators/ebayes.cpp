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
  all_.add(found.within, found.between);
  domains_.resize(found.domains.size());
  for (std::size_t d = 0; d < now_.size(); ++d)
    if (now_[d].known) domains_[d].add(now_[d].within, now_[d].between);
  now_ = found.domains;
}

double EmpiricalBayes::lambda(std::uint32_t domain, double neighbours, double others, double dead,
                              double lasting_steps) const {
  if (!(all_.weight > 0) || !(all_.within > 0) || !(others > 0)) return 0;
  const double pooled_within = all_.within / all_.weight;
  double within = pooled_within, between = all_.between / all_.weight, scatter = all_.scatter();
  const Track& own = domains_[domain];
  if (own.weight > 0) {
    const double share = own.steps() / (own.steps() + own_steps_half);
    within += share * (own.within / own.weight - within);
    between += share * (own.between / own.weight - between);
    scatter = std::hypot((1 - share) * scatter, share * own.scatter());
  }
  if (now_[domain].known) within = std::max(within, now_[domain].within);
  between -= standard_errors * scatter;
  if (!(between > 0)) return 0;
  const double near = within / neighbours, elsewhere = pooled_within / others, far = between + elsewhere;
  const double least = far / (far + near);
  const double steps = std::min(lasting_steps, lasting_steps_max);
  const double patient = (between + elsewhere / steps) / (between + (elsewhere + near) / steps);
  const double error = dead * dead * far * near / (far + near) + dead * within;
  const double room =
      std::sqrt(((1 + error_allowance) * (1 + error_allowance) - 1) * error / (dead * dead * (far + near)));
  const double pooled = neighbours / (neighbours + others);  // of the neighbours in the survivors' mean
  return std::clamp((std::min(patient, least + room) - pooled) / (1 - pooled), 0.0, 1.0);
}

void EmpiricalBayes::Track::add(double within_now, double between_now) {
  weight = decay * weight + 1;
  weight_squared = decay * decay * weight_squared + 1;
  within = decay * within + within_now;
  between = decay * between + between_now;
  between_squared = decay * between_squared + between_now * between_now;
}

double EmpiricalBayes::Track::scatter() const {
  if (!(steps() > 1.5)) return 0;  // one step says nothing of its scatter
  const double mean = between / weight;
  return std::sqrt(std::max(between_squared / weight - mean * mean, 0.0) / (steps() - 1));
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
    const double chosen = survivors[domain].empty()
                              ? 0
                              : lambda(domain, static_cast<double>(survivors[domain].size()),
                                       static_cast<double>(products.survivors().size() - survivors[domain].size()),
                                       dead_in[domain], missing_steps_[dead]);
    estimates.dead.push_back({dead, blended(products, dead, chosen)});
    sum += chosen;
  }
  estimates.lambda = sum / static_cast<double>(products.dead().size());
  return estimates;
}

}  // namespace toposim::estimators
