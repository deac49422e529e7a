// What ptxas said of the CUDA kernels when the library was built: no spills, no stack, on each architecture.
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
  const std::regex entry("Compiling entry function '([^']*)' for '([^']*)'");
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (std::regex_search(line, found, entry)) {
      name = found[1];
      architecture = found[2];
      ++kernels[architecture];
    }
    if (line.find("bytes stack frame") == std::string::npos) continue;
    EXPECT_NE(line.find("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"), std::string::npos)
        << architecture << " " << name << ": " << line;
  }
  ASSERT_FALSE(kernels.empty()) << TOPOSIM_PTXAS_REPORT << " names no kernel";
  for (const auto& [which, count] : kernels) EXPECT_EQ(count, kernels.begin()->second) << which;
}

}  // namespace
}  // namespace toposim::kernels::test
