#include "analysis/gates/gate_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/gates/gate_series.hpp"
#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

GateSeries series(std::string metric, std::string scheme, std::vector<double> values, std::string where = {}) {
  GateSeries one;
  one.metric = std::move(metric);
  one.scheme = std::move(scheme);
  one.where = std::move(where);
  one.values = std::move(values);
  one.unit = Unit::ratio;
  return one;
}

Gate gate(std::string subject, GateOp op, double bound, std::string where = {}) {
  constexpr const char* words[] = {"<=", "<", ">=", ">"};
  Gate one;
  one.text = subject + (where.empty() ? "" : " @ " + where) + " " + words[static_cast<int>(op)] + " bound";
  one.subject = std::move(subject);
  one.where = std::move(where);
  one.op = op;
  one.bound = bound;
  one.line = 14;
  return one;
}

/// The first candidate with the same first letter stands for the nearest.
std::string same_letter(std::string_view written, const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates)
    if (candidate[0] == written[0]) return candidate;
  return {};
}

GateOutcome check_one(const std::vector<GateSeries>& all, const Gate& one) {
  const auto outcomes = check_gates(all, {one}, same_letter);
  EXPECT_EQ(outcomes.size(), 1u);
  return outcomes.front();
}

/// 20 to 1.
std::vector<double> twenty() {
  std::vector<double> values;
  for (int i = 20; i >= 1; --i) values.push_back(i);
  return values;
}

TEST(GateCheck, EachStatistic) {
  const std::vector<GateSeries> all = {series("loss", "drop", twenty())};
  // 1..20: mean 10.5, sum of squares 20 x (400 - 1) / 12 = 665, sd sqrt(665 / 19) = 5.9160798; nearest rank: p50 the
  // 10th, p95 the 19th, p99 the 20th; t of 19 degrees of freedom 2.0930241, half width 2.0930241 x 5.9160798 / sqrt(20)
  // = 2.7688107.
  const std::pair<const char*, double> expected[] = {{"", 10.5},
                                                     {".mean", 10.5},
                                                     {".sd", 5.9160798},
                                                     {".min", 1},
                                                     {".max", 20},
                                                     {".p50", 10},
                                                     {".p95", 19},
                                                     {".p99", 20},
                                                     {".ci95_low", 7.7311893},
                                                     {".ci95_high", 13.2688107}};
  for (const auto& [statistic, value] : expected) {
    const GateOutcome outcome = check_one(all, gate(std::string("loss.drop") + statistic, GateOp::at_most, 100));
    EXPECT_TRUE(outcome.has_value) << statistic;
    EXPECT_TRUE(outcome.passed) << statistic;
    EXPECT_NEAR(outcome.value, value, 1e-6) << statistic;
    EXPECT_EQ(outcome.line, 14);
    EXPECT_EQ(outcome.bound, 100);
  }
}

TEST(GateCheck, EachOperatorAtItsBound) {
  const std::vector<GateSeries> all = {series("loss", "drop", {2, 2})};
  const auto passed = [&](GateOp op, double bound) { return check_one(all, gate("loss.drop", op, bound)).passed; };
  EXPECT_TRUE(passed(GateOp::at_most, 2));
  EXPECT_FALSE(passed(GateOp::below, 2));
  EXPECT_TRUE(passed(GateOp::at_least, 2));
  EXPECT_FALSE(passed(GateOp::above, 2));
  const double more = std::nextafter(2.0, 3.0), less = std::nextafter(2.0, 1.0);
  EXPECT_TRUE(passed(GateOp::below, more));
  EXPECT_TRUE(passed(GateOp::above, less));
  EXPECT_FALSE(passed(GateOp::at_most, less));
  EXPECT_FALSE(passed(GateOp::at_least, more));
}

TEST(GateCheck, WithoutAPlaceTheWorstDecides) {
  const std::vector<GateSeries> all = {
      series("ratio", "shrink", {1.00}, "transient_5@100"), series("ratio", "shrink", {1.03}, "transient_5@200"),
      series("ratio", "shrink", {1.05}, "domain_out@200"), series("ratio", "drop", {9}, "domain_out@200")};
  GateOutcome outcome = check_one(all, gate("ratio.shrink", GateOp::at_most, 1.04));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.value, 1.05);
  EXPECT_EQ(outcome.where, "domain_out@200");
  outcome = check_one(all, gate("ratio.shrink", GateOp::at_least, 1.01));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.where, "transient_5@100");
  // A case of faults is all its steps; one of them can be named.
  outcome = check_one(all, gate("ratio.shrink", GateOp::at_most, 1.04, "transient_5"));
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(outcome.value, 1.03);
  EXPECT_EQ(outcome.where, "transient_5@200");
  outcome = check_one(all, gate("ratio.shrink", GateOp::at_most, 1.02, "transient_5@100"));
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(outcome.where, "") << "there is one place only";
  // Not a case of that name, though one starts with it.
  outcome = check_one(all, gate("ratio.shrink", GateOp::at_most, 2, "transient"));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.reason, "ratio.shrink has no place 'transient'; did you mean 'transient_5'?");
}

TEST(GateCheck, APlaceWithoutValuesIsTheWorst) {
  const std::vector<GateSeries> all = {series("ratio", "shrink", {1}, "a"),
                                       series("ratio", "shrink", {none, none}, "b"),
                                       series("ratio", "shrink", {7}, "c")};
  const GateOutcome outcome = check_one(all, gate("ratio.shrink", GateOp::at_most, 2));
  EXPECT_FALSE(outcome.passed);
  EXPECT_FALSE(outcome.has_value);
  EXPECT_EQ(outcome.value, 0);
  EXPECT_EQ(outcome.where, "b");
  EXPECT_EQ(outcome.reason, "it has no values");
}

TEST(GateCheck, ValuesThatDoNotExist) {
  std::vector<GateSeries> all = {series("loss", "drop", {1, none, 3})};
  GateOutcome outcome = check_one(all, gate("loss.drop", GateOp::at_most, 2));
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(outcome.value, 2) << "the mean of 1 and 3";
  EXPECT_EQ(outcome.reason, "1 of 3 values do not exist");
  all[0].needs_every_value = true;
  outcome = check_one(all, gate("loss.drop", GateOp::at_most, 2));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.reason, "1 of its 3 values do not exist");
  outcome = check_one({series("loss", "drop", {1, std::numeric_limits<double>::infinity()})},
                      gate("loss.drop.min", GateOp::at_most, 2));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.reason, "one of its values is infinite");
  EXPECT_EQ(check_one({series("loss", "drop", {})}, gate("loss.drop", GateOp::at_most, 2)).reason, "it has no values");
  EXPECT_EQ(check_one({series("loss", "drop", {1})}, gate("loss.drop.ci95_high", GateOp::at_most, 2)).reason,
            "one value has no ci95_high");
  EXPECT_TRUE(check_one({series("loss", "drop", {1})}, gate("loss.drop.p95", GateOp::at_most, 2)).passed);
}

TEST(GateCheck, NamesWithDots) {
  const std::vector<GateSeries> all = {series("ettr", "v1.2", {0.5}), series("ettr", "v1.2-b", {0.6}),
                                       series("ettr", "p95", {0.7}), series("ettr_layer.0", "v1.2", {0.8})};
  const auto value = [&](const char* subject) { return check_one(all, gate(subject, GateOp::at_most, 1)).value; };
  EXPECT_EQ(value("ettr.v1.2"), 0.5);
  EXPECT_EQ(value("ettr.v1.2.max"), 0.5);
  EXPECT_EQ(value("ettr.v1.2-b.max"), 0.6);
  EXPECT_EQ(value("ettr.p95"), 0.7);
  EXPECT_EQ(value("ettr.p95.p95"), 0.7);
  EXPECT_EQ(value("ettr_layer.0.v1.2"), 0.8);
  // The p95 of a scheme and a scheme of that name.
  const std::vector<GateSeries> two = {series("ettr", "v", {0.5}), series("ettr", "v.p95", {0.6})};
  const GateOutcome outcome = check_one(two, gate("ettr.v.p95", GateOp::at_most, 1));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.reason, "it may be the p95 of v or the mean of v.p95; give one of these another name");
  EXPECT_EQ(check_one(two, gate("ettr.v.p95.mean", GateOp::at_most, 1)).value, 0.6);
}

TEST(GateCheck, NamesThatAreNotThere) {
  const std::vector<GateSeries> all = {series("ettr", "drop", {1}), series("loss", "drop", {1}),
                                       series("loss", "shrink", {1})};
  const auto reason = [&](const char* subject) {
    const GateOutcome outcome = check_one(all, gate(subject, GateOp::at_most, 1));
    EXPECT_FALSE(outcome.passed);
    EXPECT_FALSE(outcome.has_value);
    return outcome.reason;
  };
  EXPECT_EQ(reason("etr.drop"), "no metric 'etr'; did you mean 'ettr'?");
  EXPECT_EQ(reason("goodput.drop"), "no metric 'goodput'; there is ettr, loss");
  EXPECT_EQ(reason("ettr.shrink.p95"), "no scheme 'shrink' with ettr; there is drop");
  EXPECT_EQ(reason("loss.skrink"), "no scheme 'skrink' with loss; did you mean 'shrink'?");
  EXPECT_EQ(reason("loss.drop.p90"), "no statistic 'p90'; did you mean 'p50'?");
  EXPECT_EQ(reason("loss.drop.average"),
            "no statistic 'average'; there is mean, sd, min, max, p50, p95, p99, ci95_low, ci95_high");
  EXPECT_EQ(check_one({}, gate("loss.drop", GateOp::at_most, 1)).reason, "no metric 'loss'; there is none");
  EXPECT_EQ(check_one(all, gate("loss.drop", GateOp::at_most, 1, "transient_5")).reason,
            "this study has one place only; remove '@ transient_5'");
}

TEST(GateCheck, ValuesAreShownInTheUnitOfTheirBound) {
  Gate one = gate("loss.drop", GateOp::at_most, 0.95);
  one.bound_unit = "%";
  one.unit_factor = 0.01;
  EXPECT_EQ(shown_beside(one, 0.91234567), "91.23 %");
  EXPECT_EQ(shown_beside(one, 0.95), "95 %");
  EXPECT_EQ(shown_beside(one, 0.950004), "95.0004 %") << "as many digits as tell it from 95";
  EXPECT_EQ(shown_beside(one, 0.949996), "94.9996 %");
  one.bound = 600;
  one.bound_unit = "min";
  one.unit_factor = 60;
  EXPECT_EQ(shown_beside(one, 2784), "46.4 min");
  one = gate("loss.drop", GateOp::at_most, 1.02003);
  EXPECT_EQ(shown_beside(one, 1.02004), "1.02004") << "1.020 would look below the bound";
  EXPECT_EQ(shown_beside(one, 1234567), "1234567");
  EXPECT_EQ(shown_beside(one, -0.25), "-0.25");
}

TEST(GateCheck, WhatIsProbablyMeant) {
  std::vector<GateSeries> all = {series("ettr", "drop", {0.97})};
  Gate one = gate("ettr.drop", GateOp::at_least, 95);
  one.text = "ettr.drop >= 95";
  EXPECT_EQ(check_one(all, one).reason, "0.97 is not >= 95; if a percentage is meant, write 95%");
  all[0].unit = Unit::count;
  one.bound_unit = "%";
  EXPECT_EQ(check_one(all, one).reason, "ettr is no ratio; write the bound without %");
}

TEST(GateSeries, EveryMetricOfEveryScheme) {
  const Results results = sample_results();
  const auto all = series_of(results);
  ASSERT_EQ(all.size(), results.schemes.size() * results.schemes[0].metrics.size());
  EXPECT_EQ(all[0].metric, "ettr");
  EXPECT_EQ(all[0].scheme, results.schemes[0].name);
  EXPECT_EQ(all[0].where, "");
  EXPECT_EQ(all[0].values, (std::vector<double>{0.930, 0.928, 0.932, 0.930}));
  EXPECT_EQ(all[0].unit, Unit::ratio);
  EXPECT_EQ(all[4].metric, "wall_s");
  EXPECT_EQ(all[4].values, (std::vector<double>{1e6, 1e6, 1e6, 1e6})) << "in seconds";
  EXPECT_EQ(all[11].metric, "full_recoveries");
  EXPECT_EQ(all[11].values, (std::vector<double>{90, 94, 86, 90}));
  Metric metric{.name = "detect_s", .unit = Unit::duration_ns, .integers = {3}, .reals = {}};
  EXPECT_EQ(series_of(metric, "drop", "a").values, std::vector<double>{3e-9});
}

}  // namespace
}  // namespace toposim::analysis
