#include "sim/emulator/correction.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "kernels/topokernels.hpp"

namespace toposim::emulator {
namespace {

double ring_bytes(double ranks, double bytes) {
  return ranks > 1 ? 2 * (ranks - 1) / ranks * bytes : 0;
}

}  // namespace

double correction_bytes(const CorrectionSpec& spec, std::size_t parameters, std::size_t domain_size,
                        std::size_t domains) {
  const double bytes = 4.0 * static_cast<double>(parameters);
  const auto inside = static_cast<double>(domain_size), across = static_cast<double>(domains);
  if (spec.copies == Copies::shared) return ring_bytes(inside * across, bytes);
  // A ring over domains moves each worker's share of the reduced gradient.
  double sent = ring_bytes(inside, bytes) + (spec.beta < 1 ? ring_bytes(across, bytes / inside) : 0);
  if (spec.average_every > 0) sent += ring_bytes(across, bytes / inside) / static_cast<double>(spec.average_every);
  return sent;
}

ParameterCopies::ParameterCopies(CorrectionSpec spec, std::vector<std::uint32_t> worker_domain,
                                 const std::vector<float>& initial, const workloads::OptimizerSettings& optimizer)
    : spec_(spec), worker_domain_(std::move(worker_domain)) {
  if (!(spec_.beta >= 0 && spec_.beta <= 1)) throw std::invalid_argument("correction: beta must be between 0 and 1");
  members_.resize(*std::max_element(worker_domain_.begin(), worker_domain_.end()) + std::size_t{1});
  for (std::uint32_t w = 0; w < worker_domain_.size(); ++w) members_[worker_domain_[w]].push_back(w);
  const std::size_t copies = spec_.copies == Copies::per_domain ? members_.size() : 1;
  optimizers_.assign(copies, workloads::Optimizer(optimizer, initial.size()));
  copies_.assign(copies, initial);
}

std::vector<float> ParameterCopies::mean() const {
  if (copies_.size() == 1) return copies_[0];
  std::vector<double> sum(copies_[0].size(), 0.0);
  for (const std::vector<float>& copy : copies_)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += static_cast<double>(copy[k]);
  std::vector<float> mean(sum.size());
  for (std::size_t k = 0; k < sum.size(); ++k)
    mean[k] = static_cast<float>(sum[k] / static_cast<double>(copies_.size()));
  return mean;
}

double ParameterCopies::distance() const {
  if (copies_.size() == 1) return 0;
  const std::vector<float> centre = mean();
  double apart = 0, length = 0;
  for (std::size_t k = 0; k < centre.size(); ++k) {
    const auto c = static_cast<double>(centre[k]);
    length += c * c;
    for (const std::vector<float>& copy : copies_) {
      const double d = static_cast<double>(copy[k]) - c;
      apart += d * d;
    }
  }
  return length > 0 ? std::sqrt(apart / static_cast<double>(copies_.size()) / length) : 0;
}

std::vector<float> ParameterCopies::domain_gradient(const trainer::NeighborhoodPool& pool,
                                                    const trainer::StepReport& report, std::uint32_t domain) const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sum;
  const double share = 1 / static_cast<double>(members_[domain].size());
  for (const std::uint32_t w : members_[domain])
    if (!std::binary_search(report.missing.begin(), report.missing.end(), w)) sum[{0, w}] += share;
  for (const estimators::Estimate& estimate : report.estimates.dead)
    if (worker_domain_[estimate.worker] == domain)
      for (const estimators::Term& term : estimate.terms) sum[{term.age, term.worker}] += share * term.coefficient;
  std::vector<estimators::Term> terms;
  for (const auto& [at, coefficient] : sum) terms.push_back({at.first, at.second, coefficient});
  std::vector<float> gradient(copies_[0].size(), 0.0F);
  if (!terms.empty()) pool.combine(terms, gradient);
  return gradient;
}

void ParameterCopies::step(const trainer::NeighborhoodPool& pool, const trainer::StepReport& report,
                           double learning_rate, std::span<const float> global) {
  ++steps_;
  if (spec_.beta == 0 && copies_.size() == 1) return optimizers_[0].step(learning_rate, global, copies_[0]);
  kernels::Kernels kernels;
  std::vector<float> corrected(global.size());
  std::vector<double> shared(copies_.size() == 1 ? global.size() : 0, 0.0);
  for (std::uint32_t d = 0; d < members_.size(); ++d) {
    kernels.correct(domain_gradient(pool, report, d), global, static_cast<float>(spec_.beta), corrected);
    if (copies_.size() > 1) {
      optimizers_[d].step(learning_rate, corrected, copies_[d]);
    } else {
      const double weight = static_cast<double>(members_[d].size()) / static_cast<double>(worker_domain_.size());
      for (std::size_t k = 0; k < shared.size(); ++k) shared[k] += weight * static_cast<double>(corrected[k]);
    }
  }
  if (copies_.size() == 1) {
    const std::vector<float> applied(shared.begin(), shared.end());
    optimizers_[0].step(learning_rate, applied, copies_[0]);
  } else if (spec_.average_every > 0 && steps_ % spec_.average_every == 0) {
    copies_.assign(copies_.size(), mean());
  }
}

}  // namespace toposim::emulator
