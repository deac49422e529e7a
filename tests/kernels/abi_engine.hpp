#pragma once
// Runs cases through the C ABI. `Memory` gives memory of the right kind: host memory here, a device's in gpu_check.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/topokernels.h"

namespace toposim::kernels::test {

/// 16-byte aligned, or `offset` bytes beyond that.
class HostMemory {
 public:
  explicit HostMemory(std::size_t offset = 0) : offset_(offset) {}
  void* allocate(std::size_t bytes) {
    return static_cast<char*>(std::aligned_alloc(64, (bytes + offset_ + 63) / 64 * 64)) + offset_;
  }
  void release(void* data) { std::free(static_cast<char*>(data) - offset_); }
  void to(void* data, const void* host, std::size_t bytes) { std::memcpy(data, host, bytes); }
  void wait() {}
  void from(void* host, const void* data, std::size_t bytes) { std::memcpy(host, data, bytes); }

 private:
  std::size_t offset_;
};

template <class Memory>
class AbiEngine {
 public:
  AbiEngine(const tk_exec& exec, Memory memory) : exec_(exec), memory_(std::move(memory)) {}
  ~AbiEngine() { clear(); }
  AbiEngine(const AbiEngine&) = delete;
  AbiEngine& operator=(const AbiEngine&) = delete;

  void* put(const void* host, std::size_t bytes) { return put_in(memory_, placed_, host, bytes); }
  /// Aligned, whatever vectors are.
  void* put_result(const void* host, std::size_t bytes) { return put_in(plain_, results_, host, bytes); }
  void get(void* host, const void* data, std::size_t bytes) { memory_.from(host, data, bytes); }
  void clear() {
    for (void* data : placed_) memory_.release(data);
    for (void* data : results_) plain_.release(data);
    placed_.clear();
    results_.clear();
  }

  void run(const tk_pool_args& a) { call(tk_pool_workspace, tk_pool, a); }
  void run(const tk_metrics_args& a) { call(tk_compare_workspace, tk_compare, a); }
  void run(const tk_pool_metrics_args& a) { call(tk_pool_metrics_workspace, tk_pool_metrics, a); }
  void run(const tk_gram_args& a) { call(tk_gram_workspace, tk_gram, a); }
  void run(const tk_sketch_args& a) { call(tk_sketch_workspace, tk_sketch, a); }
  void run(const tk_clip_args& a) { call(tk_clip_workspace, tk_clip, a); }
  void run(const tk_scale_args& a) { check(tk_scale(&exec_, &a)); }
  void run(const tk_correct_args& a) { check(tk_correct(&exec_, &a)); }
  void run(const tk_quantise_args& a) { check(tk_quantise(&exec_, &a)); }
  void run(const tk_dequantise_args& a) { check(tk_dequantise(&exec_, &a)); }

 private:
  static void check(tk_status status) {
    if (status != TK_OK) throw std::runtime_error(std::string(tk_status_name(status)) + ": " + tk_message());
  }
  template <class Args>
  void call(tk_status (*workspace)(const Args*, std::size_t*), tk_status (*operation)(const tk_exec*, const Args*),
            const Args& args) {
    tk_exec exec = exec_;
    check(workspace(&args, &exec.workspace_bytes));
    if (exec.workspace_bytes > 0) exec.workspace = plain_.allocate(exec.workspace_bytes);
    const tk_status status = operation(&exec, &args);
    memory_.wait();
    if (exec.workspace != nullptr) plain_.release(exec.workspace);
    check(status);
  }

  static void* put_in(Memory& memory, std::vector<void*>& list, const void* host, std::size_t bytes) {
    void* data = memory.allocate(bytes);
    memory.to(data, host, bytes);
    list.push_back(data);
    return data;
  }

  tk_exec exec_;
  Memory memory_, plain_{};
  std::vector<void*> placed_, results_;
};

}  // namespace toposim::kernels::test
