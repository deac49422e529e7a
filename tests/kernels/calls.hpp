#pragma once
// Calls that are expected to succeed, with the workspace they ask for and guards around what they write.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "oracle.hpp"

namespace toposim::kernels::oracle {

inline constexpr tk_type all_types[] = {TK_FP32, TK_BF16, TK_INT8};
inline constexpr tk_type float_types[] = {TK_FP32, TK_BF16};
inline constexpr Data all_data[] = {Data::uniform, Data::wide, Data::subnormal};

class Caller {
 public:
  explicit Caller(tk_isa isa = TK_ISA_BEST, int threads = 1) : isa_(isa), threads_(threads) {}

  /// Runs `operation` with a workspace of exactly the size that `workspace` names.
  template <class Args>
  void run(tk_status (*operation)(const tk_exec*, const Args*), const Args& args,
           tk_status (*workspace)(const Args*, std::size_t*) = nullptr) const {
    std::size_t bytes = 0;
    if (workspace) {
      EXPECT_EQ(workspace(&args, &bytes), TK_OK) << tk_message();
    }
    std::vector<unsigned char> memory(bytes + 64, 0xa5);
    const tk_exec exec{TK_CPU, isa_, threads_, nullptr, bytes > 0 ? memory.data() : nullptr, bytes};
    EXPECT_EQ(operation(&exec, &args), TK_OK) << tk_message();
    EXPECT_STREQ(tk_message(), "");
    for (std::size_t i = bytes; i < memory.size(); ++i)
      ASSERT_EQ(memory[i], 0xa5) << "written " << i - bytes << " bytes behind the workspace";
  }

  /// One output per segment; `first` as tk_pool_args has it.
  std::vector<Vector> pool(const std::vector<Vector>& inputs, const std::vector<std::size_t>& first,
                           const std::vector<float>& weights, tk_type output_type, std::size_t elements,
                           bool normalise = false) const {
    std::vector<tk_vector> views;
    for (const Vector& v : inputs) views.push_back(v.view());
    std::vector<Vector> outputs(first.size() - 1, Vector(output_type, elements));
    std::vector<void*> pointers;
    for (Vector& v : outputs) pointers.push_back(v.data());
    run(tk_pool,
        tk_pool_args{elements, inputs[0].type, output_type, pointers.size(), first.data(), views.data(), weights.data(),
                     normalise, pointers.data()},
        tk_pool_workspace);
    for (Vector& v : outputs) {
      EXPECT_TRUE(v.untouched_behind(elements));
      v.refresh();
    }
    return outputs;
  }
  Vector pool(const std::vector<Vector>& inputs, const std::vector<float>& weights, tk_type output_type,
              std::size_t elements, bool normalise = false) const {
    return pool(inputs, {0, inputs.size()}, weights, output_type, elements, normalise)[0];
  }
  tk_metrics_sums compare(const Vector& estimate, const Vector& truth, std::size_t elements) const {
    tk_metrics_sums sums{};
    run(tk_compare, tk_metrics_args{elements, truth.type, estimate.view(), truth.view(), &sums}, tk_compare_workspace);
    return sums;
  }
  tk_metrics_sums pool_metrics(const std::vector<Vector>& inputs, const std::vector<float>& weights,
                               const Vector& truth, std::size_t elements, bool normalise = false) const {
    std::vector<tk_vector> views;
    for (const Vector& v : inputs) views.push_back(v.view());
    tk_metrics_sums sums{};
    run(tk_pool_metrics,
        tk_pool_metrics_args{elements, truth.type, views.size(), views.data(), weights.data(), normalise, truth.view(),
                             &sums},
        tk_pool_metrics_workspace);
    return sums;
  }
  /// Pairs (0,0), (1,0), (1,1), (2,0), ... and one guard, which stays NaN.
  std::vector<double> gram(const std::vector<tk_vector>& inputs, tk_type type, std::size_t elements) const {
    std::vector<double> result(inputs.size() * (inputs.size() + 1) / 2 + 1, std::nan(""));
    run(tk_gram, tk_gram_args{elements, type, inputs.size(), inputs.data(), result.data()}, tk_gram_workspace);
    EXPECT_TRUE(std::isnan(result.back()));
    return result;
  }
  std::vector<double> sketch(const Vector& input, std::size_t elements, std::size_t width, std::uint64_t seed) const {
    Vector result(TK_FP32, width);
    run(tk_sketch, tk_sketch_args{elements, input.type, input.view(), width, seed, static_cast<float*>(result.data())},
        tk_sketch_workspace);
    EXPECT_TRUE(result.untouched_behind(width));
    result.refresh();
    return result.values;
  }
  /// Returns the norm. `data` is one that may be longer than `elements`.
  double clip(Vector& data, std::size_t elements, double limit, bool normalise) const {
    double norm = std::nan("");
    run(tk_clip, tk_clip_args{elements, data.type, data.data(), limit, normalise, &norm}, tk_clip_workspace);
    data.refresh();
    return norm;
  }
  Vector quantise(const Vector& input, std::size_t elements) const {
    Vector output(TK_INT8, elements);
    std::fill(output.scales.begin(), output.scales.end(), -1.0f);
    run(tk_quantise, tk_quantise_args{elements, input.type, input.data(), static_cast<std::int8_t*>(output.data()),
                                      output.scales.data()});
    EXPECT_TRUE(output.untouched_behind(elements));
    for (std::size_t b = blocks(elements); b < output.scales.size(); ++b) EXPECT_EQ(output.scales[b], -1.0f);
    output.refresh();
    return output;
  }
  Vector dequantise(const Vector& input, tk_type output_type, std::size_t elements) const {
    Vector output(output_type, elements);
    run(tk_dequantise, tk_dequantise_args{elements, input.view(), output_type, output.data()});
    EXPECT_TRUE(output.untouched_behind(elements));
    output.refresh();
    return output;
  }

 private:
  tk_isa isa_;
  int threads_;
};

/// Tests that run once per instruction set and number of threads.
class OnCpu : public testing::TestWithParam<std::tuple<tk_isa, int>> {
 protected:
  void SetUp() override {
    const tk_isa isa = std::get<0>(GetParam());
    if (!tk_cpu_has(isa)) GTEST_SKIP() << "this CPU cannot run " << name_of(isa);
    caller = Caller(isa, std::get<1>(GetParam()));
  }
  void TearDown() override { RecordProperty("largest_error_over_bound", std::to_string(largest)); }
  /// Fails beyond 1, and keeps the largest for the test's report.
  void expect(const Worst& worst, const std::string& where) {
    EXPECT_LE(worst.ratio, 1) << where << ", at " << worst.at;
    largest = std::max(largest, worst.ratio);
  }

  Caller caller;
  double largest = 0;
};

inline std::string cpu_name(const testing::TestParamInfo<std::tuple<tk_isa, int>>& info) {
  return std::string(name_of(std::get<0>(info.param))) + "_threads_" + std::to_string(std::get<1>(info.param));
}
inline auto every_cpu() {
  return testing::Combine(testing::Values(TK_ISA_BASELINE, TK_ISA_AVX2, TK_ISA_AVX512), testing::Values(1, 2));
}

inline bool same_bits(double x, double y) {
  return std::memcmp(&x, &y, sizeof x) == 0;
}

}  // namespace toposim::kernels::oracle
