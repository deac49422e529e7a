#pragma once
// topokernels.h for C++: spans for pointers and sizes, exceptions for statuses, workspaces kept from call to call.
// What each operation computes, and how it rounds, is said there.
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels {

/// what(): "pool: " and tk_message().
class KernelError : public std::runtime_error {
 public:
  KernelError(const char* operation, tk_status status);
  tk_status status() const { return status_; }

 private:
  tk_status status_;
};

/// An fp32 or int8 vector to read.
struct Vector {
  std::span<const float> values;
  std::span<const std::int8_t> quantised;  ///< in place of values
  std::span<const float> scales;           ///< with quantised
  Vector(std::span<const float> x) : values(x) {}
  Vector(std::span<const std::int8_t> q, std::span<const float> s) : quantised(q), scales(s) {}
};

/// All operations, on the CPU's memory. Not for several threads at once: each has its own.
class Kernels {
 public:
  /// `threads` 0: all cores.
  explicit Kernels(int threads = 1, tk_isa isa = TK_ISA_BEST);

  /// out = sum of weights[i] x inputs[i]; inputs are all fp32 or all int8, and all as long as out. More than
  /// TK_INPUTS_MAX fp32 inputs go in passes, what the earlier ones added up first and with weight 1; out is then none
  /// of the inputs.
  void pool(std::span<const Vector> inputs, std::span<const float> weights, std::span<float> out);
  /// The same against a truth, the estimate never stored; fp32, up to 64 inputs.
  tk_metrics_sums pool_metrics(std::span<const std::span<const float>> inputs, std::span<const float> weights,
                               std::span<const float> truth);
  tk_metrics_sums compare(std::span<const float> estimate, std::span<const float> truth);
  void scale(std::span<float> data, float factor);
  void correct(std::span<const float> local, std::span<const float> global, float beta, std::span<float> out);
  /// [i (i + 1) / 2 + j] for j <= i, up to 64 inputs.
  std::vector<double> gram(std::span<const std::span<const float>> inputs);
  /// As wide as `out`.
  void sketch(std::span<const float> input, std::uint64_t seed, std::span<float> out);
  /// Returns the norm before.
  double clip(std::span<float> data, double limit, bool normalise = false);
  void quantise(std::span<const float> input, std::span<std::int8_t> output, std::span<float> scales);
  void dequantise(std::span<const std::int8_t> input, std::span<const float> scales, std::span<float> output);

 private:
  tk_exec exec(std::size_t workspace_bytes = 0);
  int threads_;
  tk_isa isa_;
  struct Free {
    void operator()(void* p) const;
  };
  std::unique_ptr<void, Free> workspace_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace toposim::kernels
