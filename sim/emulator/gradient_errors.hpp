#pragma once
// How far a step's applied gradient is from what it would have been without faults. Virtual workers make that known:
// the dead one's gradient exists, only the trainer does not see it.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/trainer/topology_aware_trainer.hpp"

namespace toposim::emulator {

/// Of one dead worker's estimate against its true gradient.
struct LocalError {
  std::uint32_t worker = 0;
  double relative_l2 = 0, cosine = 0;
};

struct GradientErrors {
  std::uint64_t step = 0;
  std::size_t dead = 0;
  double relative_l2 = 0;  ///< |applied - full| / |full|, full: the mean over all workers
  double cosine = 0;       ///< of applied and full
  double over_drop = 0;    ///< |applied - full| / |drop - full|; 1 for drop itself, 0 / 0 counts as 1
  double over_noise = 0;   ///< |applied - full| / the full gradient's own mini-batch noise
  double noise_l2 = 0;  ///< that noise: sqrt(sum over domains of n / (n - 1) sum |G_i - mean|^2) / workers, i.e. from
                        ///< the spread inside domains; domains of one worker add nothing
  double lambda = 0, coefficient_sum = 0, effective_sample_size = 0;
  std::vector<LocalError> local;  ///< of the dead whose estimate takes nothing from earlier steps
};

/// `gradients`: row per worker of `parameters` numbers, the dead ones' too. `applied`: what the trainer made of them.
GradientErrors gradient_errors(std::span<const float> gradients, std::size_t parameters,
                               std::span<const std::uint32_t> domain, const trainer::StepReport& report,
                               std::span<const float> applied);

}  // namespace toposim::emulator
