#pragma once
// Whether a loss curve swings with a period: what gradients that drift between domains look like from outside.
#include <cstdint>
#include <span>

namespace toposim::analysis {

struct LossSwing {
  double relative_sd = 0;   ///< of the loss around its straight line over the last part, over its mean there
  double period_steps = 0;  ///< of the strongest frequency
  double periods = 0;       ///< of that length in the part looked at: a whole number
  double power_share = 0;   ///< its share of the variance
  double p_value = 1;       ///< Fisher's exact test (1929) that white noise has a frequency that strong
};

/// Of the last `part` of the losses, at most 4,096 of them, at least 16; less than that says nothing: all zero, p 1.
/// O(n^2).
LossSwing loss_swing(std::span<const double> losses, double part = 0.5);

}  // namespace toposim::analysis
