#pragma once
// What neighbours know of each other's gradients: sketches of the last steps, and the gradients themselves where an
// estimator wants those. Sketching and pooling are the kernels' (kernels/topokernels.hpp).
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "kernels/estimators/estimator.hpp"
#include "kernels/topokernels.hpp"

namespace toposim::trainer {

struct NeighborhoodSpec {
  std::vector<std::uint32_t> domain;  ///< per worker
  std::size_t parameters = 0;
  std::size_t sketch_width = 512;  ///< a multiple of 64, 64 to 4096; 0: no sketches are taken
  std::uint64_t seed = 1;          ///< of the sketch
  std::size_t history_steps = 0;   ///< earlier steps whose sketches and gradients are kept
  bool int8 = false;               ///< gradients are kept and pooled as int8, a scale for every 128
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
  /// not fit. `late`: workers that are not present now and whose gradient will be there when the next step looks back;
  /// per worker, or empty.
  void begin_step(std::span<const float> gradients, std::size_t stride, std::span<const std::uint8_t> present,
                  bool sketch, std::span<const std::uint8_t> late = {});

  /// The step in hand and the kept ones, as estimators see them; of width 0 where nothing was sketched.
  estimators::Observations observations() const;

  /// out = sum of coefficient x G[age][worker], by the pool kernel. Throws std::invalid_argument for a term that names
  /// a step that is not kept or a worker that was not present.
  void combine(std::span<const estimators::Term> terms, std::span<float> out) const;

 private:
  struct Step {
    std::vector<float> gradients, sketches;
    std::vector<std::int8_t> quantised;  // in place of gradients
    std::vector<float> scales;
    std::vector<std::uint8_t> present, late;
  };
  bool there(std::size_t worker) const {
    return now_.present[worker] != 0 || (!now_.late.empty() && now_.late[worker] != 0);
  }
  template <class Work>
  void for_each_there(const Work& work);
  std::size_t int8_stride() const { return (spec_.parameters + 3) / 4 * 4; }  // rows start where kernels take them
  std::size_t scales_stride() const { return (spec_.parameters + 127) / 128; }
  void keep_gradients();
  void take_sketches();
  kernels::Vector row(const estimators::Term& term) const;

  NeighborhoodSpec spec_;
  std::deque<Step> past_;  ///< newest first
  Step now_;               ///< its gradients are the caller's
  std::span<const float> gradients_;
  std::size_t stride_ = 0;
};

}  // namespace toposim::trainer
