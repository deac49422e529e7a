#include "analysis/report.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "analysis/check.hpp"
#include "analysis/text_layout.hpp"
#include "sample_results.hpp"

namespace toposim::analysis {
namespace {

/// The whole text against tests/golden/NAME; TOPOSIM_UPDATE_GOLDEN=1 rewrites the file, to be reviewed as a diff.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(TOPOSIM_SOURCE_DIR) + "/tests/golden/" + name;
  const char* update = std::getenv("TOPOSIM_UPDATE_GOLDEN");
  if (update && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; TOPOSIM_UPDATE_GOLDEN=1 writes it";
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str()) << "TOPOSIM_UPDATE_GOLDEN=1 rewrites " << path;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Report, Plain) {
  expect_golden("report.txt", terminal_report(sample_results(), {80, false, false}));
}

TEST(Report, WideUnicode) {
  expect_golden("report_wide.txt", terminal_report(sample_results(), {100, true, false}));
}

TEST(Report, InterruptedOneRunThatDoesNotFit) {
  Results r = sample_results();
  r.replicas_done = 1;
  r.interrupted = true;
  r.memory_bytes[4].second = 91e9;
  r.warnings = {
      "the job needs 91.0 GB per GPU and an H100 has 80.0 GB: the step time is that of a job that cannot run"};
  for (SchemeResults& s : r.schemes)
    for (Metric& m : s.metrics) {
      if (!m.integers.empty()) m.integers.resize(1);
      if (!m.reals.empty()) m.reals.resize(1);
    }
  expect_golden("report_one_run.txt", terminal_report(r, {80, false, false}));
}

}  // namespace
}  // namespace toposim::analysis
