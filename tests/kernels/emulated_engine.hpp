#pragma once
// Runs cases on the warp pack with its lanes as data: what a GPU would compute, on this CPU.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/backend/operations.hpp"
#include "kernels/pack/emulated_lanes.hpp"
#include "kernels/pack/warp_pack.hpp"

namespace toposim::kernels::test {

/// Items from the last to the first: a grid promises no order.
class EmulatedLauncher {
 public:
  template <class Job>
  void operator()(const Job& job) const {
    for (std::size_t item = job.items(); item-- > 0;) job.template run<Warp<EmulatedLanes>>(item);
  }
};

class EmulatedEngine {
 public:
  ~EmulatedEngine() { clear(); }
  EmulatedEngine() = default;
  EmulatedEngine(const EmulatedEngine&) = delete;
  EmulatedEngine& operator=(const EmulatedEngine&) = delete;

  void* put(const void* host, std::size_t bytes) {
    placed_.emplace_back(static_cast<const char*>(host), static_cast<const char*>(host) + bytes);
    return placed_.back().data();
  }
  void* put_result(const void* host, std::size_t bytes) { return put(host, bytes); }
  void get(void* host, const void* data, std::size_t bytes) { std::memcpy(host, data, bytes); }
  void clear() { placed_.clear(); }

  void run(const tk_pool_args& a) { run_pool(launch_, a, a.weights, room(pool_workspace(a))); }
  void run(const tk_metrics_args& a) { run_metrics(launch_, a, room(metrics_workspace(a.elements).bytes())); }
  void run(const tk_pool_metrics_args& a) {
    run_pool_metrics(launch_, a, a.weights, room(metrics_workspace(a.elements).bytes()));
  }
  void run(const tk_gram_args& a) { run_gram(launch_, a, room(gram_workspace(a).bytes())); }
  void run(const tk_sketch_args& a) { run_sketch(launch_, a, room(sketch_workspace(a))); }
  void run(const tk_clip_args& a) { run_clip(launch_, a, room(clip_workspace(a))); }
  void run(const tk_scale_args& a) { run_scale(launch_, a); }
  void run(const tk_correct_args& a) { run_correct(launch_, a); }
  void run(const tk_quantise_args& a) { run_quantise(launch_, a); }
  void run(const tk_dequantise_args& a) { run_dequantise(launch_, a); }

 private:
  void* room(std::size_t bytes) {
    workspace_.assign(bytes / sizeof(double) + 1, 0.0);
    return workspace_.data();
  }
  EmulatedLauncher launch_;
  std::vector<std::vector<char>> placed_;
  std::vector<double> workspace_;
};

}  // namespace toposim::kernels::test
