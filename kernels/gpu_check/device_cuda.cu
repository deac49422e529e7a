// C++, for the host: named .cu since it can be compiled only where CUDA is.
#include <cuda_runtime.h>

#include <stdexcept>

#include "kernels/gpu_check/device.hpp"

namespace toposim::kernels::gpu_check {
namespace {

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": CUDA: " + cudaGetErrorString(error));
}
std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

DeviceFacts device_facts() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) throw std::runtime_error(std::string("no CUDA device: ") + cudaGetErrorString(error));
  if (count == 0) throw std::runtime_error("no CUDA device: the driver finds none");
  cudaDeviceProp p{};
  check(cudaGetDeviceProperties(&p, 0), "properties of the device");
  DeviceFacts f;
  f.name = p.name;
  f.compute_capability = std::to_string(p.major) + "." + std::to_string(p.minor);
  if (p.major < 8)
    throw std::runtime_error(f.name + " has compute capability " + f.compute_capability + "; the kernels need 8.0");
  f.multiprocessors = p.multiProcessorCount;
  f.l2_bytes = static_cast<std::size_t>(p.l2CacheSize);
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "version of the driver");
  check(cudaRuntimeGetVersion(&runtime), "version of the runtime");
  f.driver = version(driver);
  f.runtime = version(runtime);
  check(cudaMemGetInfo(&f.free_bytes, &f.memory_bytes), "memory of the device");
  return f;
}

void* DeviceMemory::allocate(std::size_t bytes) {
  void* data = nullptr;
  check(cudaMalloc(&data, bytes + offset_), ("allocating " + std::to_string(bytes) + " bytes on the device").c_str());
  return static_cast<char*>(data) + offset_;
}
void DeviceMemory::release(void* data) {
  cudaFree(static_cast<char*>(data) - offset_);  // a failure is that of an earlier launch, which is told elsewhere
}
void DeviceMemory::to(void* data, const void* host, std::size_t bytes) {
  check(cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
  wait();  // the copy from pageable memory may return before it is there
}
void DeviceMemory::from(void* host, const void* data, std::size_t bytes) {
  wait();
  check(cudaMemcpy(host, data, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}
void DeviceMemory::copy(void* data, const void* other, std::size_t bytes) {
  check(cudaMemcpyAsync(data, other, bytes, cudaMemcpyDeviceToDevice, nullptr), "copying on the device");
}
void DeviceMemory::wait() {
  check(cudaDeviceSynchronize(), "running on the device");
}

DeviceClock::DeviceClock() {
  cudaEvent_t begin = nullptr, end = nullptr;
  check(cudaEventCreate(&begin), "creating an event");
  check(cudaEventCreate(&end), "creating an event");
  begin_ = begin;
  end_ = end;
}
DeviceClock::~DeviceClock() {
  cudaEventDestroy(static_cast<cudaEvent_t>(begin_));
  cudaEventDestroy(static_cast<cudaEvent_t>(end_));
}
void DeviceClock::start() {
  check(cudaEventRecord(static_cast<cudaEvent_t>(begin_), nullptr), "recording an event");
}
double DeviceClock::stop_ms() {
  const auto begin = static_cast<cudaEvent_t>(begin_), end = static_cast<cudaEvent_t>(end_);
  check(cudaEventRecord(end, nullptr), "recording an event");
  check(cudaEventSynchronize(end), "running on the device");
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin, end), "reading events");
  return static_cast<double>(ms);
}

void* make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  return stream;
}

}  // namespace toposim::kernels::gpu_check
