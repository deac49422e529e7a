// What a call leaves in the calling thread, and what that thread's state may not change.
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <algorithm>
#include <thread>

#include "refusals.hpp"

namespace toposim::kernels::refusals {
namespace {

TEST(CallerState, MessageIsEmptyAfterSuccessAndPerThread) {
  const auto c = std::make_unique<Call>();
  EXPECT_EQ(tk_scale(&c->exec, nullptr), TK_BAD_ARGUMENT);
  EXPECT_STREQ(tk_message(), "args is a null pointer");
  std::string other = "not read";
  std::thread([&] {
    other = tk_message();
    std::size_t bytes = 0;
    tk_clip_workspace(&c->clip, &bytes);
  }).join();
  EXPECT_EQ(other, "");
  EXPECT_STREQ(tk_message(), "args is a null pointer");  // the other thread's success is none of ours
  EXPECT_EQ(run_scale(*c), TK_OK);
  EXPECT_STREQ(tk_message(), "");
}

TEST(CallerState, NamesOfStatuses) {
  EXPECT_STREQ(tk_status_name(TK_OK), "TK_OK");
  EXPECT_STREQ(tk_status_name(TK_WORKSPACE), "TK_WORKSPACE");
  EXPECT_STREQ(tk_status_name(TK_CUDA_ERROR), "TK_CUDA_ERROR");
  EXPECT_STREQ(tk_status_name(static_cast<tk_status>(99)), "unknown status");
}

// Results are functions of the arguments, not of how the calling thread rounds (up, down, to zero) or of whether it
// flushes subnormals; and its mode is what it was, after errors too. Weights that are divided and 1 - beta are where
// the calling thread computes by itself: 1/3 and 1 - 0.1f are inexact; 2^-140 is subnormal, and with three of them all.
TEST(CallerState, RoundingModeOfTheCallerChangesNothing) {
  const auto prepare = [](Call& c, bool subnormal) {
    for (std::size_t i = 0; i < 72; ++i)
      for (std::size_t j = 0; j < elements; ++j) {
        const float x = (j % 3 ? 1.0f : 0x1p-130f) * (1.0f + static_cast<float>((i * 31 + j * 17) % 101) / 64.0f);
        std::memcpy(c.memory.input[i] + 4 * j, &x, 4);
      }
    std::memcpy(c.memory.output[0], c.memory.input[5], sizeof c.memory.output[0]);
    for (auto& row : c.memory.scales) std::fill(row, row + 16, subnormal ? 0x1p-140f : 0x1.234568p-3f);
    c.weights = {1.0f, 1.0f, 2.0f};
    c.weights[1] = 2.0f;
    if (subnormal) c.weights = {0x1p-140f, 0x1p-139f, 0x1p-149f};
    c.pool.weights = c.pool_metrics.weights = c.weights.data();
    c.pool.normalise = c.pool_metrics.normalise = 1;
    c.correct.beta = 0.1f;
    c.scale.factor = 0.7f;
  };
  const unsigned plain = _mm_getcsr();
  constexpr unsigned down = 0x2000, up = 0x4000, to_zero = 0x6000, flush = 0x8040;
  for (const Named& operation : operations) {
    for (const bool subnormal : {false, true}) {
      for (const int threads : {1, 2}) {
        const auto expected = std::make_unique<Call>();
        prepare(*expected, subnormal);
        ASSERT_EQ(operation.run(*expected), TK_OK) << operation.name << ": " << tk_message();
        for (const unsigned mode : {down, up, to_zero, flush, flush | up}) {
          const auto got = std::make_unique<Call>();
          prepare(*got, subnormal);
          got->exec.threads = threads;
          _mm_setcsr((plain & ~0x603fu) | mode);
          const tk_status status = operation.run(*got);
          const unsigned after = _mm_getcsr();
          _mm_setcsr(plain);
          EXPECT_EQ(after & 0xffc0u, ((plain & ~0x603fu) | mode) & 0xffc0u) << operation.name;  // all but exceptions
          EXPECT_EQ(status, TK_OK) << operation.name << ", mode " << mode << ": " << tk_message();
          EXPECT_TRUE(same(got->memory, expected->memory))
              << operation.name << ", mode " << mode << ", subnormal " << subnormal;
          _mm_setcsr((plain & ~0x603fu) | mode);
          const tk_status refused = tk_scale(nullptr, &got->scale);
          const unsigned after_error = _mm_getcsr();
          _mm_setcsr(plain);
          EXPECT_EQ(refused, TK_BAD_ARGUMENT);
          EXPECT_EQ(after_error & 0xffc0u, ((plain & ~0x603fu) | mode) & 0xffc0u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace toposim::kernels::refusals
