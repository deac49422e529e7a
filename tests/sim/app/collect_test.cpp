#include "sim/app/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "../schemes/small_job.hpp"
#include "quickstart.hpp"
#include "sim/app/study.hpp"

namespace toposim::sim::test {
namespace {

using analysis::Unit;

/// One loss of a node at 755 s of 1000, by every scheme.
std::vector<LifecycleResult> short_runs() {
  std::vector<LifecycleResult> runs;
  for (const SchemeKind kind : {SchemeKind::checkpoint_restart, SchemeKind::drop_replica, SchemeKind::compensate}) {
    runs.push_back(run(SmallJob(), plain_spec(kind), Faults(1000).nodes(755, 1e6, {1})));
  }
  return runs;
}

// A duration is one that is named _s; shares and counts have no unit, and a price is named by what it is per. No name
// twice, one value per run, in the column that its unit asks for.
TEST(Collect, NamesCarryUnits) {
  std::set<std::string> names;
  for (const analysis::Metric& m : lifecycle_metrics(short_runs(), seconds(10), 160)) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name << " twice";
    EXPECT_EQ(m.name.ends_with("_s"), m.unit == Unit::duration_ns) << m.name;
    const bool whole = m.unit == Unit::duration_ns || m.unit == Unit::count;
    EXPECT_EQ(m.integers.size(), whole ? 3u : 0u) << m.name;
    EXPECT_EQ(m.reals.size(), whole ? 0u : 3u) << m.name;
  }
  for (const char* name : {"ettr", "wall_s", "productive_s", "spare_wait_s", "recompute_s", "kept_steps",
                           "full_recoveries", "price_per_1000_kept_steps"})
    EXPECT_TRUE(names.contains(name)) << name;
}

// Steps of 10 s, a checkpoint of 20 s after every tenth: 120 s a round. Checkpoint/restart at 755 s: 6 rounds in 720 s
// and 35 s since. Detect 30, reallocate 60, comm-init 10, load 40, catch-up 7: resumes at 902 s from step 60; 98 s
// are 9 steps and 8 s of another. Productive 600 + 98, kept 60 + 9; 3 whole steps lost.
TEST(Collect, ValuesOfOneRunByHand) {
  const auto metrics = lifecycle_metrics({short_runs().front()}, seconds(10), 0);
  EXPECT_EQ(metric(metrics, "wall_s").integers, std::vector<std::int64_t>{seconds(1000)});
  EXPECT_EQ(metric(metrics, "productive_s").integers, std::vector<std::int64_t>{seconds(698)});
  EXPECT_EQ(metric(metrics, "lost_work_s").integers, std::vector<std::int64_t>{seconds(35)});
  EXPECT_EQ(metric(metrics, "checkpoint_s").integers, std::vector<std::int64_t>{seconds(120)});
  EXPECT_EQ(metric(metrics, "load_s").integers, std::vector<std::int64_t>{seconds(40)});
  EXPECT_EQ(metric(metrics, "kept_steps").integers, std::vector<std::int64_t>{69});
  EXPECT_EQ(metric(metrics, "lost_steps").integers, std::vector<std::int64_t>{3});
  EXPECT_EQ(metric(metrics, "full_recoveries").integers, std::vector<std::int64_t>{1});
  EXPECT_EQ(metric(metrics, "replica_losses").integers, std::vector<std::int64_t>{0});
  EXPECT_EQ(metric(metrics, "ettr").reals, std::vector<double>{0.698});
  EXPECT_EQ(metric(metrics, "goodput_steps").reals, std::vector<double>{0.69});
}

/// Run by run, the sum of what is marked as a bucket.
std::vector<std::int64_t> bucket_sums(const std::vector<analysis::Metric>& metrics) {
  std::vector<std::int64_t> sums(metric(metrics, "wall_s").integers.size());
  for (const analysis::Metric& m : metrics)
    for (std::size_t i = 0; m.bucket && i < sums.size(); ++i) sums[i] += m.integers[i];
  return sums;
}

// Eleven buckets, to the nanosecond the horizon: 1000 s, and two days = 172,800 s of the quickstart. recompute_s is
// part of productive_s, and no bucket.
TEST(Collect, BucketsSumToWallTime) {
  const auto metrics = lifecycle_metrics(short_runs(), seconds(10), 0);
  EXPECT_EQ(bucket_sums(metrics), std::vector<std::int64_t>(3, seconds(1000)));
  EXPECT_EQ(metric(metrics, "wall_s").integers, std::vector<std::int64_t>(3, seconds(1000)));
  EXPECT_EQ(std::count_if(metrics.begin(), metrics.end(), [](const auto& m) { return m.bucket; }), 11);
  EXPECT_FALSE(metric(metrics, "recompute_s").bucket);

  Progress silent(false);
  const auto results = run_study(quickstart({{"run.replicas", "3"}, {"run.duration", "2d"}}), 2, silent);
  ASSERT_EQ(results.schemes.size(), 3u);
  for (const auto& scheme : results.schemes) {
    EXPECT_EQ(bucket_sums(scheme.metrics), std::vector<std::int64_t>(3, seconds(172800))) << scheme.name;
    EXPECT_EQ(metric(scheme.metrics, "wall_s").integers, std::vector<std::int64_t>(3, seconds(172800)));
  }
}

// 64 GPUs at 2.5 an hour are 160 an hour. Two hours that keep 800 steps: 320 / 0.8 thousand = 400. No price, no metric.
TEST(Collect, PricePerThousandKeptSteps) {
  LifecycleResult result;
  result.wall_ns = seconds(7200);
  result.kept_steps = 800;
  EXPECT_DOUBLE_EQ(metric(lifecycle_metrics({result}, seconds(9), 160), "price_per_1000_kept_steps").reals.at(0), 400);
  for (const analysis::Metric& m : lifecycle_metrics({result}, seconds(9), 0))
    EXPECT_FALSE(m.name.starts_with("price"));

  // The same of a study, which pays for its spare node too: 9 x 8 GPUs x 2.5 x 48 h = 8640, over the steps kept.
  Progress silent(false);
  const auto results = run_study(quickstart({{"run.replicas", "2"}, {"run.duration", "2d"}}), 1, silent);
  for (const auto& scheme : results.schemes) {
    for (std::size_t i = 0; i < 2; ++i) {
      const auto kept = static_cast<double>(metric(scheme.metrics, "kept_steps").integers[i]);
      EXPECT_NEAR(metric(scheme.metrics, "price_per_1000_kept_steps").reals[i], 8.64e6 / kept, 1e-6);
    }
  }
}

// Exposed times sum to the step; each list's names carry the unit.
TEST(Collect, StepAndMemory) {
  Progress silent(false);
  const auto results = run_study(quickstart({{"run.replicas", "1"}, {"run.duration", "1d"}}), 1, silent);
  double exposed_s = 0, bytes = 0;
  for (const auto& [name, value] : results.step_exposed_s) {
    exposed_s += value;
    EXPECT_TRUE(name.ends_with("_s")) << name;
  }
  ASSERT_EQ(results.step_shape.front().first, "step_time_s");
  EXPECT_NEAR(exposed_s, results.step_shape.front().second, 1e-9);
  for (std::size_t i = 0; i < 4; ++i) bytes += results.memory_bytes.at(i).second;
  for (const auto& [name, value] : results.memory_bytes) EXPECT_TRUE(name.ends_with("_bytes")) << name;
  ASSERT_EQ(results.memory_bytes.at(4).first, "total_bytes");
  EXPECT_NEAR(bytes, results.memory_bytes.at(4).second, 1);
}

}  // namespace
}  // namespace toposim::sim::test
