#include "analysis/report/accuracy_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <locale>

#include "analysis/accuracy_check.hpp"
#include "analysis/report/text_layout.hpp"
#include "comma_locale.hpp"
#include "golden_text.hpp"
#include "sample_accuracy.hpp"

namespace toposim::analysis {
namespace {

TEST(AccuracyReport, Plain) {
  expect_golden("accuracy_report.txt", terminal_report(sample_accuracy(), {80, false, false}));
}

TEST(AccuracyReport, WideUnicode) {
  expect_golden("accuracy_report_wide.txt", terminal_report(sample_accuracy(), {100, true, false}));
}

TEST(AccuracyReport, ColoursOnlyColour) {
  AccuracyResults r = sample_accuracy();
  r.warnings = {"a warning"};
  const std::string plain = terminal_report(r, {90, true, false}), coloured = terminal_report(r, {90, true, true});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_NE(coloured, plain);
  EXPECT_EQ(without_colours(coloured), plain);
}

TEST(AccuracyReport, IsTheSameInEveryLocale) {
  const std::string plain = terminal_report(sample_accuracy(), {});
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const std::string comma = terminal_report(sample_accuracy(), {});
  std::locale::global(before);
  EXPECT_EQ(comma, plain);
}

void rename(std::string& name, const std::string& from, const std::string& to) {
  if (name == from) name = to;
}

/// Every mention of a scheme or fault case.
void rename_all(AccuracyResults& r, const std::string& from, const std::string& to) {
  for (AccuracyScheme& scheme : r.schemes) rename(scheme.name, from, to);
  for (FaultCase& faults : r.fault_cases) rename(faults.name, from, to);
  for (auto* cells : {&r.gradient, &r.training, &r.efficiency})
    for (AccuracyCell& cell : *cells) {
      rename(cell.scheme, from, to);
      rename(cell.faults, from, to);
    }
  for (LossCurve& curve : r.curves) {
    rename(curve.scheme, from, to);
    rename(curve.faults, from, to);
  }
}

TEST(AccuracyReport, KeepsToItsWidthAndAlphabet) {
  AccuracyResults r = sample_accuracy();
  r.scenario_name = std::string(300, 'n');
  r.metric_name = "a_metric_with_a_long_name_of_many_words";
  rename_all(r, "literal", std::string(300, 's'));
  rename_all(r, "domain_out", "a_fault_case_with_a_long_name_of_many_words");
  r.scenes[1].values[4].second = 1e9;
  for (int extra = 0; extra < 5; ++extra) {  // more fault cases than fit beside each other, more steps than columns
    const std::string name = "case_" + std::to_string(extra) + "_of_many";
    r.fault_cases.push_back({name, "text", 0.1});
    for (const char* scheme : {"drop", "shrink"})
      r.efficiency.push_back(sample_efficiency(name, scheme, {1, 2, 3, 4, 5}));
    r.gradient.push_back(
        sample_gradient("transient_5", "shrink", 30 + static_cast<std::uint64_t>(extra), {1, 1, 1, 1, 1, 1, 1, 1}));
  }
  for (const int columns : {80, 93, 100, 160})
    for (const std::string& line : lines_of(terminal_report(r, {columns, false, false}))) {
      EXPECT_LE(display_width(line), columns) << line;
      for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(AccuracyReport, ForeignTextCannotWriteOnTheTerminal) {
  AccuracyResults r = sample_accuracy();
  rename_all(r, "literal", "x\ry\x1b[2J");
  rename_all(r, "domain_out", "a\nb");
  r.scenario_name = r.metric_name = r.output_directory = r.schemes[0].text = r.fault_cases[0].text = "\x1b[31m\n";
  r.setting = {{"w\n", "\x1b]0;title\x07"}};
  r.warnings = r.placement.advice = {"clear\x1b[2J"};
  for (GradientScene& scene : r.scenes) scene.groups[0].first = "\x1b[1m";
  for (const char c : terminal_report(r, {80, true, false}))
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
}

TEST(AccuracyReport, IsThereWithoutThis) {
  EXPECT_NE(terminal_report(AccuracyResults{}, {}).find("digest"), std::string::npos);
  AccuracyResults r = sample_accuracy();
  r.training.clear();
  r.curves.clear();
  r.efficiency.clear();
  r.seeds.clear();
  std::string text = terminal_report(r, {});
  EXPECT_NE(text.find("Nothing was trained"), std::string::npos) << text;
  EXPECT_EQ(text.find("TRAINING"), std::string::npos);
  r = sample_accuracy();
  r.scenes.clear();
  r.gradient.clear();
  text = terminal_report(r, {});
  EXPECT_EQ(text.find("GRADIENTS"), std::string::npos);
  EXPECT_NE(text.find("DOES ANYTHING BEAT DROP? Final loss after 400 steps"), std::string::npos);
}

TEST(AccuracyReport, ShowsNoColumnWithoutValuesAndSaysWhichDrawsHaveNone) {
  AccuracyResults r = sample_accuracy();
  for (AccuracyCell& cell : r.gradient) {
    cell.metrics[2].reals[1] = no_value;                       // global_error_ratio
    cell.metrics[9].reals = std::vector<double>(4, no_value);  // lambda
  }
  const std::string text = terminal_report(r, {100, false, false});
  EXPECT_EQ(text.find("lambda  "), std::string::npos) << text;
  EXPECT_NE(text.find("in 1 of 4 draws there is no error over drop"), std::string::npos) << text;
}

TEST(AccuracyReport, SaysOnceWhatHoldsForEveryScheme) {
  AccuracyResults r = sample_accuracy();
  for (AccuracyCell& cell : r.gradient) cell.metrics[1].integers = {1, 0, 0, 0};  // above_threshold
  const std::string text = terminal_report(r, {100, false, false});
  EXPECT_NE(text.find("  every scheme would stop for a full recovery in 25 % of the draws.\n"), std::string::npos)
      << text;
}

TEST(AccuracyReport, SaysOnceWhatHoldsForSomeSchemes) {
  AccuracyResults r = sample_accuracy();
  for (AccuracyCell& cell : r.gradient) cell.metrics[1].integers = {1, cell.scheme == "zero" ? 1 : 0, 0, 0};
  EXPECT_NE(terminal_report(r, {160, false, false})
                .find("  drop, shrink, literal would stop for a full recovery in 25 % of the draws; zero would stop "
                      "for a full recovery in 50 % of the draws.\n"),
            std::string::npos);
}

TEST(AccuracyReport, ANoiseScaleThatIsNotKnownIsADash) {
  AccuracyResults r = sample_accuracy();
  for (auto& [name, value] : r.scenes[0].values)
    if (name == "noise_scale_samples" || name == "batch_over_noise_scale" || name == "iid_cosine") value = 0;
  std::string row;
  for (const std::string& line : lines_of(terminal_report(r, {100, false, false})))
    if (line.starts_with("  step 20 ")) row = line;
  // c_in, c_out, two angles, then the three.
  EXPECT_EQ(row.find("0.720"), row.find_first_of("0123456789", 10)) << row;
  EXPECT_EQ(std::count(row.begin(), row.end(), '-'), 3) << row;
  // None known: no column.
  for (GradientScene& scene : r.scenes)
    for (auto& [name, value] : scene.values)
      if (name == "noise_scale_samples") value = 0;
  EXPECT_EQ(terminal_report(r, {100, false, false}).find("B_noise"), std::string::npos);
}

TEST(AccuracyReport, ShowsRecoveriesAndCopiesWhereThereAreAny) {
  AccuracyResults r = sample_accuracy();
  for (AccuracyCell& cell : r.training) {
    cell.metrics[5].integers = {2, 0, 0, 0, 0};  // full_recoveries
    cell.metrics.push_back(real("copy_distance", Unit::ratio, std::vector<double>(5, 0.0123)));
  }
  const std::string text = terminal_report(r, {100, false, false});
  EXPECT_NE(text.find("coveries"), std::string::npos) << text;
  EXPECT_NE(text.find("apart, %"), std::string::npos) << text;
  EXPECT_NE(text.find(" 1.23"), std::string::npos) << text;
  EXPECT_EQ(terminal_report(sample_accuracy(), {}).find("coveries"), std::string::npos);
}

TEST(AccuracyReport, ShowsGates) {
  AccuracyResults r = sample_accuracy();
  GateOutcome gate;
  gate.gate = "final_loss.shrink <= 0.1";
  gate.reason = "0.3006 is not <= 0.1";
  r.gates = {gate};
  const std::string text = terminal_report(r, {});
  EXPECT_NE(text.find("FAILED  final_loss.shrink <= 0.1"), std::string::npos) << text;
  EXPECT_NE(text.find("junit.xml"), std::string::npos) << text;
}

TEST(AccuracyReport, RefusesResultsThatDoNotHoldTogether) {
  AccuracyResults r = sample_accuracy();
  r.gradient[1].metrics.pop_back();
  EXPECT_THROW(terminal_report(r, {}), ResultsError);
}

}  // namespace
}  // namespace toposim::analysis
