#include "sim/workloads/diffusion_process.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace toposim::workloads {
namespace {

using Process = DiffusionProcess;

// a_1 = 1 - 0.0005 = 0.9995; a_2 = 0.9995 (1 - 0.0005 - 0.0995/199) = 0.9995 x 0.999 = 0.9985005; after all, the
// product of 1 - beta is exp(sum log(1 - beta)).
TEST(DiffusionProcess, ScheduleByHand) {
  const Process process;
  EXPECT_NEAR(process.image_factor(1), std::sqrt(0.9995), 1e-7);
  EXPECT_NEAR(process.image_factor(2), std::sqrt(0.9985005), 1e-7);
  EXPECT_NEAR(process.noise_factor(2), std::sqrt(0.0014995), 1e-8);
  double sum = 0;
  for (int t = 0; t < 200; ++t) sum += std::log1p(-(5e-4 + 0.0995 * t / 199));
  EXPECT_NEAR(process.image_factor(200), std::exp(sum / 2), 1e-8);
  for (std::size_t t = 1; t <= Process::steps; ++t) {
    const double a = process.image_factor(t), b = process.noise_factor(t);
    EXPECT_NEAR(a * a + b * b, 1, 2e-7);
  }
}

// sin and cos of t, t / 10000^(1/16), ...
TEST(DiffusionProcess, NumbersOfTheTimestep) {
  const Process process;
  for (const std::size_t t : {1, 37, 200})
    for (std::size_t i = 0; i < 16; ++i) {
      const double angle = static_cast<double>(t) * std::pow(10000.0, -static_cast<double>(i) / 16);
      EXPECT_NEAR(process.time(t)[i], std::sin(angle), 1e-7);
      EXPECT_NEAR(process.time(t)[16 + i], std::cos(angle), 1e-7);
    }
}

// Input is a x0 + b noise and target noise - b input; so noise = target + b input, and x0 = (input - b noise) / a must
// be the average of four pixels: pixel (y, x) of the image is 8 y + x, so (Y, X) averages 16 Y + 2 X + 4.5, to be
// scaled.
TEST(DiffusionProcess, TheImageComesBack) {
  const Process process;
  const Draws draws(3, DrawPurpose::training_noise);
  std::vector<std::uint8_t> image(784);
  for (std::size_t y = 0; y < 28; ++y)
    for (std::size_t x = 0; x < 28; ++x) image[y * 28 + x] = static_cast<std::uint8_t>(8 * y + x);
  std::vector<float> input(228), target(196);
  for (std::uint32_t draw = 0; draw < 50; ++draw) {
    const std::size_t t = process.draw(draws, 5, draw, image, input.data(), target.data());
    const double a = process.image_factor(t), b = process.noise_factor(t);
    for (std::size_t y = 0; y < 14; ++y)
      for (std::size_t x = 0; x < 14; ++x) {
        const std::size_t i = y * 14 + x;
        const double noise = target[i] + b * input[i];
        const double grey = static_cast<double>(16 * y + 2 * x) + 4.5;
        EXPECT_NEAR(input[i] - b * noise, a * (grey / 127.5 - 1), 2e-6);
      }
    EXPECT_EQ(input[196], process.time(t)[0]);
    EXPECT_EQ(input[227], process.time(t)[31]);
  }
}

// Timesteps are uniform on 1 to 200: over 40,000 draws each comes 200 times, chi square with 199 degrees of freedom has
// mean 199 and standard deviation sqrt(398) = 20: below 199 + 4 x 20. The noise has variance 1 within 4 sqrt(2 / n).
TEST(DiffusionProcess, DrawsAreUniformTimesAndNormalNoise) {
  const Process process;
  const Draws draws(3, DrawPurpose::training_noise);
  const std::vector<std::uint8_t> image(784);
  std::vector<float> input(228), target(196);
  std::vector<double> count(Process::steps);
  double square = 0;
  for (std::uint32_t draw = 0; draw < 40'000; ++draw) {
    const std::size_t t = process.draw(draws, 5, draw, image, input.data(), target.data());
    ASSERT_GE(t, 1u);
    ASSERT_LE(t, 200u);
    ++count[t - 1];
    const double noise = target[0] + process.noise_factor(t) * input[0];
    square += noise * noise / 40'000;
  }
  double chi = 0;
  for (const double c : count) chi += (c - 200) * (c - 200) / 200;
  EXPECT_LT(chi, 279);
  EXPECT_GT(chi, 119);
  EXPECT_NEAR(square, 1, 4 * std::sqrt(2.0 / 40'000));
}

}  // namespace
}  // namespace toposim::workloads
