// Every case against its golden hash, for each instruction set, 1 to 3 threads, and the emulated warp: the same bits.
// TOPOSIM_UPDATE_KERNEL_HASHES=1 rewrites tests/golden/kernel_hashes.txt: for new cases, or with a new shape_version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "abi_engine.hpp"
#include "emulated_engine.hpp"
#include "golden_hashes.hpp"
#include "kernel_cases.hpp"

namespace toposim::kernels::test {
namespace {

const std::string golden_file = std::string(TOPOSIM_SOURCE_DIR) + "/tests/golden/kernel_hashes.txt";

template <class E>
void expect_golden(E& engine) {
  const auto hashes = golden_hashes(golden_file);
  const std::vector<Case> cases = all_cases();
  ASSERT_EQ(hashes.size(), cases.size()) << "cases and golden hashes differ in number";
  int wrong = 0;
  for (const Case& c : cases) {
    const auto expected = hashes.find(name_of(c));
    ASSERT_NE(expected, hashes.end()) << name_of(c) << " has no golden hash";
    const std::string actual = in_hex(hash_of(engine, c));
    if (actual == expected->second) continue;
    if (++wrong <= 10) ADD_FAILURE() << name_of(c) << ": " << actual << ", golden " << expected->second;
  }
  EXPECT_EQ(wrong, 0) << "of " << cases.size() << " cases";
}

struct Way {
  const char* name;
  tk_isa isa;
  int threads;
  std::size_t offset;  ///< of every vector, from 64-byte alignment
};

std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << way.threads << " threads";
}

class GoldenHashes : public testing::TestWithParam<Way> {};

TEST_P(GoldenHashes, AreReached) {
  const Way& way = GetParam();
  if (!tk_cpu_has(way.isa)) GTEST_SKIP() << "this CPU has no " << way.name;
  AbiEngine<HostMemory> engine(tk_exec{TK_CPU, way.isa, way.threads, nullptr, nullptr, 0}, HostMemory(way.offset));
  if (std::getenv("TOPOSIM_UPDATE_KERNEL_HASHES") != nullptr && way.isa == TK_ISA_BASELINE && way.threads == 1) {
    std::ofstream out(golden_file);
    out << "# FNV-1a 64 of everything a case writes, NaNs made equal; summation shape version " << tk_shape_version()
        << "\n";
    for (const Case& c : all_cases()) out << in_hex(hash_of(engine, c)) << " " << name_of(c) << "\n";
  }
  expect_golden(engine);
}

INSTANTIATE_TEST_SUITE_P(Cpu, GoldenHashes,
                         testing::Values(Way{"baseline_1", TK_ISA_BASELINE, 1, 0}, Way{"avx2_1", TK_ISA_AVX2, 1, 0},
                                         Way{"avx2_2", TK_ISA_AVX2, 2, 0}, Way{"avx2_3", TK_ISA_AVX2, 3, 4},
                                         Way{"baseline_3", TK_ISA_BASELINE, 3, 4}, Way{"avx512_1", TK_ISA_AVX512, 1, 0},
                                         Way{"avx512_2", TK_ISA_AVX512, 2, 4}, Way{"avx512_3", TK_ISA_AVX512, 3, 0},
                                         Way{"baseline_2", TK_ISA_BASELINE, 2, 0}),
                         [](const auto& way) { return std::string(way.param.name); });

TEST(EmulatedWarp, ReachesTheGoldenHashes) {
  EmulatedEngine engine;
  expect_golden(engine);
}

}  // namespace
}  // namespace toposim::kernels::test
