#include "analysis/compare/compare_results.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/compare/compare_report.hpp"
#include "comma_locale.hpp"

namespace toposim::analysis {
namespace {

/// A small results.json; `body` is what it holds beside its head.
ResultTree tree(const std::string& digest, const std::string& body, const std::string& kind = "lifecycle") {
  return parse_result_tree(R"({"schema_version": 1, "kind": ")" + kind +
                               R"(", "scenario": {"name": "small", "file": ")" + digest + R"(.yaml", "hash": "h)" +
                               digest + R"("}, "seed": )" + std::to_string(digest.size()) + R"(, "digest": ")" +
                               digest + R"(", "versions": {"commit": ")" + digest + R"("}, "cost": {"cpu_s": )" +
                               std::to_string(digest.size()) + "}, " + body + "}",
                           digest + "/results.json");
}

std::vector<std::string> paths(const Comparison& comparison) {
  std::vector<std::string> all;
  for (const Difference& one : comparison.differences) all.push_back(one.path);
  return all;
}

TEST(Compare, TheSameDigestSaysItAll) {
  const Comparison same = compare(tree("a", R"("x": 1)"), tree("a", R"("x": 2)"), {});
  EXPECT_TRUE(same.same_digest);
  EXPECT_TRUE(same.agree());
}

TEST(Compare, WhatWentInAndWhatItCostDoesNotCount) {
  const Comparison c = compare(tree("a", R"("x": 1, "warnings": ["one"], "gates": [], "seeds": [1])"),
                               tree("bb", R"("x": 1, "warnings": [], "gates": [{"gate": "g"}], "seeds": [2])"), {});
  EXPECT_FALSE(c.same_digest);
  EXPECT_TRUE(c.agree()) << paths(c).front();
  EXPECT_EQ(c.equal, 1);
}

TEST(Compare, NumbersTextsAndNullsByPath) {
  const Comparison c =
      compare(tree("a", R"("step": {"time_s": 2, "mfu": 0.5}, "name": "x", "sd": null, "gone": 1, "both": null)"),
              tree("bb", R"("step": {"time_s": 2.5, "mfu": 0.5}, "name": "y", "sd": 3, "new": 1, "both": null)"), {});
  // What is no number, or is on one side only, differs in full; then 0.5 / 2.5.
  EXPECT_EQ(paths(c), (std::vector<std::string>{"gone", "name", "new", "sd", "step.time_s"}));
  EXPECT_EQ(c.differences[0].b, "");
  EXPECT_EQ(c.differences[1].a, "x");
  EXPECT_EQ(c.differences[3].a, "null");
  EXPECT_DOUBLE_EQ(c.differences[4].relative, 0.2);
  EXPECT_EQ(c.differences[4].a, "2");
  EXPECT_EQ(c.equal, 2);
  EXPECT_EQ(c.within, 0);
}

TEST(Compare, ObjectsOfAListAreMatchedByWhatNamesThem) {
  const Comparison c = compare(tree("a", R"("schemes": [{"name": "x", "v": 1}, {"name": "y", "v": 2}],
                   "cells": [{"faults": "f", "scheme": "s", "step": 1, "v": 1},
                             {"faults": "f", "scheme": "s", "step": 2, "v": 2}], "list": [1, 2])"),
                               tree("bb", R"("schemes": [{"name": "y", "v": 2}, {"name": "x", "v": 1}],
                    "cells": [{"faults": "f", "scheme": "s", "step": 2, "v": 4},
                              {"faults": "f", "scheme": "s", "step": 1, "v": 1}], "list": [1, 3])"),
                               {});
  EXPECT_EQ(paths(c), (std::vector<std::string>{"cells.f/s/2.v", "list[1]"}));
  // Not unique: by position.
  const Comparison twice = compare(tree("a", R"("l": [{"name": "x", "v": 1}, {"name": "x", "v": 2}])"),
                                   tree("bb", R"("l": [{"name": "x", "v": 1}, {"name": "x", "v": 3}])"), {});
  EXPECT_EQ(paths(twice), std::vector<std::string>{"l[1].v"});
}

TEST(Compare, TwoValuesWithOnePathAreBothCompared) {
  const Comparison c = compare(tree("a", R"("a": {"b": 1}, "a.b": 2)"), tree("bb", R"("a": {"b": 1}, "a.b": 3)"), {});
  EXPECT_EQ(c.differences.size(), 1u);
  EXPECT_EQ(c.equal, 1);
}

TEST(Compare, Tolerances) {
  // Relative differences: 1/101 = 0.0099 and 1/51 = 0.0196.
  const ResultTree a = tree("a", R"("m": {"x": {"mean": 100}, "y": {"mean": 50}})"),
                   b = tree("bb", R"("m": {"x": {"mean": 101}, "y": {"mean": 51}})");
  CompareOptions options;
  options.relative_tolerance = 0.01;
  Comparison c = compare(a, b, options);
  EXPECT_EQ(paths(c), std::vector<std::string>{"m.y.mean"});
  EXPECT_EQ(c.within, 1);
  options.tolerances = {{"m.*.mean", 0.02}};
  EXPECT_TRUE(compare(a, b, options).agree());
  options.tolerances = {{"m.*.mean", 0.02}, {"m.x.*", 0}};
  EXPECT_EQ(paths(compare(a, b, options)), std::vector<std::string>{"m.x.mean"}) << "the last that fits counts";
  options.ignored = {"*.x.mean"};
  c = compare(a, b, options);
  EXPECT_TRUE(c.agree());
  EXPECT_EQ(c.within, 1);
}

TEST(Compare, RelativeDifference) {
  EXPECT_EQ(relative_difference(0, 0), 0);
  EXPECT_EQ(relative_difference(0, -0.0), 0);
  EXPECT_EQ(relative_difference(0, 1e-300), 1);
  EXPECT_DOUBLE_EQ(relative_difference(-4, 5), 9.0 / 5);
  EXPECT_DOUBLE_EQ(relative_difference(1.7e308, -1.7e308), 2) << "their difference is no double";
}

TEST(Compare, Patterns) {
  EXPECT_TRUE(fits("a.b", "a.b"));
  EXPECT_FALSE(fits("a.b", "a.bc"));
  EXPECT_FALSE(fits("a.b", "xa.b"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_TRUE(fits("*.mean", "schemes.x.metrics.ettr.mean"));
  EXPECT_TRUE(fits("s*.ettr*", "schemes.x.metrics.ettr.mean"));
  EXPECT_TRUE(fits("**a**", "bab"));
  EXPECT_FALSE(fits("s*.ettr", "schemes.x.metrics.ettr.mean"));
  EXPECT_FALSE(fits("", "a"));
  // Backtracking over one star only: no time beyond the product of the lengths.
  EXPECT_FALSE(fits(std::string(200, 'a') + "*b", std::string(20000, 'a')));
  std::string stars;
  for (int i = 0; i < 100; ++i) stars += "*a";
  EXPECT_FALSE(fits(stars + "b", std::string(20000, 'a')));
}

TEST(Welch, TextbookInterval) {
  // n 10, mean 20, sd 2 and n 20, mean 18, sd 4: variances of the means 0.4 and 0.8, standard error sqrt(1.2) =
  // 1.0954451; degrees of freedom 1.2^2 / (0.4^2 / 9 + 0.8^2 / 19) = 1.44 / 0.05146199 = 27.98182; t there is 2.04853
  // (2.04841 at 28 and 2.05183 at 27); half width 2.24405.
  const Interval interval = welch_interval({10, 20, 2}, {20, 18, 4}, 0.95);
  EXPECT_NEAR(interval.low, 2 - 2.24405, 2e-4);
  EXPECT_NEAR(interval.high, 2 + 2.24405, 2e-4);
  // Equal sizes and spreads are Student's case: n + n - 2 = 18 degrees, t 2.100922, error 3 sqrt(2 / 10).
  EXPECT_NEAR(welch_interval({10, 5, 3}, {10, 5, 3}, 0.95).high, 2.100922 * 3 * std::sqrt(0.2), 1e-5);
  EXPECT_EQ(welch_interval({10, 5, 0}, {10, 4, 0}, 0.95).low, 1);
  EXPECT_EQ(welch_interval({10, 5, 0}, {10, 4, 0}, 0.95).high, 1);
  // One sample without spread: the other's degrees of freedom, 9, t 2.262157.
  EXPECT_NEAR(welch_interval({10, 0, 3}, {10, 0, 0}, 0.95).high, 2.262157 * 3 / std::sqrt(10), 1e-5);
  EXPECT_TRUE(std::isfinite(welch_interval({10, 1, 1e300}, {10, 1, 1e300}, 0.95).high)) << "its square is no double";
}

std::string metric(double mean, double sd) {
  return R"({"unit": "ratio", "n": 10, "mean": )" + std::to_string(mean) + R"(, "sd": )" + std::to_string(sd) +
         R"(, "ci95_low": 0, "min": )" + std::to_string(mean - 1) + "}";
}

TEST(Compare, StatisticallyMeansAgreeUpToTheirSpread) {
  CompareOptions options;
  options.statistical = true;
  // sd 1, n 10 each: error sqrt(0.2) = 0.4472, t of 18 degrees 2.1009: the interval's half width is 0.9395.
  const auto body = [](double mean) { return R"("m": {"ettr": )" + metric(mean, 1) + R"(}, "time_s": 2)"; };
  Comparison c = compare(tree("a", body(5)), tree("bb", body(5.93)), options);
  EXPECT_TRUE(c.agree());
  EXPECT_EQ(c.means, 1);
  EXPECT_EQ(c.means_outside_own, 0);
  EXPECT_EQ(c.equal, 2) << "time_s and the unit; sd, bounds and min are the mean's";
  c = compare(tree("a", body(5)), tree("bb", body(5.95)), options);
  EXPECT_EQ(paths(c), std::vector<std::string>{"m.ettr.mean"});
  EXPECT_EQ(c.means_outside_own, 1);
  options.tolerances = {{"*.mean", 0.2}};
  EXPECT_TRUE(compare(tree("a", body(5)), tree("bb", body(5.95)), options).agree()) << "0.95 / 5.95 is below 0.2";
  options.tolerances.clear();
  options.ignored = {"m.*"};
  EXPECT_TRUE(compare(tree("a", body(5)), tree("bb", body(5.95)), options).agree());
}

TEST(Compare, StatisticallyManyMeansAreOneQuestion) {
  CompareOptions options;
  options.statistical = true;
  // Ten means, each judged at 1 - 0.05 / 10: t of 18 degrees at 99.5 % is 3.1966, half width 1.4296.
  const auto body = [](double last) {
    std::string text = R"("m": {)";
    for (int i = 0; i < 9; ++i) text += "\"x" + std::to_string(i) + "\": " + metric(5, 1) + ", ";
    return text + R"("y": )" + metric(last, 1) + "}";
  };
  Comparison c = compare(tree("a", body(5)), tree("bb", body(6.42)), options);
  EXPECT_TRUE(c.agree());
  EXPECT_EQ(c.means, 10);
  EXPECT_EQ(c.means_outside_own, 1);
  c = compare(tree("a", body(5)), tree("bb", body(6.44)), options);
  EXPECT_EQ(paths(c), std::vector<std::string>{"m.y.mean"});
}

TEST(Compare, StatisticallyAFewEqualCountsSayLittle) {
  CompareOptions options;
  options.statistical = true;
  const auto body = [](int n, const char* unit, int mean) {
    return R"("m": {"unit": ")" + std::string(unit) + R"(", "n": )" + std::to_string(n) + R"(, "mean": )" +
           std::to_string(mean) + R"(, "sd": 0})";
  };
  const auto agree = [&](int n, const char* unit) {
    return compare(tree("a", body(n, unit, 1)), tree("bb", body(n, unit, 0)), options).agree();
  };
  // One mean, so a chance of 0.05: three ones and three zeros come apart like that in 2 of 20 ways to deal them out,
  // four and four in 2 of 70.
  EXPECT_TRUE(agree(3, "count"));
  EXPECT_FALSE(agree(4, "count"));
  EXPECT_FALSE(agree(1000000, "count"));
  EXPECT_FALSE(agree(2, "s")) << "two equal times are no coincidence";
}

TEST(Compare, StatisticallyWhatDrawsDecideWithoutASpreadIsLeftOut) {
  CompareOptions options;
  options.statistical = true;
  const auto body = [](int v) {
    const std::string x = std::to_string(v);
    return R"("schemes": [{"name": "s", "time_share": {"lost": )" + x + R"(}, "time_to_quality": {"mean_s": )" + x +
           R"(}, "closed_forms": [{"name": "f", "bias": )" + x + R"(}]}], "fabric": {"distinct_states": )" + x +
           R"(}, "scenes": [{"step": 1, "values": {"c_in": )" + x + R"(}}], "placement": {"advice": ["domain )" + x +
           R"("]}, "gradient": [{"faults": "f", "scheme": "s", "step": 1, "metrics": {"l2": )" + metric(v, 0.01) +
           "}}]";
  };
  const Comparison c = compare(tree("a", body(1)), tree("bb", body(2)), options);
  EXPECT_TRUE(c.agree()) << paths(c).front();
  // Time share, time to quality, bias, states, c_in and its step, advice; of the gradient fault case, scheme, step and
  // l2's unit, n, mean, sd, bound and min.
  EXPECT_EQ(c.left_out, 7 + 9);
  EXPECT_EQ(c.means, 0) << "draws on one training run say nothing of another";
  // Time share, time to quality, bias, states, c_in, advice, mean and min.
  EXPECT_EQ(compare(tree("a", body(1)), tree("bb", body(2)), {}).differences.size(), 8u);
  // One run has no spread: its numbers are compared as they are.
  const std::string one = R"("m": {"n": 1, "mean": 1, "sd": null})", other = R"("m": {"n": 1, "mean": 2, "sd": null})";
  EXPECT_EQ(paths(compare(tree("a", one), tree("bb", other), options)), std::vector<std::string>{"m.mean"});
}

TEST(Compare, OtherKindsAreNotCompared) {
  try {
    compare(tree("a", R"("x": 1)"), tree("bb", R"("x": 1)", "accuracy"), {});
    FAIL();
  } catch (const ResultFileError& error) {
    EXPECT_STREQ(error.what(),
                 "a/results.json holds results of kind 'lifecycle' and bb/results.json of 'accuracy': there is nothing "
                 "to compare");
  }
}

TEST(CompareReport, TheSameInEveryLocale) {
  const auto report = [] {
    const ResultTree a = tree("a", R"("x": 12345.678, "y": 1234567)"),
                     b = tree("bb", R"("x": 12345.679, "y": 1234568)");
    return compare_report(a, b, {}, compare(a, b, {}), {});
  };
  const std::string classic = report();
  EXPECT_NE(classic.find("12345.678"), std::string::npos);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string comma = report();
  std::locale::global(before);
  EXPECT_EQ(comma, classic);
}

TEST(CompareReport, DifferencesCountsVerdict) {
  const ResultTree a = tree("a", R"("x": 0.123456789, "y": 1, "t": "one\u001b")"),
                   b = tree("bb", R"("x": 0.123456788, "y": 2, "z": 3, "t": "two")");
  EXPECT_EQ(compare_report(a, b, {}, compare(a, b, {}), {80, false, false}),
            "A  a/results.json: small, seed 1, a\n"
            "B  bb/results.json: small, seed 2, bb\n"
            "other seeds: --statistical tells whether their means agree\n"
            "\n"
            "LARGEST DIFFERENCES\n"
            "    relative            A            B  of\n"
            "       100 %      one\\x1b          two  t\n"
            "       100 %            -            3  z\n"
            "        50 %            1            2  y\n"
            "   8.1e-07 %  0.123456789  0.123456788  x\n"
            "\n"
            "0 values equal, 0 within their tolerance; 4 differences.\n"
            "they DIFFER\n");
  EXPECT_EQ(compare_report(a, a, {}, compare(a, a, {}), {80, false, false}),
            "A  a/results.json: small, seed 1, a\n"
            "B  a/results.json: small, seed 1, a\n"
            "identical: the same digest\n");
  std::string many = R"("x0": 0)", more = R"("x0": 1)";
  for (int i = 1; i < 30; ++i) {
    many += ", \"x" + std::to_string(i) + "\": 0";
    more += ", \"x" + std::to_string(i) + "\": 1";
  }
  const ResultTree c = tree("a", many), d = tree("bb", more);
  EXPECT_NE(compare_report(c, d, {}, compare(c, d, {}), {}).find("\n            and 10 more\n"), std::string::npos);
}

}  // namespace
}  // namespace toposim::analysis
