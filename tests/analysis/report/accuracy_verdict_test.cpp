#include "analysis/report/accuracy_verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample_accuracy.hpp"

namespace toposim::analysis {
namespace {

/// Blanks that must not become line breaks read as blanks.
std::string plain(std::string text) {
  std::replace(text.begin(), text.end(), '\x1f', ' ');
  return text;
}

/// Runs of fault_free and drop with loss 1 (but for `drop`), and of a scheme with these.
AccuracyResults trained(const std::vector<double>& losses, std::vector<double> drop = {}) {
  AccuracyResults r;
  for (std::size_t s = 0; s < losses.size(); ++s) r.seeds.push_back(s);
  drop.resize(losses.size(), 1);
  r.fault_cases = {{"out", "one worker", 0.1}};
  r.schemes = {{"drop", ""}, {"other", ""}};
  const auto cell = [&](const char* faults, const char* scheme, const std::vector<double>& of) {
    std::vector<double> delta, to_drop;
    for (std::size_t s = 0; s < of.size(); ++s) {
      delta.push_back(of[s] - 1);
      to_drop.push_back((of[s] - drop[s]) / drop[s]);
    }
    r.training.push_back({faults,
                          scheme,
                          10,
                          {real("final_loss", Unit::number, of), real("final_loss_delta", Unit::ratio, delta),
                           real("final_loss_to_drop", Unit::ratio, to_drop)}});
  };
  cell(no_faults, fault_free, std::vector<double>(losses.size(), 1));
  cell("out", "drop", drop);
  cell("out", "other", losses);
  return r;
}

AgainstDrop other(const AccuracyResults& r) {
  std::vector<AgainstDrop> all = against_drop(r, "out");
  EXPECT_EQ(all.size(), 1u);
  all.front().text = plain(all.front().text);
  return all.front();
}

// Differences 1.9, 2.0, 2.1 %: mean 2 %, sd 0.1 %, half width 4.30265 x 0.1 / sqrt(3) = 0.2484 %. With 1, 2, 3 % ten
// times that: the interval holds zero.
TEST(AccuracyVerdict, ClaimsOnlyWhatTheIntervalAllows) {
  AgainstDrop d = other(trained({1.019, 1.02, 1.021}));
  EXPECT_EQ(d.finding, Finding::worse);
  EXPECT_EQ(d.text, "+2.00 % (+1.75..+2.25)");
  d = other(trained({0.981, 0.98, 0.979}));
  EXPECT_EQ(d.finding, Finding::better);
  EXPECT_EQ(d.text, "-2.00 % (-2.25..-1.75)");
  d = other(trained({1.01, 1.02, 1.03}));
  EXPECT_EQ(d.finding, Finding::undecided);
  EXPECT_EQ(d.text, "+2.0 % (-0.5..+4.5)");
  EXPECT_EQ(other(trained({1, 1, 1})).finding, Finding::identical);
  d = other(trained({1.02}));
  EXPECT_EQ(d.finding, Finding::unknown);
  EXPECT_EQ(d.text, "+2.00 %");
}

// Runs of 10 and, 20 % longer, of 12 steps, as statistical efficiencies take: the verdict is on the length asked for.
TEST(AccuracyVerdict, IsOnTheLengthAskedFor) {
  AccuracyResults r = trained({1.019, 1.02, 1.021});
  AccuracyResults longer = trained({0.981, 0.98, 0.979});
  for (AccuracyCell& cell : longer.training) {
    cell.step = 12;
    r.training.push_back(cell);
  }
  EXPECT_EQ(other(r).finding, Finding::better);
  r.numbers = {{"steps", 10}};
  EXPECT_EQ(other(r).finding, Finding::worse);
  EXPECT_EQ(verdict_basis(r), "Final loss after 10 steps, 3 seeds, 95 % intervals");
}

// Two schemes that did nothing, in one phrase, with the reason where it is known.
TEST(AccuracyVerdict, SaysOnceWhatIsSaidOfSeveral) {
  AccuracyResults r = trained({1, 1, 1});
  r.schemes.push_back({"third", ""});
  r.training.push_back(r.training.back());
  r.training.back().scheme = "third";
  const auto same = [&] { return accuracy_verdict(r, {120, false, false}); };
  EXPECT_NE(same().find("    the same         other, third in every run\n"), std::string::npos) << same();
  for (AccuracyCell& cell : r.training)
    cell.metrics.push_back({"compensated_steps", Unit::count, {0, 0, 0}, {}, false});
  EXPECT_NE(same().find("other, third in every run: nothing was compensated, the job recovered fully\n"),
            std::string::npos)
      << same();
  r.training.back().metrics.back().integers[1] = 1;
  EXPECT_NE(same().find("job recovered fully; third in every run\n"), std::string::npos) << same();
}

// Without the runs that diverged the scheme would be better by 2 %: the mean of the survivors flatters it.
TEST(AccuracyVerdict, DivergingIsWorseThanAnyLoss) {
  AgainstDrop d = other(trained({0.981, 0.98, 0.979, no_value}));
  EXPECT_EQ(d.finding, Finding::worse);
  EXPECT_EQ(d.text, "diverged in 1 of 4 runs, the others -2.00 % (-2.25..-1.75)");
  d = other(trained({1.02, 1.02, 1.02}, {1, 1, no_value}));
  EXPECT_EQ(d.finding, Finding::better);
  EXPECT_EQ(d.text.substr(0, d.text.find(" the others")), "did not where drop diverged, 1 of 3,");
  d = other(trained({1, no_value, 1}, {1, 1, no_value}));
  EXPECT_EQ(d.finding, Finding::undecided);
  d = other(trained({no_value, no_value}, {no_value, no_value}));
  EXPECT_EQ(d.finding, Finding::unknown);
  EXPECT_EQ(d.text, "diverged with drop in every run");
}

/// Three draws of the error over drop's.
void add_gradients(AccuracyResults& r, const std::vector<double>& ratios) {
  r.draws = std::ssize(ratios);
  r.gradient = {{"out", "drop", 5, {real("global_error_ratio", Unit::ratio, std::vector<double>(ratios.size(), 1))}},
                {"out", "other", 5, {real("global_error_ratio", Unit::ratio, ratios)}}};
}

// Errors 0.899, 0.9, 0.901 of drop's: -10 %, half width 0.2484 %.
TEST(AccuracyVerdict, SaysWhereTheGradientsTellAnotherStory) {
  AccuracyResults r = trained({1.019, 1.02, 1.021});
  add_gradients(r, {0.899, 0.9, 0.901});
  EXPECT_EQ(other(r).text,
            "+2.00 % (+1.75..+2.25), although its gradients are nearer than drop's: error -10.00 % (-10.25..-9.75)");
  r.gradient[1].metrics.push_back(real("coefficient_sum", Unit::number, {0.95, 0.95, 0.95}));
  r.gradient[0].metrics.push_back(real("coefficient_sum", Unit::number, {1, 1, 1}));
  EXPECT_TRUE(other(r).text.ends_with(", its coefficients sum to 0.950, which shortens the step")) << other(r).text;
  add_gradients(r, {1.099, 1.1, 1.101});
  EXPECT_EQ(other(r).text, "+2.00 % (+1.75..+2.25)");
  r = trained({0.981, 0.98, 0.979});
  add_gradients(r, {1.099, 1.1, 1.101});
  EXPECT_NE(other(r).text.find("although its gradients are further off than drop's: error +10.00 %"),
            std::string::npos);
}

TEST(AccuracyVerdict, GoesByTheGradientsWhereNothingWasTrained) {
  AccuracyResults r = trained({1, 1, 1});
  r.training.clear();
  r.seeds.clear();
  add_gradients(r, {0.899, no_value, 0.9, 0.901});
  EXPECT_EQ(verdict_basis(r), "Error of the gradient at step 5, 4 draws, 95 % intervals");
  EXPECT_EQ(other(r).finding, Finding::better);
  EXPECT_EQ(other(r).text, "-10.00 % (-10.25..-9.75)");
  // Against all data's gradient 0.999, 1, 1.001, 1: mean 0, half width 3.18245 x 0.000816497 / 2.
  r.gradient[1].metrics.push_back(real("population_error_ratio", Unit::ratio, {0.999, 1, 1.001, 1}));
  r.gradient[0].metrics.push_back(real("population_error_ratio", Unit::ratio, {1, 1, 1, 1}));
  EXPECT_EQ(other(r).text, "-10.00 % (-10.25..-9.75), but to the gradient of all data +0.00 % (-0.13..+0.13)");
  EXPECT_EQ(accuracy_verdict(r, {100, false, false}).substr(0, 27), "  Nothing was trained, so t");
  // Undecided by the step's gradient, nearer to that of all data, and by shortening the step.
  add_gradients(r, {0.99, 1, 1.01});
  r.gradient[1].metrics.push_back(real("population_error_ratio", Unit::ratio, {0.899, 0.9, 0.901}));
  r.gradient[0].metrics.push_back(real("population_error_ratio", Unit::ratio, {1, 1, 1}));
  r.gradient[1].metrics.push_back(real("coefficient_sum", Unit::number, {0.9, 0.9, 0.9}));
  r.gradient[0].metrics.push_back(real("coefficient_sum", Unit::number, {1, 1, 1}));
  EXPECT_EQ(other(r).text,
            "+0.0 % (-2.5..+2.5), but to the gradient of all data -10.00 % (-10.25..-9.75), its coefficients sum to "
            "0.900, which shortens the step");
  add_gradients(r, {no_value});
  EXPECT_EQ(other(r).text, "no draw to go by");
  EXPECT_EQ(verdict_basis(AccuracyResults{}), "");
  EXPECT_TRUE(against_drop(AccuracyResults{}, "out").empty());
}

TEST(AccuracyVerdict, IsAParagraphPerFaultCase) {
  EXPECT_EQ(accuracy_verdict(trained({1.019, 1.02, 1.021}), {100, false, false}),
            "  out: one worker\n"
            "    better than drop none\n"
            "    worse than drop  other +2.00 % (+1.75..+2.25)\n"
            "    drop itself      as without faults in every run\n");
}

// 2 fault cases x 3 schemes: one in twenty of six.
TEST(AccuracyVerdict, SaysHowManyFindingsChanceWouldMake) {
  const std::string text = accuracy_verdict(sample_accuracy(), {100, false, false});
  EXPECT_NE(text.find("Of 6 intervals of 95 %, about 0.3 would leave zero out by chance alone."), std::string::npos);
}

}  // namespace
}  // namespace toposim::analysis
