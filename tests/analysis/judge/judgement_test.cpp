#include "analysis/judge/judgement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "analysis/files/limited_file.hpp"
#include "analysis/judge/judge_report.hpp"
#include "analysis/student.hpp"

namespace toposim::analysis {
namespace {

JudgeOptions bound(double error_bound) {
  JudgeOptions made;
  made.scheme = "new";
  made.error_bound = error_bound;
  return made;
}

const JudgeOptions options = bound(1.02);

/// P(T >= t) of three degrees of freedom in closed form.
double above_of_three(double t) {
  return 0.5 - (std::atan(t / std::numbers::sqrt3) + t * std::numbers::sqrt3 / (t * t + 3)) / std::numbers::pi;
}

CsvTable runs(const std::string& lines) {
  return parse_csv("faults,scheme,steps,seed,final_loss\n" + lines, "runs.csv");
}

LossJudgement with_p(double p) {
  LossJudgement cell;
  cell.p = p;
  return cell;
}

std::string four(const std::string& scheme, double a, double b, double c, double d) {
  std::string lines;
  int seed = 1;
  for (const double loss : {a, b, c, d})
    lines += "skewed," + scheme + ",200," + std::to_string(seed++) + "," + std::to_string(loss) + "\n";
  return lines;
}

TEST(Student, ClosedForms) {
  EXPECT_NEAR(student_above(0, 7), 0.5, 1e-15);
  EXPECT_NEAR(student_above(1, 1), 0.25, 1e-15);  // Cauchy: 1/2 - atan(1) / pi
  EXPECT_NEAR(student_above(2.5, 3), above_of_three(2.5), 1e-14);
  EXPECT_NEAR(student_above(student_quantile(9, 0.95), 9), 0.025, 1e-12);
}

TEST(Judgement, ByHand) {
  // Against drop (all 1): differences .001, -.001, 0, 0: mean 0, sd .001 sqrt(2 / 3), standard error half of that. The
  // margin is .003, 2 standard errors are less: t = .003 / (.0005 sqrt(2 / 3)) = 6 sqrt(3 / 2). Against literal (all 2)
  // the difference is -1 and the same scatter against a margin of .006, so p is smaller and drop's counts.
  Judgement found;
  judge_runs("study",
             runs("none,fault_free,200,1,1\n" + four("drop", 1, 1, 1, 1) + four("literal", 2, 2, 2, 2) +
                  four("new", 1.001, 0.999, 1, 1) + four("other", 9, 9, 9, 9)),
             options, found);
  ASSERT_EQ(found.losses.size(), 1U);
  const LossJudgement& cell = found.losses[0];
  EXPECT_EQ(cell.reference, "drop");
  EXPECT_EQ(cell.seeds, 4);
  EXPECT_NEAR(cell.difference_share, 0, 1e-9);
  EXPECT_NEAR(cell.error_share, 0.0005 * std::sqrt(2.0 / 3), 1e-9);
  EXPECT_NEAR(cell.margin_share, 0.003, 1e-12);
  EXPECT_NEAR(cell.p, above_of_three(6 * std::sqrt(1.5)), 1e-7);
}

TEST(Judgement, NoisyRunsAreNotShownToBeNoWorse) {
  // Differences .1, -.1, .1, -.1: mean 0, standard error .1 sqrt(4 / 3) / 2, which twice is the margin: t = 2 and p =
  // .07 whatever the number of seeds, so that noise alone never passes.
  Judgement found;
  judge_runs("study", runs(four("drop", 1, 1, 1, 1) + four("literal", 2, 2, 2, 2) + four("new", 1.1, 0.9, 1.1, 0.9)),
             options, found);
  EXPECT_NEAR(found.losses.at(0).p, above_of_three(2), 1e-9);
  correct_for_many(found);
  EXPECT_FALSE(found.holds(found.losses[0], options));
}

TEST(Judgement, TheWorseReferenceDoesNotHelp) {
  // As good as drop, and far worse than literal.
  Judgement found;
  judge_runs("study", runs(four("drop", 2, 2, 2, 2) + four("literal", 1, 1, 1, 1) + four("new", 2, 2, 2, 2)), options,
             found);
  EXPECT_EQ(found.losses.at(0).reference, "literal");
  EXPECT_EQ(found.losses.at(0).p, 1);
}

TEST(Judgement, ADivergedRunIsInferior) {
  Judgement found;
  judge_runs("study",
             runs(four("drop", 1, 1, 1, 1) + four("literal", 1, 1, 1, 1) +
                  "skewed,new,200,1,1\nskewed,new,200,2,1\nskewed,new,200,3,\nskewed,new,200,4,1\n"),
             options, found);
  EXPECT_EQ(found.losses.at(0).diverged, 1);
  EXPECT_EQ(found.losses.at(0).p, 1);
}

TEST(Judgement, HolmByHand) {
  // Sorted .01, .02, .04: times 3, 2, 1 gives .03, .04, .04; a later one is never below an earlier one.
  Judgement judgement;
  judgement.losses = {with_p(0.04), with_p(0.01), with_p(0.02)};
  correct_for_many(judgement);
  EXPECT_NEAR(judgement.losses[1].p_holm, 0.03, 1e-15);
  EXPECT_NEAR(judgement.losses[2].p_holm, 0.04, 1e-15);
  EXPECT_NEAR(judgement.losses[0].p_holm, 0.04, 1e-15);
  judgement.losses = {with_p(0.02), with_p(0.03), with_p(0.9)};
  correct_for_many(judgement);
  EXPECT_NEAR(judgement.losses[0].p_holm, 0.06, 1e-15);
  EXPECT_NEAR(judgement.losses[1].p_holm, 0.06, 1e-15) << "2 x .03, and not below the one before";
  EXPECT_NEAR(judgement.losses[2].p_holm, 0.9, 1e-15);
}

TEST(Judgement, GradientErrorsOverTheBetterOne) {
  // Means over two draws: drop 1, literal .5, new .51: 1.02 of literal's.
  const CsvTable gradient = parse_csv(
      "faults,scheme,step,draw,global_error_ratio\n"
      "skewed,drop,0,0,1\nskewed,drop,0,1,1\nskewed,literal,0,0,.4\nskewed,literal,0,1,.6\n"
      "skewed,new,0,0,.5\nskewed,new,0,1,.52\n",
      "gradient.csv");
  Judgement found;
  judge_gradients("study", gradient, options, found);
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_EQ(found.errors[0].reference, "literal");
  EXPECT_EQ(found.errors[0].draws, 2);
  EXPECT_NEAR(found.errors[0].ratio, 1.02, 1e-12);
  EXPECT_TRUE(holds_everywhere(found, bound(1.0201)));
  EXPECT_FALSE(holds_everywhere(found, bound(1.0199)));
}

TEST(Judgement, Errors) {
  Judgement found;
  const auto message = [&](const std::string& lines) {
    try {
      judge_runs("study", runs(lines), options, found);
    } catch (const ResultFileError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(message(four("drop", 1, 1, 1, 1) + four("new", 1, 1, 1, 1)),
            "runs.csv: has no scheme literal under skewed; put it under the scenario's schemes, or choose others with "
            "--against");
  EXPECT_EQ(message("none,fault_free,200,1,1\n"), "runs.csv: has no scheme new");
  EXPECT_EQ(message("a,drop,1,1,1\na,literal,1,1,1\na,new,1,1,1\n"),
            "runs.csv: fewer than two seeds of new and drop under a: a test needs their scatter");
  EXPECT_EQ(message(""), "nothing") << "a study that trained nothing";
  EXPECT_THROW(judge_study("/does/not/exist", options, found), ResultFileError);
}

TEST(JudgeReport, SaysWhatHolds) {
  Judgement judgement;
  judgement.losses = {with_p(0.01)};
  judgement.losses[0].faults = "skewed";
  judgement.errors.resize(1);
  judgement.errors[0].ratio = 1.03;
  correct_for_many(judgement);
  const std::string text = judge_report(judgement, options, {});
  EXPECT_NE(text.find("not inferior in final loss in 1 of 1 cells"), std::string::npos) << text;
  EXPECT_NE(text.find("keeps the bound in 0 of"), std::string::npos) << text;
  EXPECT_NE(text.find("does not hold"), std::string::npos);
}

}  // namespace
}  // namespace toposim::analysis
