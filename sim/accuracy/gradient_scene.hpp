#pragma once
// What the gradients of one step look like before any fault: how alike neighbours are, and how much of that is no more
// than the size of a batch.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/accuracy/step_similarities.hpp"

namespace toposim::accuracy {

/// Of all parameters or of one layer group.
struct SceneNumbers {
  double c_in = 0, c_out = 0;                  ///< mean cosine of two gradients of one domain, of two domains
  double angle_in_deg = 0, angle_out_deg = 0;  ///< mean angles of the same pairs
  double noise_scale_samples = 0;  ///< B_noise = tr(S) / |g|^2 (McCandlish et al. 2018, equation 2.4): S, the
                                   ///< covariance of a sample's gradient inside domains, from their spread; g, the
                                   ///< population gradient where known, else the full one less its own noise;
                                   ///< 0, and the two after it, where that leaves nothing
  double batch_over_noise_scale = 0;
  double iid_cosine = 0;   ///< 1 / (1 + B_noise / batch): of two batches of the same distribution
  double gradient_l2 = 0;  ///< of the full gradient, the mean over all workers
  double noise_l2 = 0;     ///< its mini-batch noise, from the spread inside domains; domains of one worker add nothing
  double population_l2 = 0;     ///< of the population gradient; 0 where unknown
  double population_error = 0;  ///< |full - population| / noise_l2: 1 on average
};

struct Scene {
  std::uint64_t step = 0;
  SceneNumbers all;
  std::vector<SceneNumbers> groups;    ///< in the order of StepSimilarities
  std::vector<double> domain_cosines;  ///< domains x domains: of the domains' mean gradients
};

/// domain: per worker. batch: samples of a worker.
Scene scene_of(const StepSimilarities& similarities, std::span<const std::uint32_t> domain, std::uint32_t batch);

/// noise_l2 alone.
double noise_l2(const emulator::GramMatrix& gram, std::span<const std::uint32_t> domain);

}  // namespace toposim::accuracy
