#include "sim/workloads/tiled_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/workloads/error.hpp"

namespace toposim::workloads {

namespace {

/// Two sequences of the transformer, 16 batches of eight images: activations of a tile fit in half a megabyte of cache,
/// and copies of the weights that Eigen makes for each product are small against it. 64 to 256 measure alike.
constexpr std::size_t tile_rows = 128;

std::size_t checked(std::size_t value, const char* name) {
  if (value == 0) throw WorkloadError(fmt::format("make_pass: {} is 0; it must be at least 1", name));
  return value;
}

}  // namespace

TiledPass::TiledPass(const Sizes& sizes, std::size_t rows_per_sample)
    : sizes_(sizes),
      tile_workers_(std::clamp<std::size_t>(tile_rows / (checked(sizes.batch, "batch") * rows_per_sample), 1,
                                            checked(sizes.max_workers, "max_workers"))) {}

void TiledPass::run(std::span<const float> parameters, std::span<const std::uint32_t> samples, StepKey key,
                    std::span<float> gradients, std::size_t stride, std::span<double> losses) {
  check_parameters(parameters, sizes_.parameter_count);
  const std::size_t workers = samples.size() / sizes_.batch;
  const auto refuse = [](const std::string& what) { throw WorkloadError("GradientPass::run: " + what); };
  if (samples.size() % sizes_.batch != 0)
    refuse(fmt::format("{} samples do not make whole batches of {}", samples.size(), sizes_.batch));
  if (workers > sizes_.max_workers)
    refuse(fmt::format("{} workers, but the pass was made for at most {}", workers, sizes_.max_workers));
  if (stride < sizes_.parameter_count)
    refuse(fmt::format("stride {} is below the {} parameters", stride, sizes_.parameter_count));
  if (workers > 0 && gradients.size() < (workers - 1) * stride + sizes_.parameter_count)
    refuse(fmt::format("room for {} gradient values, {} workers need {}", gradients.size(), workers,
                       (workers - 1) * stride + sizes_.parameter_count));
  if (losses.size() < workers) refuse(fmt::format("room for {} losses of {} workers", losses.size(), workers));
  for (const std::uint32_t sample : samples)
    if (sample >= sizes_.sample_count)
      refuse(fmt::format("sample {}; there are {}, counted from 0", sample, sizes_.sample_count));

  for (std::size_t first = 0; first < workers; first += tile_workers_) {
    const std::size_t count = std::min(tile_workers_, workers - first);
    run_tile({parameters.data(),
              samples.data() + first * sizes_.batch,
              count,
              key,
              {gradients.data() + first * stride, stride},
              losses.data() + first,
              first});
  }
}

std::vector<std::size_t> spread(std::size_t count, std::size_t limit) {
  const std::size_t taken = std::min(count, limit);
  std::vector<std::size_t> indices(taken);
  for (std::size_t i = 0; i < taken; ++i) indices[i] = i * count / taken;
  return indices;
}

double mean_or_nan(double total, std::size_t count) {
  return count > 0 ? total / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

void check_parameters(std::span<const float> parameters, std::size_t expected) {
  if (parameters.size() != expected)
    throw WorkloadError(fmt::format("{} parameters given, the model has {}", parameters.size(), expected));
}

}  // namespace toposim::workloads
