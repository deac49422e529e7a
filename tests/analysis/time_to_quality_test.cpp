#include "analysis/time_to_quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/files/csv_writer.hpp"
#include "analysis/files/json_writer.hpp"
#include "analysis/report/report.hpp"
#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

// Progress 0.7 and 0.9 in two histories: 0.8 of the fault-free rate, so 80 s of it take 80 / 0.8 = 100 s. Their sd is
// 0.1 x sqrt(2), its square over two histories 0.01. Student's t at one degree of freedom is 12.706: an interval of
// 0.8 +- 1.27, in which there is no progress at all, so the upper bound is unknown; the lower is 80 / 2.0706.
TEST(TimeToQuality, OfHistoriesAlone) {
  const std::vector<double> progress{0.7, 0.9};
  const TimeToQuality q = time_to_quality(80, progress, {});
  EXPECT_NEAR(q.mean_s, 100, 1e-12);
  EXPECT_NEAR(q.per_run_s[0], 80 / 0.7, 1e-12);
  EXPECT_NEAR(q.per_run_s[1], 80 / 0.9, 1e-12);
  EXPECT_NEAR(q.ci95_low_s, 80 / 2.0706205, 1e-6);
  EXPECT_TRUE(std::isnan(q.ci95_high_s));
  EXPECT_EQ(q.seeds, 0);
}

// Four histories 0.79, 0.81, 0.79, 0.81: variance (4 x 1e-4) / 3, over 4: 1/3e4. Five seeds 0.78, 0.79, 0.80, 0.81,
// 0.82: variance 1e-3 / 4, over 5: 0.5e-4. The sum is 25/3 x 1e-5, its root 0.00912871; degrees of freedom
// (25/3)^2 / ((10/3)^2 / 3 + 5^2 / 4) = 69.4444 / 9.9537 = 6.97674, t = 2.36619 (between 2.4469 at 6 and 2.3646 at 7).
// 0.8 +- 0.0216002. Either spread alone would give less: 3.1824 x 0.0057735 = 0.0184, 2.7764 x 0.0070711 = 0.0196.
TEST(TimeToQuality, HistoriesAndSeedsTogether) {
  const std::vector<double> progress{0.79, 0.81, 0.79, 0.81}, seeds{0.78, 0.79, 0.80, 0.81, 0.82};
  const TimeToQuality q = time_to_quality(80, progress, seeds);
  EXPECT_NEAR(q.mean_s, 100, 1e-9);
  EXPECT_NEAR(q.ci95_low_s, 80 / (0.8 + 0.0216), 2e-3);
  EXPECT_NEAR(q.ci95_high_s, 80 / (0.8 - 0.0216), 2e-3);
  EXPECT_LT(q.ci95_low_s, 80 / (0.8 + 0.0196));
  EXPECT_GT(q.ci95_high_s, 80 / (0.8 - 0.0196));
  EXPECT_EQ(q.seeds, 5);
}

TEST(TimeToQuality, WhatIsNotKnown) {
  const std::vector<double> one{0.8}, none{0, 0}, two{0.8, 0.8};
  EXPECT_NEAR(time_to_quality(80, one, {}).mean_s, 100, 1e-12);
  EXPECT_TRUE(std::isnan(time_to_quality(80, one, two).ci95_low_s));  // one history
  EXPECT_TRUE(std::isnan(time_to_quality(80, none, {}).mean_s));
  EXPECT_TRUE(std::isnan(time_to_quality(80, none, {}).per_run_s[0]));
  const TimeToQuality same = time_to_quality(80, two, {});
  EXPECT_NEAR(same.ci95_low_s, 100, 1e-12);
  EXPECT_NEAR(same.ci95_high_s, 100, 1e-12);
}

Results with_quality() {
  Results r = sample_results();
  r.schemes[0].time_to_quality = time_to_quality(1e6, std::vector<double>{0.93, 0.928, 0.932, 0.93}, {});
  r.schemes[2].time_to_quality =
      time_to_quality(1e6, std::vector<double>{0.8, 0.8, 0.8, 0.8}, std::vector<double>{0.79, 0.80, 0.81});
  r.schemes[2].time_to_quality->measured_on = "measured on a small model: digits";
  r.schemes[2].time_to_quality->source = "shrink under permanent_5";
  return r;
}

// 1e6 s / 0.8 = 1,250,000 s, 14.47 d: in every file and in the report, with what it was measured on. The scheme whose
// progress is assumed has none.
TEST(TimeToQuality, IsWrittenAndLabelled) {
  const Results r = with_quality();
  const std::string json = results_json(r), csv = replicas_csv(r), text = terminal_report(r, {});
  EXPECT_NE(json.find("\"measured_on\": \"measured on a small model: digits\""), std::string::npos);
  EXPECT_NE(json.find("\"mean_s\": 1250000"), std::string::npos) << json;
  EXPECT_NE(csv.substr(0, csv.find('\n')).find(",time_to_quality_s"), std::string::npos);
  EXPECT_NE(csv.find(",1250000\n"), std::string::npos);
  EXPECT_NE(csv.find(",\n"), std::string::npos);  // drop_replica's
  EXPECT_NE(text.find("TIME TO QUALITY"), std::string::npos);
  EXPECT_NE(text.find("measured on a small model: digits"), std::string::npos);
  EXPECT_NE(text.find("14.47"), std::string::npos) << text;
  EXPECT_NE(text.find("assumed"), std::string::npos);
}

TEST(TimeToQuality, OfAssumedProgressThereIsNone) {
  const Results r = sample_results();
  for (const std::string& text : {results_json(r), replicas_csv(r), terminal_report(r, {})}) {
    EXPECT_EQ(text.find("time_to_quality"), std::string::npos);
    EXPECT_EQ(text.find("TIME TO QUALITY"), std::string::npos);
    EXPECT_EQ(text.find("measured on"), std::string::npos);
  }
}

}  // namespace
}  // namespace toposim::analysis
