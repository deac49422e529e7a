// Progress as measured: a line through (0, 1) and the points, and nothing beyond.
#include "sim/schemes/measured_progress.hpp"

#include <gtest/gtest.h>

#include "small_job.hpp"

namespace toposim::sim::test {
namespace {

// Half way from (0, 1) to (0.1, 0.9): 0.95; a quarter of the way from there to (0.5, 0.5): 0.9 - 0.4 / 4 = 0.8 at 0.2.
TEST(MeasuredProgress, IsALineThroughThePoints) {
  const MeasuredProgress progress({{0.5, 0.5}, {0.1, 0.9}});
  EXPECT_DOUBLE_EQ(progress.at(0), 1);
  EXPECT_DOUBLE_EQ(progress.at(0.05), 0.95);
  EXPECT_DOUBLE_EQ(progress.at(0.1), 0.9);
  EXPECT_DOUBLE_EQ(progress.at(0.2), 0.8);
  EXPECT_DOUBLE_EQ(progress.at(0.5), 0.5);
}

TEST(MeasuredProgress, RefusesToExtrapolate) {
  const MeasuredProgress progress({{0.125, 0.9}});
  EXPECT_DOUBLE_EQ(progress.at(0.125 + 1e-12), 0.9);
  try {
    progress.at(0.25);
    FAIL() << "0.25 was not measured";
  } catch (const UnmeasuredState& error) {
    EXPECT_STREQ(
        error.what(),
        "the job trains on with 25 % of its replicas missing, and efficiency was measured up to 12.5 %; measure "
        "more fault cases, raise minimum_replicas so that it stops before, or drop `accuracy` from statistics");
  }
}

TEST(MeasuredProgress, RefusesWhatIsNoCurve) {
  using Points = std::vector<MeasuredProgress::Point>;
  for (const Points& points : {Points{}, Points{{0, 1}}, Points{{1.1, 1}}, Points{{0.1, -1}}, Points{{0.1, NAN}},
                               Points{{0.1, 1}, {0.1, 0.9}}})
    EXPECT_THROW(MeasuredProgress{points}, std::invalid_argument);
}

// One of four replicas missing: a quarter of the samples, and the progress that was measured for a quarter dead. The
// penalty of the assumption is not taken off as well: it would make 0.9 - 0.25 x 0.4 = 0.8.
TEST(MeasuredProgress, StandsInForTheAssumption) {
  const SmallJob job;
  SchemeContext context = job.context();
  context.measured_progress.emplace(std::vector<MeasuredProgress::Point>{{0.25, 0.9}});
  for (const SchemeKind kind : {SchemeKind::drop_replica, SchemeKind::compensate}) {
    SchemeSpec spec = plain_spec(kind);
    spec.statistics.estimation_penalty = 0.4;
    const auto scheme = make_scheme(spec, context);
    const std::vector<std::uint32_t> one{2}, two{1, 2};
    EXPECT_DOUBLE_EQ(scheme->step_terms({}).progress, 1);
    EXPECT_DOUBLE_EQ(scheme->step_terms(one).progress, 0.9);
    EXPECT_DOUBLE_EQ(scheme->step_terms(one).samples, 0.75);
    EXPECT_THROW(scheme->step_terms(two), UnmeasuredState);
    for (const std::string& text : scheme->assumptions()) {
      EXPECT_EQ(text.find("quadratic"), text.npos) << text;
      EXPECT_EQ(text.find("penalty"), text.npos) << text;
    }
  }
}

}  // namespace
}  // namespace toposim::sim::test
