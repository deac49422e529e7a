// Callers that do not mean well: processes that fork, call from many threads, ask for thousands, give memory that ends
// behind the last address or results that lie over the arguments.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "refusals.hpp"

namespace toposim::kernels::refusals {
namespace {

/// 0: all operations, with two threads, write what they wrote for `expected`.
int differences(const std::vector<std::unique_ptr<Call>>& expected) {
  int different = 0;
  for (std::size_t i = 0; i < std::size(operations); ++i) {
    const auto call = std::make_unique<Call>();
    call->exec.threads = 2;
    different += operations[i].run(*call) != TK_OK || !same(call->memory, expected[i]->memory);
  }
  return different;
}
std::vector<std::unique_ptr<Call>> all_operations() {
  std::vector<std::unique_ptr<Call>> calls;
  for (const Named& operation : operations) {
    calls.push_back(std::make_unique<Call>());
    EXPECT_EQ(operation.run(*calls.back()), TK_OK) << operation.name;
  }
  return calls;
}

/// Two strips, so that two threads are really used.
tk_status scale_two_strips(std::vector<float>& data, int threads) {
  const tk_scale_args args{data.size(), TK_FP32, data.data(), 3.0f};
  const tk_exec exec{TK_CPU, TK_ISA_BEST, threads, nullptr, nullptr, 0};
  return tk_scale(&exec, &args);
}

// OpenMP's threads stay in the parent. Without care the child waits for them; here until SIGALRM.
TEST(Hostile, ForkedChildComputes) {
  const auto expected = all_operations();
  std::vector<float> data(2 * 4096, 1.0f);
  ASSERT_EQ(scale_two_strips(data, 2), TK_OK);
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    const bool well = scale_two_strips(data, 2) == TK_OK && data.front() == 9 && data.back() == 9;
    _exit(well ? differences(expected) : 100);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(scale_two_strips(data, 2), TK_OK);  // the parent goes on as before
  EXPECT_EQ(data.back(), 9);
}

TEST(Hostile, ManyThreadsAtOnce) {
  const auto expected = all_operations();
  std::vector<int> different(8, -1);
  std::vector<std::thread> threads;
  for (int& result : different)
    threads.emplace_back([&] {
      result = 0;
      for (int repeat = 0; repeat < 5; ++repeat) result += differences(expected);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(different, std::vector<int>(8, 0));
}

// OpenMP ends the process where it cannot have a thread, so 4096 on request are not a thing to try: four per processor.
TEST(Hostile, ThousandsOfThreadsAreNotStarted) {
  const std::size_t processors = std::thread::hardware_concurrency();
  std::vector<float> data(8 * processors * 4096, 1.0f);
  ASSERT_EQ(scale_two_strips(data, 4096), TK_OK);
  std::size_t threads = 0;
  for ([[maybe_unused]] const auto& task : std::filesystem::directory_iterator("/proc/self/task")) ++threads;
  EXPECT_LE(threads, 4 * processors + 2);  // and a sanitizer's own
  EXPECT_EQ(data.back(), 3);
}

// OpenMP's idle threads would come back to code that is gone. A copy of the library, since this program holds the
// other.
TEST(Hostile, LibraryStaysAfterDlclose) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer takes the same library twice for a mistake";
#endif
  Dl_info info{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&tk_pool), &info), 0);
  const std::string copy = testing::TempDir() + "topokernels_copy_" + std::to_string(getpid()) + ".so";
  std::filesystem::copy_file(info.dli_fname, copy);
  void* library = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_NE(dlsym(library, "tk_pool"), reinterpret_cast<void*>(&tk_pool));
  dlclose(library);
  EXPECT_NE(dlopen(copy.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
  std::filesystem::remove(copy);
}

// Ends that wrap around would look like no overlap at all. The last 64 bytes hold 16 of the 256 numbers.
TEST(Hostile, MemoryEndsBeforeTheLastAddress) {
  void* const last = reinterpret_cast<void*>(~std::uintptr_t{63});
  const char* words = "beyond the last address";
  refuses(run_scale, {{[&](Call& c) { c.scale.data = last; }, words}});
  refuses(run_pool,
          {{[&](Call& c) { c.outputs[1] = last; }, words}, {[&](Call& c) { c.input[1].data = last; }, words}});
  refuses(run_clip, {{[&](Call& c) { c.exec.workspace = last; }, words}});
  refuses(run_dequantise, {{[&](Call& c) { c.dequantise.input.data = last; }, words}});
}

// 2^48 elements, the most there can be: 2^36 strips, of 2,080 pairs 4 bytes each, and two levels of 2^24 x 2,080 fp64;
// 2^30 blocks of a table of 4096 fp32 numbers; 2^50 bytes of fp32.
TEST(Hostile, WorkspacesOfTheLargestCounts) {
  const auto c = std::make_unique<Call>();
  std::size_t bytes = 0;
  c->gram.elements = c->sketch.elements = c->pool.elements = too_many - 1;
  c->gram.inputs = 64;
  EXPECT_EQ(tk_gram_workspace(&c->gram, &bytes), TK_OK);
  EXPECT_EQ(bytes, (std::size_t{1} << 36) * 2080 * 4 + 2 * ((std::size_t{1} << 24) * 2080 * 8));
  c->sketch.width = 4096;
  EXPECT_EQ(tk_sketch_workspace(&c->sketch, &bytes), TK_OK);
  EXPECT_EQ(bytes, std::size_t{1} << 44);
  c->first = {0, 65, 66};
  c->pool.first = c->first.data();
  EXPECT_EQ(tk_pool_workspace(&c->pool, &bytes), TK_OK);
  EXPECT_EQ(bytes, std::size_t{1} << 50);
}

// What is written over the arguments is written after they were read. Segment 0 of one input is done before segment 1
// of 65 starts, and its output of 1024 bytes lies over the list of inputs, which has 72 x 16.
TEST(Hostile, ResultsOverArguments) {
  const auto expected = std::make_unique<Call>(), got = std::make_unique<Call>();
  for (Call* c : {expected.get(), got.get()}) {
    c->first = {0, 1, 66};
    c->pool.first = c->first.data();
  }
  got->outputs[0] = got->input.data();
  ASSERT_EQ(run_pool(*expected), TK_OK) << tk_message();
  ASSERT_EQ(run_pool(*got), TK_OK) << tk_message();
  EXPECT_EQ(std::memcmp(got->input.data(), expected->memory.output[0], sizeof expected->memory.output[0]), 0);
  EXPECT_EQ(std::memcmp(got->memory.output[1], expected->memory.output[1], sizeof expected->memory.output[1]), 0);

  ASSERT_EQ(run_clip(*expected), TK_OK);
  got->clip.norm = reinterpret_cast<double*>(&got->clip.elements);
  ASSERT_EQ(run_clip(*got), TK_OK);
  EXPECT_EQ(std::memcmp(got->memory.output[0], expected->memory.output[0], sizeof expected->memory.output[0]), 0);
}

TEST(Hostile, DerivedFromNothing) {
  const tk_metrics m = tk_derive_metrics(nullptr);
  EXPECT_TRUE(std::isnan(m.cosine) && std::isnan(m.angle_deg) && std::isnan(m.relative_l2));
  EXPECT_STREQ(tk_message(), "sums is a null pointer");
}

// The angle is ours, since the C library's acos depends on the processor; so are its bits when the caller rounds up or
// flushes. Norms of 1, so that the cosine is the dot product. 1 - 2^-52 is an angle of 2^-25.5 (1 + 2^-54): 1.2e-6
// degrees, which has to be right in relative terms: some ten roundings, few of them in full. The bits pinned are one
// unit in the last place from acos(0.8), 36.86989764584402130 degrees.
TEST(Hostile, AnglesAreRightAndTheCallersRoundingChangesNothing) {
  const unsigned plain = _mm_getcsr();
  double largest = 0;
  for (int i = -1000; i <= 1000; ++i) {
    const double cosine = i == 1000 ? 1 - 0x1p-52 : i / 1000.0;
    const tk_metrics_sums sums{cosine, 1, 1, 0.3};
    const tk_metrics m = tk_derive_metrics(&sums);
    const long double expected = acosl(static_cast<long double>(cosine)) * 57.295779513082320876798L;
    const auto error = static_cast<double>(std::fabs(m.angle_deg - expected) / std::fmax(expected, 1e-300L));
    largest = std::fmax(largest, error);
    for (const unsigned mode : {0x2000u, 0x4000u, 0x6000u, 0x8040u}) {
      _mm_setcsr((plain & ~0x603fu) | mode);
      const tk_metrics other = tk_derive_metrics(&sums);
      _mm_setcsr(plain);
      ASSERT_EQ(std::memcmp(&m, &other, sizeof m), 0) << cosine << ", mode " << mode;
    }
  }
  EXPECT_LE(largest, 8 * 0x1p-53);
  RecordProperty("largest_relative_error", std::to_string(largest * 0x1p53) + " x 2^-53");
  const tk_metrics_sums sums{0.8, 1, 1, 0};
  EXPECT_EQ(tk_derive_metrics(&sums).angle_deg, 0x1.26f58ce59e23bp+5);
}

}  // namespace
}  // namespace toposim::kernels::refusals
