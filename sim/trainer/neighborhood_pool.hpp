#pragma once
// What neighbours know of each other's gradients: sketches of the last steps, and the gradients themselves where an
// estimator wants those. Sketching and pooling are the kernels' (kernels/topokernels.hpp).
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "kernels/estimators/estimator.hpp"

namespace toposim::trainer {

struct NeighborhoodSpec {
  std::vector<std::uint32_t> domain;  ///< per worker
  std::size_t parameters = 0;
  std::size_t sketch_width = 512;  ///< a multiple of 64, 64 to 4096; 0: no sketches are taken
  std::uint64_t seed = 1;          ///< of the sketch
  std::size_t history_steps = 0;   ///< earlier steps whose sketches and gradients are kept
  std::size_t centroid_width = 0;
  std::vector<float> centroids;  ///< workers x centroid_width; may be empty
  int threads = 1;
};

/// One step at a time; the gradients of the step in hand stay the caller's.
class NeighborhoodPool {
 public:
  explicit NeighborhoodPool(NeighborhoodSpec spec);

  std::size_t workers() const { return spec_.domain.size(); }
  const std::vector<std::uint32_t>& domain() const { return spec_.domain; }

  /// A new step. `gradients`: row per worker, `stride` floats apart; rows of workers that are not present are not read.
  /// With `sketch`, present rows are sketched. Valid until the next call; throws std::invalid_argument where sizes do
  /// not fit.
  void begin_step(std::span<const float> gradients, std::size_t stride, std::span<const std::uint8_t> present,
                  bool sketch);

  /// The step in hand and the kept ones, as estimators see them; of width 0 where nothing was sketched.
  estimators::Observations observations() const;

  /// out = sum of coefficient x G[age][worker], by the pool kernel. Throws std::invalid_argument for a term that names
  /// a step that is not kept or a worker that was not present.
  void combine(std::span<const estimators::Term> terms, std::span<float> out) const;

 private:
  struct Step {
    std::vector<float> gradients, sketches;
    std::vector<std::uint8_t> present;
  };
  std::span<const float> row(const estimators::Term& term) const;

  NeighborhoodSpec spec_;
  std::deque<Step> past_;  ///< newest first
  Step now_;               ///< its gradients are the caller's
  std::span<const float> gradients_;
  std::size_t stride_ = 0;
};

}  // namespace toposim::trainer
