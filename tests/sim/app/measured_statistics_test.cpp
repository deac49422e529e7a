// Which cells of an accuracy.json a scheme takes, and which it refuses; a study of weeks that runs on them.
#include "sim/app/measured_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "../../analysis/temporary_directory.hpp"
#include "analysis/check.hpp"
#include "quickstart.hpp"
#include "sim/app/study.hpp"

namespace toposim::sim::test {
namespace {

/// A cell with two seeds; `second` null: it did not get there.
std::string cell(const std::string& faults, const std::string& scheme, double dead, double first,
                 const std::string& second) {
  const bool censored = second == "null";
  const double mean = censored ? first : (first + std::stod(second)) / 2;
  return R"({"faults": ")" + faults + R"(", "scheme": ")" + scheme + R"(", "dead_share": )" + std::to_string(dead) +
         R"(, "statistical_efficiency": {"n": )" + (censored ? "1" : "2") + R"(, "mean": )" + std::to_string(mean) +
         R"(, "per_seed": [)" + std::to_string(first) + ", " + second + "]}}";
}

class MeasuredStatisticsTest : public ::testing::Test {
 protected:
  void write(const std::string& cells, const std::string& seeds = "[1, 2]") {
    std::ofstream(file()) << R"({"schema_version": 1, "kind": "statistical_efficiency",
      "measured_on": "measured on a small model: m", "digest": "d", "domain_size": 8, "batch_over_noise_scale": 0.5,
      "c_in": null, "c_out": null, "seeds": )"
                          << seeds << R"(, "cells": [)" << cells << "]}";
  }
  std::string file() const { return (directory_.path() / "accuracy.json").string(); }
  MeasuredStatistics read(const std::vector<std::string>& faults = {}, std::int64_t domain_size = 8) {
    spec.name = "mine";
    spec.statistics.accuracy = file();
    spec.statistics.faults = faults;
    return *measured_statistics(spec, {domain_size});
  }
  std::string refusal(const std::vector<std::string>& faults = {}) {
    try {
      read(faults);
    } catch (const ScenarioError& error) {
      return error.what();
    }
    return "none";
  }
  void expect_refusal(const std::vector<std::string>& faults, const std::string& part) {
    const std::string said = refusal(faults);
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with("scheme mine: statistics.")) << said;
  }
  SchemeSpec spec = [] {
    SchemeSpec drop;
    drop.kind = SchemeKind::drop_replica;
    return drop;
  }();

 private:
  analysis::TemporaryDirectory directory_;
};

TEST_F(MeasuredStatisticsTest, AnAssumptionReadsNothing) {
  EXPECT_FALSE(measured_statistics(spec, {8}));
}

// Means of two seeds: (0.8 + 1) / 2 at 0.1, (0.5 + 0.7) / 2 at 0.25; half way between (0.1, 0.9) and (0.25, 0.6) is
// 0.75. Compensate takes its estimator's.
TEST_F(MeasuredStatisticsTest, MeanAndSeedBySeed) {
  write(cell("permanent_25", "drop", 0.25, 0.5, "0.7") + "," + cell("permanent_10", "drop", 0.1, 0.8, "1.0") + "," +
        cell("permanent_10", "shrink", 0.1, 1.0, "1.0"));
  const MeasuredStatistics made = read();
  EXPECT_NEAR(made.mean.at(0.175), 0.75, 1e-12);
  ASSERT_EQ(made.per_seed.size(), 2u);
  EXPECT_NEAR(made.per_seed[0].at(0.25), 0.5, 1e-12);
  EXPECT_NEAR(made.per_seed[1].at(0.1), 1, 1e-12);
  EXPECT_EQ(made.measured_on, "measured on a small model: m");
  EXPECT_EQ(made.source, "drop under permanent_10 (10 % dead), permanent_25 (25 % dead), 2 seeds, " + file() +
                             " (d), batch over noise scale 0.5; of this job these are not known");
  EXPECT_TRUE(made.warnings.empty());
  EXPECT_EQ(read({"permanent_10"}).mean.largest_dead_share(), 0.1);
  spec.kind = SchemeKind::compensate;
  spec.estimator = "shrink";
  EXPECT_EQ(read().mean.at(0.1), 1);
}

// Kinds of faults do not mix unasked, `permanent` is all permanent_*, and permanent_1 is not permanent_10.
TEST_F(MeasuredStatisticsTest, WhichFaultCases) {
  write(cell("transient_10", "drop", 0.1, 0.8, "0.9") + "," + cell("permanent_10", "drop", 0.1, 0.8, "0.9") + "," +
        cell("permanent_25", "drop", 0.25, 0.7, "0.8") + "," + cell("slow_10", "drop", 0, 0.7, "0.8"));
  expect_refusal({},
                 "faults of more than one kind, which do not lie on one line; say which to take: permanent, transient");
  EXPECT_EQ(read({"permanent"}).mean.largest_dead_share(), 0.25);
  EXPECT_EQ(read({"transient_10", "permanent_25"}).mean.largest_dead_share(), 0.25);
  expect_refusal({"transient", "permanent"}, "transient_10 and permanent_10 both have 10 % of the workers dead");
  expect_refusal({"permanent_1"}, "there is no 'permanent_1'; did you mean 'permanent_10'?; there are permanent_10");
  expect_refusal({"slow"}, "there is no 'slow'");
}

TEST_F(MeasuredStatisticsTest, WhatIsNoMeasurement) {
  expect_refusal({}, "accuracy.json: there is no such file");
  write(cell("permanent_10", "drop", 0.1, 0.8, "null") + "," + cell("permanent_5", "drop", 0.05, 0.8, "0.9"));
  expect_refusal({}, "under permanent_10, 1 of 2 seeds did not reach the goal, so that the efficiency is a bound");
  EXPECT_EQ(read({"permanent_5"}).mean.largest_dead_share(), 0.05);
  spec.statistics.scheme = "shrnk";
  expect_refusal({}, "there is no 'shrnk'");
  write(R"({"faults": "permanent_5", "scheme": "drop", "dead_share": 0.05,
            "statistical_efficiency": {"n": 1, "mean": 0.5, "per_seed": [0.5]}})",
        "[1]");
  spec.statistics.scheme.clear();
  expect_refusal({}, "is of one seed");
}

// An estimate from 16 is not one from 8; the mean over the survivors knows no domains.
TEST_F(MeasuredStatisticsTest, DomainsOfAnotherSize) {
  write(cell("permanent_10", "drop", 0.1, 0.8, "0.9") + "," + cell("permanent_10", "shrink", 0.1, 0.8, "0.9"));
  EXPECT_TRUE(read({}, 16).warnings.empty());
  spec.kind = SchemeKind::compensate;
  spec.estimator = "shrink";
  ASSERT_EQ(read({}, 16).warnings.size(), 1u);
  EXPECT_NE(read({}, 16).warnings[0].find("measured in domains of 8 workers, and domains.size is 16"),
            std::string::npos);
}

// A month on eight replicas. With an efficiency of 1 - dead share in one seed and of 1 in the other, the mean progress
// of a step lies half way between its samples and 1, so over the run progress = (samples + steps) / 2.
TEST_F(MeasuredStatisticsTest, StudyOfAMonth) {
  write(cell("permanent_50", "drop", 0.5, 0.5, "1.0") + "," + cell("permanent_50", "shrink", 0.5, 0.5, "1.0"));
  Scenario scenario = quickstart({{"run.replicas", "4"}});
  for (SchemeSpec& scheme : scenario.schemes)
    if (scheme.kind != SchemeKind::checkpoint_restart) scheme.statistics.accuracy = file();
  Progress quiet(false);
  const analysis::Results results = run_study(scenario, 2, quiet);
  for (const analysis::SchemeResults& scheme : results.schemes) {
    ASSERT_TRUE(scheme.time_to_quality) << scheme.name;
    const auto& progress = metric(scheme.metrics, "goodput_progress").reals;
    const auto& samples = metric(scheme.metrics, "goodput_samples").reals;
    const auto& steps = metric(scheme.metrics, "goodput_steps").reals;
    for (std::size_t i = 0; i < progress.size(); ++i) {
      EXPECT_NEAR(progress[i], (samples[i] + steps[i]) / 2, 1e-9) << scheme.name;
      EXPECT_NEAR(scheme.time_to_quality->per_run_s[i] * progress[i], 30 * 86400, 1e-3);
    }
    EXPECT_EQ(scheme.time_to_quality->measured_on.empty(), scheme.kind == "checkpoint_restart");
    EXPECT_LE(scheme.time_to_quality->ci95_low_s, scheme.time_to_quality->mean_s);
  }
  analysis::check(results);
  // Measured up to less than one of eight: the first loss ends the study.
  write(cell("permanent_10", "drop", 0.1, 0.9, "1.0") + "," + cell("permanent_10", "shrink", 0.1, 0.9, "1.0"));
  try {
    run_study(scenario, 2, quiet);
    ADD_FAILURE() << "12.5 % was not measured";
  } catch (const StudyError& error) {
    EXPECT_NE(
        std::string(error.what()).find("with 12.5 % of its replicas missing, and efficiency was measured up to 10 %"),
        std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace toposim::sim::test
