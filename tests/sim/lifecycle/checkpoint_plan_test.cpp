#include "sim/lifecycle/checkpoint_plan.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/lifecycle/recovery_costs.hpp"

namespace toposim::sim {
namespace {

// M = 185.585 min; write 10 s, interval 7.87 min; write 60 s, interval 19.27 min: Young's.
TEST(CheckpointPlan, YoungsIntervals) {
  EXPECT_NEAR(young_interval_s(10, 185.585 * 60) / 60, 7.87, 0.005);
  EXPECT_NEAR(young_interval_s(60, 185.585 * 60) / 60, 19.27, 0.005);
}

// w = 60 s, M = 11135.1 s: x = w / 2M = 0.00269419; sqrt(2wM) = 1155.947; 1 + sqrt(x)/3 + x/9 = 1.0176011;
// 1155.947 x 1.0176011 - 60 = 1116.293.
TEST(CheckpointPlan, DalysInterval) {
  EXPECT_NEAR(daly_interval_s(60, 11135.1), 1116.293, 0.01);
  EXPECT_EQ(daly_interval_s(200, 100), 100);
  EXPECT_EQ(daly_interval_s(0, 1e5), 0);
}

// Daly's exact wall time is least where e^-(t+w)/M = 1 - t/M, so at t = M (1 + W(-e^(-1 - w/M))), W Lambert's function.
// His rule is within 0.2 % of it for w/M < 0.1 (Daly 2006); Young's is not.
TEST(CheckpointPlan, DalysIntervalIsNearTheBest) {
  const double m = 185.585;
  for (const double write : {0.1, 1.0, 5.0, 15.0}) {
    const double best = m * (1 + boost::math::lambert_w0(-std::exp(-1 - write / m)));
    EXPECT_NEAR(daly_interval_s(write, m), best, 2e-3 * best) << write;
  }
  const double best = m * (1 + boost::math::lambert_w0(-std::exp(-1 - 15 / m)));
  EXPECT_GT(std::abs(young_interval_s(15, m) - best), 0.02 * best);
}

topology::ClusterSpec cluster_of(std::int64_t nodes) {
  topology::ClusterSpec cluster;
  cluster.nodes = nodes;
  return cluster;
}

topology::ParallelLayout layout_of(std::int64_t ranks, std::int64_t replicas) {
  topology::ParallelLayout layout;
  layout.data = replicas;
  layout.pipeline = ranks / replicas;
  return layout;
}

// 1e12 bytes over 4 nodes of 8 GPUs. Store at 1e11 B/s: 10 s. At 1e12 B/s the nodes are slower: 1e12 / 4 / 25e9 = 10 s.
// Snapshot over PCIe at 64e9: 1e12 / 32 / 64e9 = 0.48828125 s.
TEST(CheckpointPlan, TimesFromBytes) {
  CheckpointSpec spec;
  spec.interval_rule = CheckpointSpec::Interval::fixed;
  spec.interval_s = 95;
  StateBytes bytes;
  bytes.checkpoint = 1e12;
  spec.storage_write_Bps = 1e11;
  EXPECT_DOUBLE_EQ(write_time_s(spec, bytes, 4), 10);
  spec.storage_write_Bps = 1e12;
  EXPECT_DOUBLE_EQ(write_time_s(spec, bytes, 4), 10);
  EXPECT_DOUBLE_EQ(write_time_s(spec, bytes, 1), 40);
  const CheckpointPlan plan = resolve_checkpoints(spec, bytes, cluster_of(4), layout_of(32, 4), 10'000'000'000, 1e5);
  EXPECT_TRUE(plan.asynchronous);
  EXPECT_EQ(plan.interval_steps, 10);  // 9.5 steps: to the nearest, up
  EXPECT_EQ(plan.stall_ns, 488'281'250);
  EXPECT_EQ(plan.write_ns, 10'000'000'000);
  spec.write = CheckpointSpec::Write::blocking;
  const CheckpointPlan blocking =
      resolve_checkpoints(spec, bytes, cluster_of(4), layout_of(32, 4), 10'000'000'000, 1e5);
  EXPECT_EQ(blocking.stall_ns, 10'000'000'000);
  EXPECT_EQ(blocking.write_ns, 0);
}

TEST(CheckpointPlan, IntervalRules) {
  CheckpointSpec spec;
  spec.write_s = 60;
  spec.snapshot_s = 1;
  spec.write = CheckpointSpec::Write::blocking;
  const auto steps = [&](double mtti_s) {
    return resolve_checkpoints(spec, {}, cluster_of(4), layout_of(32, 4), 1'000'000'000, mtti_s).interval_steps;
  };
  spec.interval_rule = CheckpointSpec::Interval::daly;
  EXPECT_EQ(steps(11135.1), 1116);
  spec.interval_rule = CheckpointSpec::Interval::young;
  EXPECT_EQ(steps(11135.1), 1156);
  // Asynchronous: sqrt(2 x 1 x 11135.1) = 149.2; with M = 800 sqrt(1600) = 40 would be shorter than the write.
  spec.write = CheckpointSpec::Write::asynchronous;
  EXPECT_EQ(steps(11135.1), 149);
  EXPECT_EQ(steps(800), 60);
  // Steps of 25 s: the write lasts 2.4 of them, so 3.
  EXPECT_EQ(resolve_checkpoints(spec, {}, cluster_of(4), layout_of(32, 4), 25'000'000'000, 800).interval_steps, 3);
  // Never failing: as if once in a century, sqrt(2 x 3155760000) = 79445.
  EXPECT_EQ(steps(std::numeric_limits<double>::infinity()), 79445);
  spec.interval_rule = CheckpointSpec::Interval::fixed;
  spec.interval_s = 0.2;
  EXPECT_EQ(steps(1e5), 1);
  spec.interval_s = 0;
  EXPECT_THROW(steps(1e5), std::invalid_argument);
}

// 405e9 parameters x 14 bytes = 5.67e12 over 2048 nodes; 128 replicas of 16 nodes, each holding 810e9 bytes.
// Store 1e12 B/s: 5.67 s. Nodes: 128 x 810e9 / 2048 / 25e9 = 2.025 s. From a peer: 810e9 / 128 GPUs / 50e9 = 0.1265625.
TEST(RecoveryCosts, FromBytes) {
  StateBytes bytes{5.67e12, 810e9, 1e9, 0};
  CheckpointSpec spec;
  const topology::ParallelLayout layout = layout_of(16384, 128);
  EXPECT_DOUBLE_EQ(load_time_s(spec, bytes, layout, 2048), 5.67);
  spec.storage_read_Bps = 1e13;
  EXPECT_DOUBLE_EQ(load_time_s(spec, bytes, layout, 2048), 2.025);
  const RecoveryCosts costs = resolve_recovery({}, spec, bytes, cluster_of(2048), layout);
  EXPECT_EQ(costs.load_ns, 2'025'000'000);
  EXPECT_EQ(costs.peer_load_ns, 126'562'500);
  EXPECT_EQ(costs.shard_load_ns, 20'000'000);
  EXPECT_EQ(costs.comm_init_ns(128), 10'000'000'000 + 16384 * 2'000'000LL);  // 10 s + 2 ms a rank
  EXPECT_EQ(costs.comm_init_ns(127), 10'000'000'000 + 16256 * 2'000'000LL);
  EXPECT_EQ(costs.regroup_ns(127), 10'000'000'000 + 127 * 2'000'000LL);  // one rank per replica
}

TEST(RecoveryCosts, RefusesWhatIsNoDuration) {
  EXPECT_EQ(to_ns(1.5, "x"), 1'500'000'000);
  for (const double bad : {-1.0, std::nan(""), 1e10, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(to_ns(bad, "detect_s"), std::invalid_argument) << bad;
}

}  // namespace
}  // namespace toposim::sim
