// Built without CUDA: no device; only rehearsals can be run.
#include <stdexcept>

#include "kernels/gpu_check/device.hpp"

namespace toposim::kernels::gpu_check {
namespace {

[[noreturn]] void none() {
  throw std::runtime_error("no CUDA device: built without CUDA");
}

}  // namespace

DeviceFacts device_facts() {
  none();
}
void* DeviceMemory::allocate(std::size_t) {
  none();
}
void DeviceMemory::release(void*) {}
void DeviceMemory::to(void*, const void*, std::size_t) {
  none();
}
void DeviceMemory::from(void*, const void*, std::size_t) {
  none();
}
void DeviceMemory::copy(void*, const void*, std::size_t) {
  none();
}
void DeviceMemory::wait() {
  none();
}
DeviceClock::DeviceClock() {
  none();
}
DeviceClock::~DeviceClock() = default;
void DeviceClock::start() {
  none();
}
double DeviceClock::stop_ms() {
  none();
}
void* make_stream() {
  none();
}

}  // namespace toposim::kernels::gpu_check
