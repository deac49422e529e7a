#pragma once
// The rehearsal's stand-in for a GPU: this machine's memory and clock, so that all but CUDA's own calls can be run.
#include <chrono>

#include "tests/kernels/abi_engine.hpp"

namespace toposim::kernels::gpu_check {

class HostMemory : public test::HostMemory {
 public:
  using test::HostMemory::HostMemory;
  void copy(void* data, const void* other, std::size_t bytes) { std::memcpy(data, other, bytes); }
};

class HostClock {
 public:
  void start() { begin_ = std::chrono::steady_clock::now(); }
  double stop_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace toposim::kernels::gpu_check
