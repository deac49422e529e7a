#include "kernels/topokernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

namespace toposim::kernels {
namespace {

void must(const char* operation, tk_status status) {
  if (status != TK_OK) throw KernelError(operation, status);
}

void same_size(const char* operation, std::size_t a, std::size_t b) {
  if (a != b)
    throw std::invalid_argument(std::string(operation) + ": sizes differ, " + std::to_string(a) + " and " +
                                std::to_string(b));
}

std::vector<tk_vector> fp32(const char* operation, std::span<const std::span<const float>> inputs,
                            std::size_t elements) {
  std::vector<tk_vector> list;
  list.reserve(inputs.size());
  for (const std::span<const float> input : inputs) {
    same_size(operation, input.size(), elements);
    list.push_back({input.data(), nullptr});
  }
  return list;
}

std::size_t blocks_of(std::size_t elements) {
  return (elements + 127) / 128;
}

}  // namespace

KernelError::KernelError(const char* operation, tk_status status)
    : std::runtime_error(std::string(operation) + ": " + tk_message()), status_(status) {}

Kernels::Kernels(int threads, tk_isa isa) : threads_(threads), isa_(isa) {}

void Kernels::Free::operator()(void* p) const {
  std::free(p);
}

tk_exec Kernels::exec(std::size_t workspace_bytes) {
  if (workspace_bytes > workspace_bytes_) {
    const std::size_t rounded = (workspace_bytes + 63) / 64 * 64;
    workspace_.reset(std::aligned_alloc(64, rounded));
    workspace_bytes_ = 0;
    if (!workspace_) throw std::bad_alloc();
    workspace_bytes_ = rounded;
  }
  return {TK_CPU, isa_, threads_, nullptr, workspace_.get(), workspace_bytes_};
}

void Kernels::pool(std::span<const Vector> inputs, std::span<const float> weights, std::span<float> out) {
  same_size("pool", inputs.size(), weights.size());
  const bool quantised = !inputs.empty() && !inputs[0].quantised.empty();
  if (!quantised && inputs.size() > TK_INPUTS_MAX) {
    pool(inputs.first(TK_INPUTS_MAX), weights.first(TK_INPUTS_MAX), out);
    for (std::size_t at = TK_INPUTS_MAX; at < inputs.size();) {
      const std::size_t count = std::min<std::size_t>(inputs.size() - at, TK_INPUTS_MAX - 1);
      const std::vector<float> so_far(out.begin(), out.end());  // an output is no input where inputs are many
      std::vector<Vector> more{std::span<const float>(so_far)};
      std::vector<float> factors{1.0F};
      more.insert(more.end(), inputs.begin() + static_cast<std::ptrdiff_t>(at),
                  inputs.begin() + static_cast<std::ptrdiff_t>(at + count));
      factors.insert(factors.end(), weights.begin() + static_cast<std::ptrdiff_t>(at),
                     weights.begin() + static_cast<std::ptrdiff_t>(at + count));
      pool(more, factors, out);
      at += count;
    }
    return;
  }
  std::vector<tk_vector> list;
  list.reserve(inputs.size());
  for (const Vector& input : inputs) {
    same_size("pool", quantised ? input.quantised.size() : input.values.size(), out.size());
    if (quantised) same_size("pool", input.scales.size(), blocks_of(out.size()));
    list.push_back(quantised ? tk_vector{input.quantised.data(), input.scales.data()}
                             : tk_vector{input.values.data(), nullptr});
  }
  const std::size_t first[] = {0, inputs.size()};
  void* const outputs[] = {out.data()};
  const tk_pool_args args{out.size(), quantised ? TK_INT8 : TK_FP32, TK_FP32, 1, first, list.data(), weights.data(), 0,
                          outputs};
  std::size_t bytes = 0;
  must("pool", tk_pool_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("pool", tk_pool(&how, &args));
}

tk_metrics_sums Kernels::pool_metrics(std::span<const std::span<const float>> inputs, std::span<const float> weights,
                                      std::span<const float> truth) {
  same_size("pool_metrics", inputs.size(), weights.size());
  const std::vector<tk_vector> list = fp32("pool_metrics", inputs, truth.size());
  tk_metrics_sums sums{};
  const tk_pool_metrics_args args{
      truth.size(), TK_FP32, list.size(), list.data(), weights.data(), 0, {truth.data(), nullptr}, &sums};
  std::size_t bytes = 0;
  must("pool_metrics", tk_pool_metrics_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("pool_metrics", tk_pool_metrics(&how, &args));
  return sums;
}

tk_metrics_sums Kernels::compare(std::span<const float> estimate, std::span<const float> truth) {
  same_size("compare", estimate.size(), truth.size());
  tk_metrics_sums sums{};
  const tk_metrics_args args{truth.size(), TK_FP32, {estimate.data(), nullptr}, {truth.data(), nullptr}, &sums};
  std::size_t bytes = 0;
  must("compare", tk_compare_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("compare", tk_compare(&how, &args));
  return sums;
}

void Kernels::scale(std::span<float> data, float factor) {
  const tk_scale_args args{data.size(), TK_FP32, data.data(), factor};
  const tk_exec how = exec();
  must("scale", tk_scale(&how, &args));
}

void Kernels::correct(std::span<const float> local, std::span<const float> global, float beta, std::span<float> out) {
  same_size("correct", local.size(), out.size());
  same_size("correct", global.size(), out.size());
  const tk_correct_args args{out.size(), TK_FP32,   TK_FP32, {local.data(), nullptr}, {global.data(), nullptr},
                             beta,       out.data()};
  const tk_exec how = exec();
  must("correct", tk_correct(&how, &args));
}

std::vector<double> Kernels::gram(std::span<const std::span<const float>> inputs) {
  const std::size_t elements = inputs.empty() ? 0 : inputs[0].size();
  const std::vector<tk_vector> list = fp32("gram", inputs, elements);
  std::vector<double> result(inputs.size() * (inputs.size() + 1) / 2);
  const tk_gram_args args{elements, TK_FP32, list.size(), list.data(), result.data()};
  std::size_t bytes = 0;
  must("gram", tk_gram_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("gram", tk_gram(&how, &args));
  return result;
}

void Kernels::sketch(std::span<const float> input, std::uint64_t seed, std::span<float> out) {
  const tk_sketch_args args{input.size(), TK_FP32, {input.data(), nullptr}, out.size(), seed, out.data()};
  std::size_t bytes = 0;
  must("sketch", tk_sketch_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("sketch", tk_sketch(&how, &args));
}

double Kernels::clip(std::span<float> data, double limit, bool normalise) {
  double norm = 0;
  const tk_clip_args args{data.size(), TK_FP32, data.data(), limit, normalise ? 1 : 0, &norm};
  std::size_t bytes = 0;
  must("clip", tk_clip_workspace(&args, &bytes));
  const tk_exec how = exec(bytes);
  must("clip", tk_clip(&how, &args));
  return norm;
}

void Kernels::quantise(std::span<const float> input, std::span<std::int8_t> output, std::span<float> scales) {
  same_size("quantise", input.size(), output.size());
  same_size("quantise", scales.size(), blocks_of(input.size()));
  const tk_quantise_args args{input.size(), TK_FP32, input.data(), output.data(), scales.data()};
  const tk_exec how = exec();
  must("quantise", tk_quantise(&how, &args));
}

void Kernels::dequantise(std::span<const std::int8_t> input, std::span<const float> scales, std::span<float> output) {
  same_size("dequantise", input.size(), output.size());
  same_size("dequantise", scales.size(), blocks_of(input.size()));
  const tk_dequantise_args args{input.size(), {input.data(), scales.data()}, TK_FP32, output.data()};
  const tk_exec how = exec();
  must("dequantise", tk_dequantise(&how, &args));
}

}  // namespace toposim::kernels
