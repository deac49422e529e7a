#include "sim/workloads/diffusion_process.hpp"

#include <algorithm>
#include <cmath>

#include "sim/workloads/fixed_math.hpp"

namespace toposim::workloads {

namespace {

constexpr double beta_first = 5e-4, beta_last = 0.1;

}  // namespace

DiffusionProcess::DiffusionProcess() : time_(steps * time_numbers) {
  double kept = 1;
  for (std::size_t t = 1; t <= steps; ++t) {
    const double beta = beta_first + (beta_last - beta_first) * static_cast<double>(t - 1) / (steps - 1);
    kept *= 1 - beta;
    image_factor_[t - 1] = static_cast<float>(std::sqrt(kept));
    noise_factor_[t - 1] = static_cast<float>(std::sqrt(1 - kept));
    constexpr std::size_t half = time_numbers / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const double frequency = exp(-log(10000.0) * static_cast<double>(i) / half);
      const SineCosine wave = sine_cosine(static_cast<double>(t) * frequency / 6.28318530717958647693);
      time_[(t - 1) * time_numbers + i] = static_cast<float>(wave.sine);
      time_[(t - 1) * time_numbers + half + i] = static_cast<float>(wave.cosine);
    }
  }
}

std::size_t DiffusionProcess::draw(const Draws& draws, std::uint64_t a, std::uint32_t b,
                                   std::span<const std::uint8_t> image, float* input, float* target) const {
  const std::uint64_t word = draws.words(a, b, 0)[0];
  const std::size_t t = 1 + static_cast<std::size_t>(word * steps >> 32);
  std::array<double, pixels> normal;
  draws.normals(a, b, 1, normal.data(), pixels);
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      const std::uint8_t* four = image.data() + 2 * y * (2 * side) + 2 * x;
      const int sum = four[0] + four[1] + four[2 * side] + four[2 * side + 1];
      const float grey = static_cast<float>(sum) / 510 - 1;
      const std::size_t i = y * side + x;
      const auto noise = static_cast<float>(normal[i]);
      input[i] = image_factor(t) * grey + noise_factor(t) * noise;
      target[i] = noise - noise_factor(t) * input[i];
    }
  const auto numbers = time(t);
  std::copy(numbers.begin(), numbers.end(), input + pixels);
  return t;
}

}  // namespace toposim::workloads
