#include "analysis/report/report.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/check.hpp"
#include "analysis/report/text_layout.hpp"
#include "golden_text.hpp"
#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

TEST(Report, Plain) {
  expect_golden("report.txt", terminal_report(sample_results(), {80, false, false}));
}

TEST(Report, WideUnicode) {
  expect_golden("report_wide.txt", terminal_report(sample_results(), {100, true, false}));
}

TEST(Report, OneRunThatDoesNotFit) {
  Results r = sample_results();
  keep_replicas(r, 1);
  r.memory_bytes[4].second = 91e9;
  r.warnings = {
      "the job needs 91.0 GB per GPU and an H100 has 80.0 GB: the step time is that of a job that cannot run"};
  expect_golden("report_one_run.txt", terminal_report(r, {80, false, false}));
}

TEST(Report, ColoursOnlyColour) {
  for (const bool unicode : {false, true}) {
    const std::string plain = terminal_report(sample_results(), {90, unicode, false});
    const std::string coloured = terminal_report(sample_results(), {90, unicode, true});
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    EXPECT_NE(coloured, plain);
    EXPECT_EQ(without_colours(coloured), plain);
  }
}

TEST(Report, KeepsToItsWidthAndAlphabet) {
  Results r = sample_results();
  r.scenario_name = std::string(300, 'n');
  r.schemes[1].name = std::string(300, 's');
  for (int extra = 0; extra < 6; ++extra) {
    r.schemes.push_back(r.schemes[0]);
    r.schemes.back().name = "scheme_" + std::to_string(extra) + "_with_a_long_name_of_many_words";
  }
  for (const int columns : {80, 93, 100})
    for (const std::string& line : lines_of(terminal_report(r, {columns, false, false}))) {
      EXPECT_LE(display_width(line), columns) << line;
      for (const char c : line) EXPECT_TRUE(c >= ' ' && c <= '~') << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(Report, ForeignTextCannotWriteOnTheTerminal) {
  Results r = sample_results();
  r.scenario_name = "a\x1b[2Jb\nc";
  r.schemes[2].name = "x\ry, \"z\" \xff\u202e";
  r.warnings = {"clear\x1b]0;title\x07"};
  r.cluster = {{"gpus", "1\n2"}};
  r.output_directory = "out/\x1b[31m";
  const std::string text = terminal_report(r, {80, true, false});
  EXPECT_NE(text.find("a\\x1b[2Jb\\nc: "), std::string::npos) << text;
  EXPECT_NE(text.find("x\\ry, \"z\" ??"), std::string::npos) << text;
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= ' ');
}

TEST(Report, IsThereWithoutSchemesOrRunsOrSteps) {
  EXPECT_NE(terminal_report(Results{}, {}).find("digest"), std::string::npos);
  Results r = sample_results();
  keep_replicas(r, 0);
  EXPECT_NE(terminal_report(r, {}).find("no run finished"), std::string::npos);
}

TEST(Report, RefusesResultsThatDoNotHoldTogether) {
  Results r = sample_results();
  r.schemes[1].metrics[0].reals[2] = std::nan("");
  EXPECT_THROW(terminal_report(r, {}), ResultsError);
}

}  // namespace
}  // namespace toposim::analysis
