#include "sim/emulator/population_gradient.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

#include "fashion_steps.hpp"

namespace toposim::accuracy::test {
namespace {

TEST(PopulationGradient, OfADomainIsThatOfOneBigBatch) {
  // Three domains, of 200 samples (three pieces of 64 and 8 more), of 64 (a piece) and of all others; the first two
  // against one batch that holds just them. Means of 200 numbers in fp32: 1e-5 of the longest is far above rounding.
  TOPOSIM_NEEDS_FASHION();
  const std::size_t n = fashion()->parameter_count();
  std::vector<std::uint32_t> domain(fashion()->sample_count(), 2);
  std::vector<std::vector<std::uint32_t>> samples(2);
  for (std::uint32_t s = 0; s < 264; ++s) {
    domain[7 * s] = s < 200 ? 0 : 1;
    samples[s < 200 ? 0 : 1].push_back(7 * s);
  }
  const std::vector<float> parameters = fashion()->initial_parameters(3);
  const std::vector<float> rows = emulator::domain_gradients(*fashion(), parameters, domain, {3, 5}, 2);
  ASSERT_EQ(rows.size(), 3 * n);
  for (std::size_t d = 0; d < 2; ++d) {
    emulator::VirtualWorkers one(*fashion(), 1, samples[d].size(), 1);
    one.backward(parameters, samples[d], {3, 5});
    double error = 0, square = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto truth = static_cast<double>(one.gradients()[k]);
      error += std::pow(static_cast<double>(rows[d * n + k]) - truth, 2);
      square += truth * truth;
    }
    ASSERT_GT(square, 0);
    EXPECT_LT(std::sqrt(error / square), 1e-5) << d;
  }
}

TEST(PopulationGradient, WeightsDomainsByWorkersAndTheMixBySamples) {
  // Domains of 3 and 1 workers and of 2 and 6 samples, gradients 8 and 16: workers take 3/4 x 8 + 1/4 x 16 = 10, all
  // samples 2/8 x 8 + 6/8 x 16 = 14, and a quarter mixed in 11.
  const std::vector<float> rows{8, 16};
  const std::vector<std::uint32_t> samples{0, 1, 1, 1, 0, 1, 1, 1}, workers{0, 0, 0, 1};
  EXPECT_EQ(emulator::population_gradient(rows, samples, workers, 0), (std::vector<float>{10}));
  EXPECT_EQ(emulator::population_gradient(rows, samples, workers, 0.25), (std::vector<float>{11}));
  EXPECT_EQ(emulator::population_gradient(rows, samples, workers, 1), (std::vector<float>{14}));
}

TEST(PopulationGradient, ADomainWithoutASampleIsRefused) {
  TOPOSIM_NEEDS_FASHION();
  std::vector<std::uint32_t> domain(fashion()->sample_count(), 0);
  domain[0] = 2;
  EXPECT_THROW(emulator::domain_gradients(*fashion(), fashion()->initial_parameters(1), domain, {}, 1),
               std::invalid_argument);
}

}  // namespace
}  // namespace toposim::accuracy::test
