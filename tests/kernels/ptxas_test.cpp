// What ptxas said of the CUDA kernels when the library was built: no spills, and no arrays in local memory, on each
// architecture. A stack frame of one address is let pass (gram on sm_80): nothing is spilled to it.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

namespace toposim::kernels::test {
namespace {

TEST(Ptxas, NoKernelSpillsOnAnyArchitecture) {
  std::ifstream in(TOPOSIM_PTXAS_REPORT);
  if (!in) GTEST_SKIP() << "no nvcc: no CUDA kernels were built";
  std::map<std::string, int> kernels;
  std::string architecture, name;
  int measured = 0;
  const std::regex memory("(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");
  const std::regex entry("Compiling entry function '([^']*)' for '([^']*)'");
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (std::regex_search(line, found, entry)) {
      name = found[1];
      architecture = found[2];
      ++kernels[architecture];
    }
    if (!std::regex_search(line, found, memory)) continue;
    EXPECT_LE(std::stoi(found[1]), 8) << architecture << " " << name << ": " << line;
    EXPECT_EQ(found[2], "0") << architecture << " " << name << ": " << line;
    EXPECT_EQ(found[3], "0") << architecture << " " << name << ": " << line;
    ++measured;
  }
  EXPECT_GT(measured, 0);
  ASSERT_FALSE(kernels.empty()) << TOPOSIM_PTXAS_REPORT << " names no kernel";
  for (const auto& [which, count] : kernels) EXPECT_EQ(count, kernels.begin()->second) << which;
}

}  // namespace
}  // namespace toposim::kernels::test
