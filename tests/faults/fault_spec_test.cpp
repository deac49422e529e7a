#include "faults/fault_spec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "faults/error.hpp"
#include "faults/fault_timeline.hpp"

namespace toposim::faults {
namespace {

FaultClassSpec good() {
  FaultClassSpec c;
  c.name = "gpu";
  c.component = Component::gpu;
  c.mtbf_s = 1e6;
  c.repair = {RepairShape::lognormal, 3600, 1};
  return c;
}

/// The only problem of a spec with one class, changed by `change`.
template <class Change>
std::string problem(const Change& change) {
  FaultClassSpec c = good();
  change(c);
  const auto problems = problems_of({"", {c}});
  return problems.size() == 1 ? problems[0] : "problems: " + std::to_string(problems.size());
}

TEST(FaultSpec, GoodOneHasNoProblem) {
  EXPECT_TRUE(problems_of({"", {good()}}).empty());
}

TEST(FaultSpec, EachProblemNamesTheClassAndWhatWouldDo) {
  EXPECT_EQ(problem([](auto& c) { c.name = ""; }), "fault class 0: has no name");
  EXPECT_EQ(problem([](auto& c) { c.mtbf_s = 0; }),
            "fault class 'gpu': mean time between faults is 0 s, expected a time above 0 and up to 1e+15 s");
  EXPECT_EQ(problem([](auto& c) { c.mtbf_s = std::nan(""); }),
            "fault class 'gpu': mean time between faults is nan s, expected a time above 0 and up to 1e+15 s");
  EXPECT_EQ(problem([](auto& c) { c.repair.mean_s = std::numeric_limits<double>::infinity(); }),
            "fault class 'gpu': mean repair time is inf s, expected a time above 0 and up to 3e+09 s");
  EXPECT_EQ(problem([](auto& c) { c.repair.sigma = -1; }),
            "fault class 'gpu': sigma of the repair time is -1, expected 0 to 10");
  EXPECT_EQ(problem([](auto& c) {
              c.shape = Shape::weibull;
              c.weibull_k = 0.01;
            }),
            "fault class 'gpu': weibull_k is 0.01, expected 0.1 to 20");
  EXPECT_EQ(problem([](auto& c) {
              c.component = Component::job;
              c.job_fraction = 1.5;
            }),
            "fault class 'gpu': job_fraction is 1.5, expected a probability, 0 to 1");
  EXPECT_EQ(problem([](auto& c) {
              c.component = Component::job;
              c.kind = FaultKind::fail_slow;
              c.slow_factor = 0.5;
            }),
            "fault class 'gpu': a fault of the job cannot be fail_slow; use component node or gpu");
  for (const double factor : {0.0, 1.0, -1.0})
    EXPECT_NE(problem([&](auto& c) {
                c.kind = FaultKind::fail_slow;
                c.slow_factor = factor;
              }).find("slow_factor"),
              std::string::npos);
}

TEST(FaultSpec, NamesAreUnique) {
  const auto problems = problems_of({"", {good(), good()}});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("'gpu': the name is used twice"), std::string::npos);
}

TEST(FaultSpec, ModelRefusesItWithAllProblems) {
  FaultClassSpec bad = good();
  bad.mtbf_s = -1;
  bad.repair.mean_s = 0;
  try {
    FaultModel({"", {bad}}, {1});
    FAIL() << "expected FaultError";
  } catch (const FaultError& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("mean time between faults is -1 s"), std::string::npos) << text;
    EXPECT_NE(text.find("mean repair time is 0 s"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace toposim::faults
