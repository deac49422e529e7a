#pragma once
#include "sim/workloads/matrix.hpp"
#include "sim/workloads/workload.hpp"

namespace toposim::workloads {

/// Some workers of a call: pointers to the first of them.
struct Tile {
  const float* parameters;
  const std::uint32_t* samples;
  std::size_t workers;
  StepKey key;
  GradientRows<float> gradients;
  double* losses;
  std::size_t first_worker;  ///< in the call
};

/// Checks a call, then runs it a few workers at a time, so that what they compute stays in the cache. Where the cuts
/// are changes no bit: rows of workers do not depend on each other.
class TiledPass : public GradientPass {
 public:
  struct Sizes {
    std::size_t max_workers, batch;
    std::size_t parameter_count, sample_count;
  };

  /// `rows_per_sample`: of the matrices that the model multiplies.
  TiledPass(const Sizes& sizes, std::size_t rows_per_sample);

  void run(std::span<const float> parameters, std::span<const std::uint32_t> samples, StepKey key,
           std::span<float> gradients, std::size_t stride, std::span<double> losses) final;

 protected:
  virtual void run_tile(const Tile& tile) = 0;
  std::size_t batch() const { return sizes_.batch; }
  std::size_t max_workers() const { return sizes_.max_workers; }
  std::size_t tile_workers() const { return tile_workers_; }
  std::size_t tile_samples() const { return tile_workers_ * sizes_.batch; }

 private:
  Sizes sizes_;
  std::size_t tile_workers_;
};

/// Indices of the held-out samples that an evaluation takes: at most `limit`, spread evenly.
std::vector<std::size_t> spread(std::size_t count, std::size_t limit);

/// total / count, or NaN where there is nothing to average.
double mean_or_nan(double total, std::size_t count);

void check_parameters(std::span<const float> parameters, std::size_t expected);

}  // namespace toposim::workloads
