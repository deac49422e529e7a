#include "analysis/report/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/statistics.hpp"
#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

/// Blanks that must not become line breaks read as blanks.
std::string sentence(const Results& r, std::size_t scheme) {
  std::string text = verdict(r, scheme, {100, false, false});
  std::replace(text.begin(), text.end(), '\x1f', ' ');
  return text;
}

Results two_schemes(std::vector<double> a, std::vector<double> b, std::vector<double> samples_a,
                    std::vector<double> samples_b) {
  Results r;
  r.replicas_done = r.replicas_requested = static_cast<std::int64_t>(a.size());
  r.schemes.resize(2);
  r.schemes[0] = {"first", "", {ratio("ettr", a), ratio("goodput_samples", samples_a)}, {}, {}, {}};
  r.schemes[1] = {"second", "", {ratio("ettr", b), ratio("goodput_samples", samples_b)}, {}, {}, {}};
  return r;
}

// Differences 0.01, 0.02, 0.03: mean 2 points, sd 1 point, half width 4.30265 / sqrt(3) = 2.484 points: holds zero.
// Differences 0.019, 0.020, 0.021: half width 0.2484: better.
TEST(Verdict, ClaimsADifferenceOnlyWhenTheIntervalLeavesZeroOut) {
  EXPECT_EQ(sentence(two_schemes({0.9, 0.9, 0.9}, {0.91, 0.92, 0.93}, {1, 1, 1}, {1, 1, 1}), 1),
            "second: useful 92.0 % of the time; no difference in ETTR from first that 3 runs can show (95 % interval "
            "-0.5..+4.5), but the same sample goodput in every run.");
  EXPECT_EQ(sentence(two_schemes({0.9, 0.9, 0.9}, {0.919, 0.92, 0.921}, {0.9, 0.9, 0.9}, {0.919, 0.92, 0.921}), 1),
            "second: useful 92.00 % of the time; +2.00 points of ETTR over first (95 % interval +1.75..+2.25).");
  EXPECT_EQ(sentence(two_schemes({0.9, 0.9, 0.9}, {0.881, 0.88, 0.879}, {0.9, 0.9, 0.9}, {0.881, 0.88, 0.879}), 1),
            "second: useful 88.00 % of the time; -2.00 points of ETTR against first (95 % interval -2.25..-1.75).");
}

TEST(Verdict, SaysWhenSamplesTellAnotherStory) {
  EXPECT_EQ(
      sentence(two_schemes({0.9, 0.9, 0.9}, {0.919, 0.92, 0.921}, {0.9, 0.9, 0.9}, {0.881, 0.88, 0.879}), 1),
      "second: useful 92.00 % of the time, 88.00 % of the samples of a run without faults; +2.00 points of ETTR over "
      "first (95 % interval +1.75..+2.25), but -2.00 points of sample goodput (95 % interval -2.25..-1.75).");
}

// A job that ran all the time at 88 % of its speed: said from 0.1 points on.
TEST(Verdict, SaysWhatTimeInUseHides) {
  EXPECT_EQ(sentence(two_schemes({0.9}, {0.92}, {0.8}, {0.9195}), 0),
            "first: useful 90.00 % of the time (one run, so no interval), 80.00 % of the samples of a run without "
            "faults.");
  EXPECT_EQ(sentence(two_schemes({0.9}, {0.92}, {0.8}, {0.9195}), 1).find("a run without"), std::string::npos);
}

TEST(Verdict, SaysWhenTheAssumedProgressTellsAnotherStory) {
  Results r = two_schemes({0.9, 0.9, 0.9}, {0.919, 0.92, 0.921}, {0.9, 0.9, 0.9}, {0.919, 0.92, 0.921});
  r.schemes[0].metrics.push_back(ratio("goodput_progress", {0.9, 0.9, 0.9}));
  r.schemes[1].metrics.push_back(ratio("goodput_progress", {0.89, 0.9, 0.91}));
  EXPECT_EQ(sentence(r, 1),
            "second: useful 92.00 % of the time; +2.00 points of ETTR over first (95 % interval +1.75..+2.25), but no "
            "difference in assumed progress that 3 runs can show.");
}

TEST(Verdict, IdenticalMeansInEveryRun) {
  const Results r = two_schemes({0.9, 0.8}, {0.9, 0.8}, {0.9, 0.8}, {0.9, 0.8});
  EXPECT_NE(sentence(r, 1).find("; the same ETTR as first in every run."), std::string::npos) << sentence(r, 1);
}

TEST(Verdict, OneRunHasNoInterval) {
  const Results r = two_schemes({0.9}, {0.92}, {0.9}, {0.92});
  EXPECT_EQ(sentence(r, 0), "first: useful 90.00 % of the time (one run, so no interval).");
  EXPECT_EQ(sentence(r, 1), "second: useful 92.00 % of the time; +2.00 points of ETTR against first in the one run.");
}

TEST(Verdict, TheThirdIsComparedWithTheBestBetweenToo) {
  Results r = sample_results();
  EXPECT_EQ(sentence(r, 1).find("compensate"), std::string::npos);
  EXPECT_NE(sentence(r, 2).find("no difference in ETTR from drop_replica that 4 runs can show"), std::string::npos);
}

TEST(Verdict, NothingWithoutEttr) {
  Results r = sample_results();
  for (SchemeResults& s : r.schemes) s.metrics.erase(s.metrics.begin());
  EXPECT_EQ(verdict(r, 1, {}), "");
}

TEST(Percent, ShowsTwoDigitsOfTheUncertainty) {
  EXPECT_EQ(percent(0.931234, 0.0123), "93.1");
  EXPECT_EQ(percent(0.931234, 0.00123), "93.12");
  EXPECT_EQ(percent(0.931234, 0), "93.12");
  EXPECT_EQ(percent(0.93, 1e-12), "93.00000");
  EXPECT_EQ(percent(-1e-9, 0.001, true), "+0.00");
}

// Half width 0.13 points, so two decimals; the bound of -0.0007 points gets as many as show two of its digits.
TEST(PercentRange, ABoundThatIsNotZeroDoesNotReadAsZero) {
  EXPECT_EQ(percent_range({-0.0026, -0.000007}, true), "-0.26..-0.00070");
  EXPECT_EQ(percent_range({-0.0026, 0}, true), "-0.26..+0.00");
  EXPECT_EQ(percent_range({0.0497, 0.0523}, true), "+4.97..+5.23");
}

}  // namespace
}  // namespace toposim::analysis
