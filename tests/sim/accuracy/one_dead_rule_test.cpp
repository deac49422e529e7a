// The rule of thumb for one dead worker, with real gradients.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fashion_steps.hpp"
#include "sim/accuracy/gradient_scene.hpp"

namespace toposim::accuracy::test {
namespace {

TEST(OneDeadRule, NeighboursOverSurvivorsByTwoCosines) {
  // Gradients of one length and cosine c to and among n others: their mean is off by (1 - c) (1 + 1 / n) of its square.
  // For the neighbours c = c_in, n = 7. For all W - 1 survivors c is the mean over them, neighbours among them; that
  // their cosines differ among each other costs little where domains are many: 16 and 20 here.
  TOPOSIM_NEEDS_FASHION();
  for (const std::uint32_t workers : {128U, 160U}) {
    Steps steps(labelled_spec(workers));
    const StepSimilarities similarities = steps.similarities();
    const SceneNumbers scene = scene_of(similarities, steps.placement().worker_domain, 8).all;
    const double n = 7, others = workers - 1;
    const double c_out = (n * scene.c_in + (others - n) * scene.c_out) / others;
    const double expected = std::sqrt((1 - scene.c_in) * (1 + 1 / n) / ((1 - c_out) * (1 + 1 / others)));
    const auto draws = draw_failures(similarities, fault_case(emulator::FaultPattern::permanent, 1.0 / workers),
                                     std::vector<SchemeSpec>{scheme("uniform"), scheme("drop")}, steps.draw_spec(300));
    const double ratio = mean_of(draws[0], &DrawErrors::local_l2) / mean_of(draws[1], &DrawErrors::local_l2);
    EXPECT_NEAR(ratio, expected, 0.05) << workers;
    EXPECT_LT(expected, 0.95) << "domains do differ";
  }
}

}  // namespace
}  // namespace toposim::accuracy::test
