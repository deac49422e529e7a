#pragma once
// How images turn into noise (Ho, Jain, Abbeel 2020): x_t = sqrt(a_t) x_0 + sqrt(1 - a_t) noise, a_t the product of
// 1 - beta_s over s <= t.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/workloads/draws.hpp"

namespace toposim::workloads {

class DiffusionProcess {
 public:
  static constexpr std::size_t steps = 200, side = 14, pixels = side * side, time_numbers = 32;

  /// beta rises linearly from 5e-4 to 0.1: theirs (1e-4 to 0.02 over 1000 steps) times 1000 / 200.
  DiffusionProcess();

  /// For step t, 1 to steps: the factors of image and noise, and what tells a network t: sines and cosines of
  /// t 10000^(-i / 16) (Vaswani et al. 2017, section 3.5).
  float image_factor(std::size_t t) const { return image_factor_[t - 1]; }
  float noise_factor(std::size_t t) const { return noise_factor_[t - 1]; }
  std::span<const float> time(std::size_t t) const { return {time_.data() + (t - 1) * time_numbers, time_numbers}; }

  /// Draws t and the noise of the counter (a, b). Writes x_t and the numbers of t to `input` (pixels + time_numbers),
  /// the noise less sqrt(1 - a_t) x_t to `target`; returns t. `image`: 28 x 28 bytes, averaged in squares of four and
  /// scaled to [-1, 1].
  std::size_t draw(const Draws& draws, std::uint64_t a, std::uint32_t b, std::span<const std::uint8_t> image,
                   float* input, float* target) const;

 private:
  std::array<float, steps> image_factor_{}, noise_factor_{};
  std::vector<float> time_;
};

}  // namespace toposim::workloads
