#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "../schemes/small_job.hpp"
#include "sim/app/theory.hpp"

namespace toposim::sim::test {
namespace {

std::vector<analysis::ClosedForm> forms(const SchemeSpec& spec, double mtti_s) {
  const SmallJob job;
  return closed_forms(spec, *make_scheme(spec, job.context()), job.context(), mtti_s);
}

/// The plain scheme, and 0.5 s of comm-init for each of the 4 x 2 ranks.
SchemeSpec restart() {
  SchemeSpec spec = plain_spec(SchemeKind::checkpoint_restart);
  spec.recovery.comm_init_per_rank_s = 0.5;
  return spec;
}

// t = 10 steps of 10 s, d = 20, R = detect 30 + reallocate 60 + comm-init 10 + 8 x 0.5 + load 40 + catch up 7 = 151 (no
// quorum), M = 2000 s:
//   Daly         100 / (2000 e^0.0755 (e^0.06 - 1)) = 100 / (2000 x 1.078423 x 0.0618365) = 100 / 133.3719 = 0.749783
//   Meta         (1 - (151 + 50) / 2000) / (1 + 0.2) = 0.8995 / 1.2 = 0.749583
//   first order  1 - 0.2 - 0.1005 = 0.6995
TEST(Theory, CheckpointRestartByHand) {
  const std::vector<analysis::ClosedForm> list = forms(restart(), 2000);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].name, "Daly's exact form");
  EXPECT_NEAR(list[0].ettr, 0.749783, 1e-6);
  EXPECT_EQ(list[1].name, "Meta's quotient form");
  EXPECT_NEAR(list[1].ettr, 0.8995 / 1.2, 1e-12);
  EXPECT_EQ(list[2].name, "first-order sum");
  EXPECT_NEAR(list[2].ettr, 0.6995, 1e-12);
  for (const analysis::ClosedForm& form : list) EXPECT_FALSE(form.source.empty()) << form.name;
}

// d is what the job stands still: the snapshot of 2 s, not the 50 s until it is durable. 1 - 2/100 - 201/2000.
TEST(Theory, AsynchronousWritesCostTheSnapshot) {
  SchemeSpec spec = restart();
  spec.checkpoint.write = CheckpointSpec::Write::asynchronous;
  spec.checkpoint.snapshot_s = 2;
  spec.checkpoint.write_s = 50;
  EXPECT_NEAR(forms(spec, 2000).at(2).ettr, 0.8795, 1e-12);
}

// A failure every 100 s, a recovery of 151 s: the first-order sums are 1 - 0.2 - 2.01 and (1 - 2.01) / 1.2, below zero
// and so 0; Daly's is 1 / (e^1.51 (e^1.2 - 1)) = 1 / (4.526731 x 2.320117) = 0.095215.
TEST(Theory, NoShareIsBelowZero) {
  const std::vector<analysis::ClosedForm> list = forms(restart(), 100);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_NEAR(list[0].ettr, 0.095215, 1e-6);
  EXPECT_EQ(list[1].ettr, 0);
  EXPECT_EQ(list[2].ettr, 0);
}

// The forms know one restart for all losses, which replica schemes do not do; and they divide by the time between
// failures, which has to be there.
TEST(Theory, NoneForReplicaSchemesAndWhereNothingFails) {
  EXPECT_TRUE(forms(plain_spec(SchemeKind::drop_replica), 2000).empty());
  EXPECT_TRUE(forms(plain_spec(SchemeKind::compensate), 2000).empty());
  EXPECT_TRUE(forms(restart(), std::numeric_limits<double>::infinity()).empty());
  EXPECT_EQ(forms(restart(), 1e12).size(), 3u);
}

}  // namespace
}  // namespace toposim::sim::test
