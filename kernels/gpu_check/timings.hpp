#pragma once
// Times every kernel on data far larger than any cache.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/gpu_check/report.hpp"
#include "kernels/topokernels.h"
#include "tests/kernels/kernel_cases.hpp"

namespace toposim::kernels::gpu_check {

/// Repeats to be had; a slow kernel gets fewer.
struct Effort {
  int repeats_max = 15, repeats_min = 3;
  double row_s = 1.5;         ///< a row stops at this, with repeats_min done
  double repeat_ms_min = 20;  ///< several calls in a row between two events where one is shorter
};

template <class Memory, class Clock>
class Timings {
 public:
  /// `elements`: of all inputs of a kernel together. Allocates about 10 bytes for each.
  Timings(const tk_exec& exec, std::size_t elements, double seconds, const Effort& effort)
      : exec_(exec),
        elements_(elements / 4096 * 4096),
        effort_(effort),
        begin_(std::chrono::steady_clock::now()),
        seconds_(seconds),
        input_(memory_.allocate(4 * elements_)),
        output_(memory_.allocate(4 * elements_)),
        scales_(static_cast<float*>(memory_.allocate(elements_ / 32))),
        output_scales_(static_cast<float*>(memory_.allocate(elements_ / 32))),
        result_(memory_.allocate(1 << 16)) {}
  ~Timings() {
    for (void* data : {input_, output_, static_cast<void*>(scales_), static_cast<void*>(output_scales_), result_})
      memory_.release(data);
  }
  Timings(const Timings&) = delete;
  Timings& operator=(const Timings&) = delete;

  void run(Report& report) {
    fill(TK_FP32);
    report.copy_GBps = copy_GBps();
    for (const tk_type type : {TK_FP32, TK_BF16, TK_INT8}) {
      fill(type);
      rows_of(type, report.rows);
    }
    report.copy_GBps = std::max(report.copy_GBps, copy_GBps());
  }

 private:
  static std::size_t bytes_of(tk_type type) { return type == TK_FP32 ? 4 : type == TK_BF16 ? 2 : 1; }
  /// Of `count` elements with their scales.
  static double read_bytes(tk_type type, std::size_t count) {
    return static_cast<double>(count * bytes_of(type)) + (type == TK_INT8 ? static_cast<double>(count) / 32 : 0);
  }
  std::size_t each(std::size_t inputs) const { return elements_ / inputs / 4096 * 4096; }

  double copy_GBps() {
    const std::size_t bytes = 4 * elements_;
    Row row;
    row.bytes = 2.0 * static_cast<double>(bytes);
    measure(row, [&] { memory_.copy(output_, input_, bytes); });
    if (row.repeats == 0) throw std::runtime_error("no time left to measure the copy");
    return row.GBps();
  }

  /// Numbers of -1 to 1, written once from the host and doubled on the device.
  void fill(tk_type type) {
    test::Case block{};
    block.elements = std::min<std::size_t>(std::size_t{1} << 22, elements_);
    Host host;
    const tk_vector v = make_vector(host, block, type, 1);
    double_up(input_, v.data, block.elements * bytes_of(type), elements_ * bytes_of(type));
    const std::vector<float> scales(block.elements / 128, 0.0078125f);
    double_up(scales_, scales.data(), 4 * scales.size(), elements_ / 32);
    memory_.wait();
  }
  void double_up(void* to, const void* from, std::size_t have, std::size_t bytes) {
    memory_.to(to, from, have);
    for (; have < bytes; have *= 2) memory_.copy(static_cast<char*>(to) + have, to, std::min(have, bytes - have));
  }
  /// make_vector() wants memory to put its numbers in.
  struct Host {
    std::vector<std::vector<char>> kept;
    const void* put(const void* data, std::size_t bytes) {
      const char* from = static_cast<const char*>(data);
      kept.emplace_back(from, from + bytes);
      return kept.back().data();
    }
  };

  /// Input i of several, one after another.
  tk_vector input(tk_type type, std::size_t inputs, std::size_t i) const {
    return {static_cast<const char*>(input_) + i * each(inputs) * bytes_of(type), scales_ + i * each(inputs) / 128};
  }
  std::vector<tk_vector> all_inputs(tk_type type, std::size_t inputs) const {
    std::vector<tk_vector> list;
    for (std::size_t i = 0; i < inputs; ++i) list.push_back(input(type, inputs, i));
    return list;
  }

  void rows_of(tk_type type, std::vector<Row>& rows) {
    const tk_type out = type == TK_FP32 ? TK_FP32 : TK_BF16;
    for (const std::size_t k : {std::size_t{8}, std::size_t{16}}) pool(rows, type, out, k);
    {
      const tk_metrics_args a{each(2), type, input(type, 2, 0), input(type, 2, 1), sums()};
      add(rows, "compare", type, type, 2, a.elements, read_bytes(type, 2 * a.elements), 85,
          [&] { return with_workspace(tk_compare_workspace, tk_compare, a); });
    }
    pool_metrics(rows, type, 8);
    {
      const tk_correct_args a{each(2), type, out, input(type, 2, 0), input(type, 2, 1), 0.3f, output_};
      add(rows, "correct", type, out, 2, a.elements, read_bytes(type, 2 * a.elements) + read_bytes(out, a.elements), 85,
          [&] { return tk_correct(&exec_, &a); });
    }
    {
      const std::vector<tk_vector> list = all_inputs(type, 16);
      const tk_gram_args a{each(16), type, 16, list.data(), static_cast<double*>(result_)};
      add(rows, "gram", type, type, 16, a.elements, read_bytes(type, 16 * a.elements), 0,
          [&] { return with_workspace(tk_gram_workspace, tk_gram, a); });
    }
    for (const std::size_t width : {std::size_t{256}, std::size_t{4096}}) {
      const tk_sketch_args a{elements_, type, input(type, 1, 0), width, 1, static_cast<float*>(result_)};
      add(rows, "sketch", type, type, width, elements_, read_bytes(type, elements_), 0,
          [&] { return with_workspace(tk_sketch_workspace, tk_sketch, a); });
    }
    if (type == TK_INT8)
      dequantise(rows);
    else
      in_place(rows, type);
  }
  void pool(std::vector<Row>& rows, tk_type type, tk_type out, std::size_t k) {
    const std::vector<tk_vector> list = all_inputs(type, k);
    const std::vector<float> weights(k, 0.125f);
    const std::size_t first[] = {0, k};
    const tk_pool_args a{each(k), type, out, 1, first, list.data(), weights.data(), 0, &output_};
    add(rows, "pool", type, out, k, a.elements, read_bytes(type, k * a.elements) + read_bytes(out, a.elements), 85,
        [&] { return tk_pool(&exec_, &a); });
  }
  void pool_metrics(std::vector<Row>& rows, tk_type type, std::size_t k) {
    const std::vector<tk_vector> list = all_inputs(type, k + 1);
    const std::vector<float> weights(k, 0.125f);
    const tk_pool_metrics_args a{each(k + 1), type, k, list.data(), weights.data(), 0, list[k], sums()};
    add(rows, "pool_metrics", type, type, k, a.elements, read_bytes(type, (k + 1) * a.elements), 0,
        [&] { return with_workspace(tk_pool_metrics_workspace, tk_pool_metrics, a); });
  }
  /// The factor is 1, so that the numbers stay what they are.
  void in_place(std::vector<Row>& rows, tk_type type) {
    const double once = read_bytes(type, elements_);
    const tk_scale_args scale{elements_, type, input_, 1.0f};
    add(rows, "scale", type, type, 1, elements_, 2 * once, 85, [&] { return tk_scale(&exec_, &scale); });
    const tk_clip_args clip{elements_, type, input_, 1e30, 0, static_cast<double*>(result_)};
    add(rows, "clip", type, type, 1, elements_, 3 * once, 0,
        [&] { return with_workspace(tk_clip_workspace, tk_clip, clip); });
    const tk_quantise_args quantise{elements_, type, input_, static_cast<std::int8_t*>(output_), output_scales_};
    add(rows, "quantise", type, TK_INT8, 1, elements_, once + read_bytes(TK_INT8, elements_), 0,
        [&] { return tk_quantise(&exec_, &quantise); });
  }
  void dequantise(std::vector<Row>& rows) {
    for (const tk_type out : {TK_FP32, TK_BF16}) {
      const tk_dequantise_args a{elements_, input(TK_INT8, 1, 0), out, output_};
      add(rows, "dequantise", TK_INT8, out, 1, elements_, read_bytes(TK_INT8, elements_) + read_bytes(out, elements_),
          0, [&] { return tk_dequantise(&exec_, &a); });
    }
  }
  tk_metrics_sums* sums() const { return static_cast<tk_metrics_sums*>(result_); }

  template <class Args>
  tk_status with_workspace(tk_status (*size)(const Args*, std::size_t*),
                           tk_status (*operation)(const tk_exec*, const Args*), const Args& args) {
    tk_exec exec = exec_;
    const tk_status status = size(&args, &exec.workspace_bytes);
    if (status != TK_OK) return status;
    if (exec.workspace_bytes > 4 * elements_) throw std::runtime_error("a workspace larger than the inputs");
    exec.workspace = output_;  // nothing that needs one writes an output
    return operation(&exec, &args);
  }

  template <class Call>
  void add(std::vector<Row>& rows, const char* kernel, tk_type in, tk_type out, std::size_t inputs,
           std::size_t elements, double bytes, int target_percent, const Call& call) {
    std::string types = test::name_of(in);
    if (out != in) types += std::string(">") + test::name_of(out);
    Row row{kernel, types, inputs, elements, bytes, target_percent};
    measure(row, [&] {
      if (call() != TK_OK) throw std::runtime_error(std::string(kernel) + ": " + tk_message());
    });
    rows.push_back(row);
  }

  template <class Call>
  void measure(Row& row, const Call& call) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_) return;
    const double warm_ms = time_of(1, call), once_ms = time_of(1, call);
    const int calls = std::clamp(static_cast<int>(effort_.repeat_ms_min / std::max(once_ms, 1e-3)), 1, 100);
    std::vector<double> times;
    double spent_ms = warm_ms + once_ms;
    while (static_cast<int>(times.size()) < effort_.repeats_max &&
           (static_cast<int>(times.size()) < effort_.repeats_min || spent_ms < 1e3 * effort_.row_s)) {
      const double ms = time_of(calls, call);
      spent_ms += ms;
      times.push_back(ms / calls);
    }
    std::sort(times.begin(), times.end());
    row.repeats = static_cast<int>(times.size());
    row.ms = times[times.size() / 2];
    row.ms_min = times.front();
    row.ms_max = times.back();
  }
  template <class Call>
  double time_of(int calls, const Call& call) {
    clock_.start();
    for (int i = 0; i < calls; ++i) call();
    return clock_.stop_ms();
  }

  tk_exec exec_;
  std::size_t elements_;
  Effort effort_;
  std::chrono::steady_clock::time_point begin_;
  double seconds_;
  Memory memory_;
  Clock clock_;
  void *input_, *output_;
  float *scales_, *output_scales_;
  void* result_;
};

}  // namespace toposim::kernels::gpu_check
