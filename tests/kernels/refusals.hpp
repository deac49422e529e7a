#pragma once
// One valid call of every operation, to be spoilt one argument at a time. What a refused call may touch lies in one
// struct, which is compared as a whole.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels::refusals {

inline constexpr std::size_t elements = 256;

inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinite = std::numeric_limits<float>::infinity();
inline constexpr std::size_t too_many = (std::size_t{1} << 48) + 1;  // elements; 2^48 are 1 PB

template <class T>
T* off_by(std::size_t bytes, T* pointer) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(pointer) + bytes);
}
inline const void* off_by(std::size_t bytes, const void* pointer) {
  return static_cast<const char*>(pointer) + bytes;
}
inline void* off_by(std::size_t bytes, void* pointer) {
  return static_cast<char*>(pointer) + bytes;
}

struct Memory {
  alignas(64) unsigned char input[72][4 * elements];
  alignas(64) float scales[72][16];
  alignas(64) unsigned char output[2][4 * elements];
  alignas(64) float output_scales[16];
  alignas(64) float buckets[64];
  alignas(64) tk_metrics_sums sums;
  alignas(64) double products[16];
  alignas(64) double norm[8];
  alignas(64) unsigned char workspace[1 << 16];
};

/// Every byte is 0x3c, which is 0.0115 in fp32, about as much in bf16, and 60 in int8; in outputs 0x3d: 0.046.
struct Call {
  Call() {
    std::memset(static_cast<void*>(&memory), 0x3c, sizeof memory);
    std::memset(static_cast<void*>(memory.output), 0x3d, sizeof memory.output);
    exec = {TK_CPU, TK_ISA_BEST, 1, nullptr, memory.workspace, sizeof memory.workspace};
    for (std::size_t i = 0; i < 72; ++i) input.push_back({memory.input[i], memory.scales[i]});
    weights.assign(72, 0.5f);
    pool = {elements, TK_FP32, TK_FP32, 2, first.data(), input.data(), weights.data(), 0, outputs};
    scale = {elements, TK_FP32, memory.output[0], 3.0f};
    correct = {elements, TK_FP32, TK_FP32, input[0], input[1], 0.75f, memory.output[0]};
    compare = {elements, TK_FP32, input[0], input[1], &memory.sums};
    pool_metrics = {elements, TK_FP32, 3, input.data(), weights.data(), 0, input[3], &memory.sums};
    gram = {elements, TK_FP32, 3, input.data(), memory.products};
    sketch = {elements, TK_FP32, input[0], 64, 1, memory.buckets};
    clip = {elements, TK_FP32, memory.output[0], 0.001, 0, memory.norm};
    quantise = {elements, TK_FP32, memory.input[0], reinterpret_cast<std::int8_t*>(memory.output[0]),
                memory.output_scales};
    dequantise = {elements, input[0], TK_FP32, memory.output[0]};
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Memory memory;
  tk_exec exec;
  const tk_exec* exec_at = &exec;
  std::vector<std::size_t> first = {0, 2, 3};
  std::vector<tk_vector> input;
  std::vector<float> weights;
  void* outputs[2] = {memory.output[0], memory.output[1]};

  tk_pool_args pool;
  tk_scale_args scale;
  tk_correct_args correct;
  tk_metrics_args compare;
  tk_pool_metrics_args pool_metrics;
  tk_gram_args gram;
  tk_sketch_args sketch;
  tk_clip_args clip;
  tk_quantise_args quantise;
  tk_dequantise_args dequantise;
};

using Operation = tk_status (*)(Call&);
struct Named {
  const char* name;
  Operation run;
};
inline tk_status run_pool(Call& c) {
  return tk_pool(c.exec_at, &c.pool);
}
inline tk_status run_scale(Call& c) {
  return tk_scale(c.exec_at, &c.scale);
}
inline tk_status run_correct(Call& c) {
  return tk_correct(c.exec_at, &c.correct);
}
inline tk_status run_compare(Call& c) {
  return tk_compare(c.exec_at, &c.compare);
}
inline tk_status run_pool_metrics(Call& c) {
  return tk_pool_metrics(c.exec_at, &c.pool_metrics);
}
inline tk_status run_gram(Call& c) {
  return tk_gram(c.exec_at, &c.gram);
}
inline tk_status run_sketch(Call& c) {
  return tk_sketch(c.exec_at, &c.sketch);
}
inline tk_status run_clip(Call& c) {
  return tk_clip(c.exec_at, &c.clip);
}
inline tk_status run_quantise(Call& c) {
  return tk_quantise(c.exec_at, &c.quantise);
}
inline tk_status run_dequantise(Call& c) {
  return tk_dequantise(c.exec_at, &c.dequantise);
}
inline constexpr Named operations[] = {{"pool", run_pool},         {"scale", run_scale},
                                       {"correct", run_correct},   {"compare", run_compare},
                                       {"gram", run_gram},         {"pool_metrics", run_pool_metrics},
                                       {"sketch", run_sketch},     {"clip", run_clip},
                                       {"quantise", run_quantise}, {"dequantise", run_dequantise}};

inline bool same(const Memory& a, const Memory& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// A change to a valid call, what is returned for it, and words that the message has.
struct Case {
  std::function<void(Call&)> spoil;
  const char* words;
  tk_status status = TK_BAD_ARGUMENT;
};

/// Each case is refused as it says and leaves all memory alone.
inline void refuses(Operation operation, const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    const auto call = std::make_unique<Call>();
    one.spoil(*call);
    const auto before = std::make_unique<Memory>(call->memory);
    EXPECT_EQ(operation(*call), one.status) << one.words;
    EXPECT_NE(std::string(tk_message()).find(one.words), std::string::npos)
        << "\"" << tk_message() << "\" for \"" << one.words << "\"";
    EXPECT_TRUE(same(call->memory, *before)) << one.words;
  }
}
/// Each change leaves a call that is made, and that writes something.
inline void accepts(Operation operation, const std::vector<std::function<void(Call&)>>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto call = std::make_unique<Call>();
    changes[i](*call);
    const auto before = std::make_unique<Memory>(call->memory);
    EXPECT_EQ(operation(*call), TK_OK) << "change " << i << ": " << tk_message();
    EXPECT_STREQ(tk_message(), "");
    EXPECT_FALSE(same(call->memory, *before)) << "change " << i;
  }
}

}  // namespace toposim::kernels::refusals
