#pragma once
// The correction term: every domain steps along beta x its own gradient + (1 - beta) x that of all. With one shared
// copy of the parameters the steps average back to the gradient of all and beta changes nothing; with a copy per domain
// the copies drift apart and are averaged now and then.
#include <cstdint>
#include <span>
#include <vector>

#include "sim/trainer/topology_aware_trainer.hpp"
#include "sim/workloads/optimizer.hpp"

namespace toposim::emulator {

enum class Copies : std::uint8_t { shared, per_domain };

struct CorrectionSpec {
  double beta = 0;  ///< share of the domain's own gradient; 0: no correction
  Copies copies = Copies::shared;
  std::uint64_t average_every = 0;  ///< steps between averages of the copies; 0: only at the end
};

/// Bytes that a worker sends in a step: the gradients' ring all-reduce, in the domain and, below beta = 1, over all
/// domains, and its part of averaging the copies, ring all-reduce over domains, every average_every steps. fp32.
double correction_bytes(const CorrectionSpec& spec, std::size_t parameters, std::size_t domain_size,
                        std::size_t domains);

/// Parameters and optimizer state of a run: one copy, or one per domain.
class ParameterCopies {
 public:
  ParameterCopies(CorrectionSpec spec, std::vector<std::uint32_t> worker_domain, const std::vector<float>& initial,
                  const workloads::OptimizerSettings& optimizer);

  std::size_t count() const { return copies_.size(); }
  const std::vector<float>& of(std::size_t copy) const { return copies_[copy]; }
  /// The model: the copies' mean.
  std::vector<float> mean() const;
  /// Root mean square distance of the copies from their mean, over the mean's length.
  double distance() const;

  /// One step. `global`: the step's gradient; the domains' own are pooled from the trainer's registry by the report's
  /// estimates.
  void step(const trainer::NeighborhoodPool& pool, const trainer::StepReport& report, double learning_rate,
            std::span<const float> global);

 private:
  std::vector<float> domain_gradient(const trainer::NeighborhoodPool& pool, const trainer::StepReport& report,
                                     std::uint32_t domain) const;

  CorrectionSpec spec_;
  std::vector<std::uint32_t> worker_domain_;
  std::vector<std::vector<std::uint32_t>> members_;  ///< workers by domain
  std::vector<std::vector<float>> copies_;
  std::vector<workloads::Optimizer> optimizers_;
  std::uint64_t steps_ = 0;
};

}  // namespace toposim::emulator
