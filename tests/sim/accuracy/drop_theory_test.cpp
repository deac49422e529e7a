// What the mean over survivors costs where data are i.i.d., with real gradients.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fashion_steps.hpp"
#include "sim/accuracy/gradient_scene.hpp"

namespace toposim::accuracy::test {
namespace {

const std::vector<SchemeSpec> only_drop{scheme("drop")};

TEST(DropTheory, ItsErrorIsThatOfASmallerSample) {
  // Of W gradients with sample variance s^2, W - k drawn without replacement: their mean is off by s^2 / (W - k) (1 -
  // (W - k) / W) = (s^2 / W) k / (W - k) on average, and s^2 / W is the full gradient's own noise (estimated inside
  // domains, which do not differ).
  TOPOSIM_NEEDS_FASHION();
  Steps steps(labelled_spec(64, emulator::Sharing::iid));
  const StepSimilarities similarities = steps.similarities();
  for (const double dead : {4, 16, 32}) {
    const auto draws = draw_failures(similarities, fault_case(emulator::FaultPattern::permanent, dead / 64), only_drop,
                                     steps.draw_spec(200));
    const double expected = std::sqrt(dead / (64 - dead));
    EXPECT_NEAR(mean_of(draws[0], &DrawErrors::global_error_over_noise), expected, 0.1 * expected) << dead;
  }
}

TEST(DropTheory, AgainstThePopulationItIsHardlyWorseThanAllWorkers) {
  // drop - population = (drop - full) + (full - population), of which the first is random in who dies and zero on
  // average: squares add up, (s^2 / W) (k / (W - k) + 1) = (s^2 / W) W / (W - k). Root mean squares over steps at the
  // same parameters, over which |full - population|^2 averages to s^2 / W: a few large directions make it scatter by
  // perhaps a half, 20 of them by a tenth, the ratio's square by 0.1 x k / W, 0.025 to 0.05 of it.
  TOPOSIM_NEEDS_FASHION();
  Steps steps(labelled_spec(64, emulator::Sharing::iid));
  const std::vector<float> population = steps.population();
  double full_square = 0, drop_square[2] = {};
  const double dead[2] = {16, 32};
  for (int step = 0; step < 20; ++step) {
    const StepSimilarities similarities = steps.similarities(population);
    const auto& domain = steps.placement().worker_domain;
    const double noise = noise_l2(similarities.all, domain);
    full_square += std::pow(scene_of(similarities, domain, 8).all.population_error * noise, 2) / 20;
    for (int i = 0; i < 2; ++i) {
      DrawSpec spec = steps.draw_spec(50);
      spec.seed = static_cast<std::uint64_t>(step + 1);
      const auto draws =
          draw_failures(similarities, fault_case(emulator::FaultPattern::permanent, dead[i] / 64), only_drop, spec);
      for (const DrawErrors& draw : draws[0])
        drop_square[i] += std::pow(draw.population_error_over_noise * noise, 2) / (20 * 50);
    }
  }
  for (int i = 0; i < 2; ++i) {
    const double expected = std::sqrt(64 / (64 - dead[i]));
    EXPECT_NEAR(std::sqrt(drop_square[i] / full_square), expected, 0.05 * expected) << dead[i];
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
