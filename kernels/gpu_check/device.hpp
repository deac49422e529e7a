#pragma once
// A GPU as the checks use it: its facts, its memory, its clock. device_cuda.cu has them by CUDA's runtime,
// device_absent.cpp stands in where there is none. All of it throws std::runtime_error in plain words.
#include <cstddef>
#include <string>

namespace toposim::kernels::gpu_check {

struct DeviceFacts {
  std::string name;
  std::string compute_capability;
  int multiprocessors = 0;
  std::size_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0;
  std::string driver, runtime;  ///< versions of CUDA that the driver has, and that this program was built with
};
DeviceFacts device_facts();

/// Memory as test::AbiEngine takes it: 256-byte aligned, or `offset` bytes beyond that, and no larger than asked for.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t offset = 0) : offset_(offset) {}
  void* allocate(std::size_t bytes);
  void release(void* data);
  void to(void* data, const void* host, std::size_t bytes);
  void from(void* host, const void* data, std::size_t bytes);
  void copy(void* data, const void* other, std::size_t bytes);  ///< within the device; waits for nothing
  void wait();

 private:
  std::size_t offset_;
};

/// The time between two points of the default stream.
class DeviceClock {
 public:
  DeviceClock();
  ~DeviceClock();
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;
  void start();
  double stop_ms();  ///< waits

 private:
  void *begin_ = nullptr, *end_ = nullptr;
};

/// A stream of its own, which does not wait for the default one.
void* make_stream();

}  // namespace toposim::kernels::gpu_check
