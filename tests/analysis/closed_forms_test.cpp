// The numbers follow from Llama 3 (arXiv 2407.21783, table 5), Meta (arXiv
// 2410.21680) and Daly (FGCS 22, 2006). Minutes throughout: the forms know no unit.
#include "analysis/closed_forms.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace toposim::analysis {
namespace {

constexpr double llama3_mtbf_min = 54.0 * 24 * 60 / 419;  // 419 unexpected interruptions in 54 days: 185.585

TEST(ClosedForms, Llama3RestartOf5MinutesAndWriteOf10Seconds) {
  EXPECT_NEAR(llama3_mtbf_min, 185.585, 5e-4);
  const CheckpointTimes t{llama3_mtbf_min, 5, 10.0 / 60};
  EXPECT_NEAR(first_order_ettr(7.87, t), 0.93068, 5e-6);
  EXPECT_NEAR(meta_ettr(7.87, t), 0.93212, 5e-6);
  EXPECT_NEAR(daly_ettr(7.87, t), 0.93274, 5e-6);
}

TEST(ClosedForms, Llama3RestartOf20MinutesAndWriteOf60Seconds) {
  const CheckpointTimes t{llama3_mtbf_min, 20, 1};
  EXPECT_NEAR(first_order_ettr(19.27, t), 0.78842, 5e-6);
  EXPECT_NEAR(daly_ettr(19.27, t), 0.80778, 5e-6);
}

TEST(ClosedForms, MetaAt16384Gpus) {
  // 2,048 nodes x 6.5e-3 a day: 1.8 h between interruptions. No write stall.
  const double mtbf_min = 24 * 60 / (2048 * 6.5e-3);
  EXPECT_NEAR(mtbf_min / 60, 1.8, 0.05);
  const CheckpointTimes t{mtbf_min, 5, 0};
  EXPECT_NEAR(meta_ettr(60, t), 0.6764, 5e-5);
  EXPECT_NEAR(meta_ettr(5, t), 0.9307, 5e-5);
  EXPECT_NEAR(first_order_ettr(60, t), 0.6764, 5e-5);  // without a stall the two first-order forms agree
  EXPECT_NEAR(daly_ettr(60, t), 0.7144, 5e-5);
}

/// The minimum of Daly's exact wall time: e^-(t+d)/M = 1 - t/M, so t = M (1 + W(-e^(-1 - d/M))).
double exact_best_interval(const CheckpointTimes& t) {
  return t.mtbf_s * (1 + boost::math::lambert_w0(-std::exp(-1 - t.write_s / t.mtbf_s)));
}

TEST(ClosedForms, DalysExactFormIsBestWhereItsDerivativeVanishes) {
  for (const double write : {0.1, 1.0, 5.0, 15.0}) {
    const CheckpointTimes t{185.585, 5, write};
    const double best = exact_best_interval(t);
    EXPECT_GT(daly_ettr(best, t), daly_ettr(best * 1.01, t));
    EXPECT_GT(daly_ettr(best, t), daly_ettr(best / 1.01, t));
  }
}

TEST(ClosedForms, WallTimeIsLinearInWorkAndKnowsNoUnit) {
  const CheckpointTimes t{185.585, 5, 1};
  EXPECT_NEAR(daly_wall_s(1000, 20, t), 2 * daly_wall_s(500, 20, t), 1e-9);
  EXPECT_NEAR(daly_ettr(20, t), daly_ettr(1200, {185.585 * 60, 300, 60}), 1e-12);
  EXPECT_EQ(daly_wall_s(0, 20, t), 0);
  EXPECT_EQ(daly_ettr(1e6, {1, 0, 0}), 0);  // overflows: never gets there
}

TEST(ClosedForms, RareFailuresCostNothing) {
  const CheckpointTimes t{1e15, 5, 0};
  EXPECT_NEAR(daly_ettr(60, t), 1, 1e-12);
  EXPECT_NEAR(meta_ettr(60, t), 1, 1e-12);
}

TEST(ClosedForms, RefuseWhatHasNoMeaning) {
  const CheckpointTimes t{100, 1, 1};
  EXPECT_THROW(daly_ettr(0, t), std::invalid_argument);
  EXPECT_THROW(meta_ettr(-1, t), std::invalid_argument);
  EXPECT_THROW(first_order_ettr(std::nan(""), t), std::invalid_argument);
  EXPECT_THROW(daly_ettr(1, {0, 1, 1}), std::invalid_argument);
  EXPECT_THROW(daly_ettr(1, {100, 1, -1}), std::invalid_argument);
  EXPECT_THROW(daly_ettr(1, {std::numeric_limits<double>::infinity(), 1, 1}), std::invalid_argument);
  EXPECT_THROW(daly_ettr(1, {100, -1, 0}), std::invalid_argument);
  EXPECT_THROW(daly_wall_s(-1, 1, t), std::invalid_argument);
}

}  // namespace
}  // namespace toposim::analysis
