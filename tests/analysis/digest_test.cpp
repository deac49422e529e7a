#include "analysis/digest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

TEST(Fnv1a64, MatchesThePublishedVectors) {
  // http://www.isthe.com/chongo/tech/comp/fnv, test_fnv.c: "", "a", "foobar".
  const auto hash = [](std::string_view text) {
    Fnv1a64 h;
    h.add_bytes(text);
    return h.value();
  };
  EXPECT_EQ(hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash("foobar"), 0x85944171f73967e8u);
}

TEST(Fnv1a64, TakesNumbersLowByteFirstAndKeepsTextsApart) {
  Fnv1a64 number, bytes;
  number.add(std::uint64_t{0x61});
  bytes.add_bytes(std::string_view("a\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(number.value(), bytes.value());
  Fnv1a64 a, b;
  a.add(std::string_view("ab"));
  a.add(std::string_view("c"));
  b.add(std::string_view("a"));
  b.add(std::string_view("bc"));
  EXPECT_NE(a.value(), b.value());
  Fnv1a64 zero, minus_zero;
  zero.add(0.0);
  minus_zero.add(-0.0);
  EXPECT_EQ(zero.value(), minus_zero.value());
  Fnv1a64 nan, other_nan;
  nan.add(std::nan(""));
  other_nan.add(-std::nan("1"));
  EXPECT_EQ(nan.value(), other_nan.value());
}

std::string changed(const std::function<void(Results&)>& change) {
  Results r = sample_results();
  change(r);
  return digest(r);
}

TEST(Digest, ChangesWithEveryResult) {
  const std::string before = digest(sample_results());
  EXPECT_EQ(before.size(), std::string("fnv1a64:").size() + 16);
  EXPECT_NE(changed([](Results& r) { r.schemes[2].metrics[0].reals[3] += 1e-15; }), before);
  EXPECT_NE(changed([](Results& r) { r.schemes[1].metrics[12].integers[0] += 1; }), before);
  EXPECT_NE(changed([](Results& r) { std::swap(r.schemes[1].name, r.schemes[2].name); }), before);
  EXPECT_NE(changed([](Results& r) { r.timeline[1].time_ns += 1; }), before);
  EXPECT_NE(changed([](Results& r) { r.timeline.pop_back(); }), before);
  EXPECT_NE(changed([](Results& r) { r.step_hidden_s[0].second += 1e-9; }), before);
  EXPECT_NE(changed([](Results& r) { r.memory_bytes[0].second += 1; }), before);
  EXPECT_NE(changed([](Results& r) { r.fabric[1].second += 1e-9; }), before);
  EXPECT_NE(changed([](Results& r) { r.step_choices[0].second = "ring"; }), before);
}

TEST(Digest, DoesNotChangeWithWhatIsNoResult) {
  EXPECT_EQ(changed([](Results& r) {
              r.cost = {{"threads", 64}};
              r.versions.clear();
              r.scenario_file = "elsewhere.yaml";
              r.scenario_hash = "x";
              r.output_directory = "/tmp";
              r.seed = 99;
              r.warnings = {"w"};
              r.schemes[0].closed_forms.clear();
              r.schemes[0].settings.clear();
            }),
            digest(sample_results()));
}

}  // namespace
}  // namespace toposim::analysis
