// The shared library shows the C ABI and nothing else, so that it can live in one process with any other.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <set>
#include <string>

#include "kernels/topokernels.h"

namespace toposim::kernels {
namespace {

/// Names of what `library` defines for others; empty without nm.
std::set<std::string> exported_by(const std::string& library) {
  std::set<std::string> names;
  FILE* lines = popen(("nm -D --defined-only '" + library + "' 2>/dev/null").c_str(), "r");
  if (!lines) return names;
  std::array<char, 512> line{}, name{};
  while (std::fgets(line.data(), line.size(), lines))
    if (std::sscanf(line.data(), "%*s %*s %511s", name.data()) == 1) names.insert(name.data());
  pclose(lines);
  return names;
}

// One symbol per function of topokernels.h, 22 of them: ten operations, six of which need a workspace;
// tk_derive_metrics, tk_message, tk_status_name, tk_shape_version, tk_cpu_has, tk_cuda_device_count.
TEST(Exports, AreTheFunctionsOfTheHeader) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&tk_pool), &info), 0);
  const std::string library = info.dli_fname;
  if (library.find("libtopokernels.so") == std::string::npos)
    GTEST_SKIP() << "tk_pool comes from " << library << ", not from libtopokernels.so";
  const std::set<std::string> names = exported_by(library);
  if (names.empty()) GTEST_SKIP() << "nm is not installed, or cannot read " << library;
  std::set<std::string> expected = {"tk_derive_metrics", "tk_message", "tk_status_name",
                                    "tk_shape_version",  "tk_cpu_has", "tk_cuda_device_count"};
  for (const char* name :
       {"pool", "scale", "correct", "compare", "pool_metrics", "gram", "sketch", "clip", "quantise", "dequantise"})
    expected.insert(std::string("tk_") + name);
  for (const char* name : {"pool", "compare", "pool_metrics", "gram", "sketch", "clip"})
    expected.insert(std::string("tk_") + name + "_workspace");
  EXPECT_EQ(expected.size(), 22u);
  EXPECT_EQ(names, expected);
}

// Found by name, as a program that loads the library would: the header's version 1 of the shape of sums.
TEST(Exports, AreFoundByName) {
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&tk_pool), &info), 0);
  void* library = dlopen(info.dli_fname, RTLD_NOW);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto version = reinterpret_cast<int (*)()>(dlsym(library, "tk_shape_version"));
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(version(), 1);
  dlclose(library);
}

}  // namespace
}  // namespace toposim::kernels
