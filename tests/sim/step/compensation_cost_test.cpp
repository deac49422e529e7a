#include "sim/step/compensation_cost.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/estimators/estimator.hpp"
#include "presets.hpp"
#include "sim/step/transformer.hpp"

namespace toposim::sim {
namespace {

// 16 replicas of TP 4 x PP 8, gradients of 4 bytes, a GPU of 1 TB/s, NICs of 50 GB/s, all wires 1 us each way but the
// uplinks 0.5 us, 2 us of software per message.
JobSpec job() {
  JobSpec j;
  j.model = gpt3_175b();
  j.layout.tensor = 4, j.layout.pipeline = 8, j.layout.data = 16;
  j.latency = by_hand();
  j.latency.network_round_s = 2e-6;
  return j;
}
GpuSpec gpu() {
  GpuSpec g = h100();
  g.memory_bandwidth_Bps = 1e12;
  return g;
}
topology::ClusterSpec cluster() {
  topology::ClusterSpec c;
  c.access = {50e9, 1e-6};
  c.uplink = {50e9, 0.5e-6};
  return c;
}

TEST(CompensationCost, PartsByHand) {
  const CompensationCost cost = compensation_cost(job(), gpu(), cluster(), "shrink", 512, 0.25);
  const double n = fullest_stage(job()).parameters();
  EXPECT_DOUBLE_EQ(cost.scale_s, 5e-6 + 8 * n / 1e12);   // read and write 4 bytes
  EXPECT_DOUBLE_EQ(cost.sketch_s, 5e-6 + 4 * n / 1e12);  // read 4 bytes
  // 16 sketches of 512 fp32 and 256 products: (16 x 512 + 256) x 4 = 33,792 bytes = 33.792 ns.
  EXPECT_DOUBLE_EQ(cost.gram_s, 5e-6 + 33.792e-9);
  // A round is 2 + 2 x 1 + 2 x 0.5 = 5 us. Sketches: 4 rounds and 15 x 2048 bytes; products over 32 ranks: 2 x 5 rounds
  // and 2 x 1024 bytes; coefficients: 4 rounds and 64 bytes. 18 rounds = 90 us; 32,832 bytes at 50 GB/s = 0.65664 us.
  EXPECT_NEAR(cost.exchange_s, 90e-6 + 0.65664e-6, 1e-12);
  EXPECT_EQ(cost.always_s, 0);
  EXPECT_DOUBLE_EQ(cost.while_missing_s, cost.scale_s + cost.sketch_s + cost.gram_s + cost.exchange_s + 0.25);
}

TEST(CompensationCost, MeasuredKernelsTakeTheDatasheetsPlace) {
  GpuSpec measured = gpu();
  measured.kernel_bandwidth_Bps = 0.5e12;  // half of the datasheet's
  measured.kernel_launch_s = 2e-6;
  const double n = fullest_stage(job()).parameters();
  EXPECT_DOUBLE_EQ(compensation_cost(job(), measured, cluster(), "shrink", 512, 0).sketch_s, 2e-6 + 4 * n / 0.5e12);
}

TEST(CompensationCost, EveryEstimatorHasAPrice) {
  for (const estimators::EstimatorKind& kind : estimators::estimators()) {
    const CompensationCost cost = compensation_cost(job(), gpu(), cluster(), std::string(kind.name), 512, 0);
    EXPECT_EQ(cost.while_missing_s > 0, kind.needs.scaling || kind.needs.gradients) << kind.name;
    EXPECT_EQ(cost.always_s > 0, kind.needs.gradient_history) << kind.name;
  }
}

TEST(CompensationCost, EmbeddingWeightsOnlyScale) {
  for (const char* estimator : {"literal", "cosdist", "softmax", "uniform"}) {
    const CompensationCost cost = compensation_cost(job(), gpu(), cluster(), estimator, 512, 0.25);
    EXPECT_DOUBLE_EQ(cost.while_missing_s, cost.scale_s);
    EXPECT_EQ(cost.always_s, 0);
  }
}

TEST(CompensationCost, DropCostsNothing) {
  EXPECT_EQ(compensation_cost(job(), gpu(), cluster(), "drop", 512, 0.25).while_missing_s, 0);
}

TEST(CompensationCost, HistoryIsSketchedInEveryStep) {
  const CompensationCost cost = compensation_cost(job(), gpu(), cluster(), "ema", 512, 0);
  EXPECT_DOUBLE_EQ(cost.always_s, cost.sketch_s);
}

TEST(CompensationCost, BadInputIsNamed) {
  try {
    compensation_cost(job(), gpu(), cluster(), "shrnk", 512, 0);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("'shrnk'"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("shrink"), std::string::npos);
  }
  EXPECT_THROW(compensation_cost(job(), gpu(), cluster(), "shrink", 0, 0), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::sim
