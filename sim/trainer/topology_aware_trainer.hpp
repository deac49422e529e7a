#pragma once
// The training loop's side of the scheme: after the backward pass, what gradient to apply, or that nothing but a full
// recovery helps. Any loop can use it; the emulator's virtual workers are its first.
//
//   all workers answered                               the mean of their gradients
//   some did not; the monitor has a quorum for each,
//   and no domain lost more than the threshold         the compensated gradient: survivors and estimates of the dead
//   else                                               full recovery; the caller restores and calls again
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/estimators/estimator.hpp"
#include "sim/trainer/heartbeat_monitor.hpp"
#include "sim/trainer/neighborhood_pool.hpp"

namespace toposim::trainer {

struct TrainerSpec {
  NeighborhoodSpec neighborhood;  ///< its history_steps are set by the estimator
  HeartbeatSpec heartbeat;
  std::string estimator = "shrink";
  double domain_threshold = 0.25;  ///< dead share of a domain above which nothing is estimated
};

enum class Action : std::uint8_t { plain, compensated, full_recovery };

struct StepReport {
  Action action = Action::plain;
  std::vector<std::uint32_t> missing;          ///< workers that did not answer, late ones too
  double detect_s = 0;                         ///< from the last answer until the missing were known to be gone
  std::string reason;                          ///< of a full recovery
  estimators::Estimates estimates;             ///< of the dead, where compensated
  std::vector<estimators::Term> coefficients;  ///< of the applied gradient
};

class TopologyAwareTrainer {
 public:
  /// Throws std::invalid_argument for an unknown estimator or sizes that do not fit.
  explicit TopologyAwareTrainer(TrainerSpec spec);

  const NeighborhoodPool& pool() const { return pool_; }

  /// `answered`: per worker, whether its backward pass returned; rows of others are not read. now_s: when the last
  /// answer came; those missing are asked after once the heartbeat's timeout has passed. Writes the gradient to apply
  /// to `out`, and nothing where the action is full_recovery. `late`: per worker, or empty; those who did not answer,
  /// but go on beating and will have answered by the next step. They are estimated without asking anybody, and their
  /// rows are read for the steps after this one.
  StepReport step(std::span<const float> gradients, std::size_t stride, std::span<const std::uint8_t> answered,
                  double now_s, std::span<float> out, std::span<const std::uint8_t> late = {});

 private:
  std::string why_not_compensate(const std::vector<std::uint32_t>& gone, double now_s) const;

  TrainerSpec spec_;
  estimators::EstimatorNeeds needs_;
  std::unique_ptr<estimators::Estimator> estimator_;
  HeartbeatMonitor monitor_;
  NeighborhoodPool pool_;
  std::vector<std::size_t> domain_sizes_;
};

}  // namespace toposim::trainer
