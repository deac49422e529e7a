// Each tests/errors/NAME.yaml is wrong in one way (or a few), and NAME.expected is everything that is said about it.
// TOPOSIM_UPDATE_GOLDEN=1 rewrites the expected texts; review them as a diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/scenario/read_scenario.hpp"

namespace toposim::sim {
namespace {

const std::filesystem::path folder = std::filesystem::path(TOPOSIM_SOURCE_DIR) / "tests" / "errors";

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class ErrorFile : public testing::TestWithParam<std::string> {};

TEST_P(ErrorFile, SaysWhatIsExpected) {
  const auto input = folder / (GetParam() + ".yaml"), golden = folder / (GetParam() + ".expected");
  // A machine with 16 GB, so that the texts do not depend on this one.
  const auto result = read_scenario_text(read_bytes(input), input.filename().string(), {}, 16e9);
  std::string said;
  for (const Problem& problem : result.problems) said += problem.text() + "\n";
  EXPECT_FALSE(result.ok()) << "nothing is wrong with it";
  if (std::getenv("TOPOSIM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(golden, std::ios::binary) << said;
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(golden)) << "run with TOPOSIM_UPDATE_GOLDEN=1 and review what it writes";
  EXPECT_EQ(said, read_bytes(golden));
}

INSTANTIATE_TEST_SUITE_P(All, ErrorFile, testing::ValuesIn(cases()), [](const auto& file) { return file.param; });

TEST(ErrorFiles, EachExpectedTextHasItsFile) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".expected") continue;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(entry.path()).replace_extension(".yaml")))
        << entry.path();
  }
}

}  // namespace
}  // namespace toposim::sim
