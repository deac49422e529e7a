#include "analysis/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

std::string problem(const std::function<void(Results&)>& change) {
  Results r = sample_results();
  change(r);
  try {
    check(r);
  } catch (const ResultsError& e) {
    return e.what();
  }
  return "";
}

TEST(Check, AcceptsWhatHoldsTogether) {
  EXPECT_EQ(problem([](Results&) {}), "");
  EXPECT_NO_THROW(check(Results{}));
}

TEST(Check, NamesWhatIsWrong) {
  // Metric 4 is wall_s, 6 lost_work_s, 11 full_recoveries.
  EXPECT_EQ(problem([](Results& r) { r.schemes[1].metrics[6].integers[2] += 1; }),
            "scheme drop_replica, replica 2: buckets sum to 1000000000000001 ns, wall time is 1000000000000000 ns");
  EXPECT_EQ(problem([](Results& r) { r.schemes[1].metrics[11].integers.pop_back(); }),
            "metric full_recoveries of scheme drop_replica has 3 values for 4 replicas");
  EXPECT_EQ(problem([](Results& r) { r.schemes[0].metrics[0].reals[1] = std::nan(""); }),
            "metric ettr of scheme checkpoint_restart is nan in replica 1, not a finite number");
  EXPECT_EQ(problem([](Results& r) { r.schemes[0].metrics[0].integers = {1}; }),
            "metric ettr of scheme checkpoint_restart has values of two types");
  EXPECT_EQ(problem([](Results& r) { r.schemes[2].metrics.pop_back(); }),
            "scheme compensate has 14 metrics, scheme checkpoint_restart has 15");
  EXPECT_EQ(problem([](Results& r) { r.schemes[2].name = "drop_replica"; }), "two schemes are named drop_replica");
  EXPECT_EQ(problem([](Results& r) { r.step_exposed_s[0].second += 1e-6; }),
            "exposed times sum to 10.000001 s, the step takes 10 s");
  EXPECT_EQ(problem([](Results& r) {
              r.fabric.push_back({"distinct_states", 1});
            }),
            "distinct_states is twice in fabric");
  EXPECT_EQ(problem([](Results& r) { r.cost[0].second = HUGE_VAL; }), "cpu_s in cost is inf, not a finite number");
  EXPECT_EQ(problem([](Results& r) { r.versions.push_back({"commit", ""}); }), "commit is twice in versions");
}

TEST(Check, HoldsMetricsToTheirUnits) {
  const auto everywhere = [](const std::function<void(Metric&)>& change, std::size_t metric) {
    return problem([&](Results& r) {
      for (SchemeResults& s : r.schemes) change(s.metrics[metric]);
    });
  };
  EXPECT_EQ(everywhere([](Metric& m) { m.name = "lost_work"; }, 6),
            "metric lost_work of scheme checkpoint_restart is a duration: its name must end in _s");
  EXPECT_EQ(everywhere([](Metric& m) { m.bucket = true; }, 11),
            "metric full_recoveries of scheme checkpoint_restart is a bucket of wall time, so it must be a duration");
  EXPECT_EQ(everywhere([](Metric& m) { m.name = "ettr"; }, 1), "scheme checkpoint_restart has two metrics named ettr");
  EXPECT_EQ(everywhere([](Metric& m) { m.name = "elapsed_s"; }, 4),
            "scheme checkpoint_restart has buckets of wall time but no duration wall_s");
}

}  // namespace
}  // namespace toposim::analysis
