#include "kernels/kernel_cost.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace toposim::kernels {
namespace {

double memory_bound_s(const DeviceSpec& device, double bytes) {
  if (!(device.memory_bandwidth_Bps > 0) || !(device.launch_s >= 0)) {
    throw std::invalid_argument(
        fmt::format("kernel cost: memory bandwidth must be above 0 and launch time at least 0, got {} B/s and {} s",
                    device.memory_bandwidth_Bps, device.launch_s));
  }
  if (!(bytes >= 0) || !std::isfinite(bytes)) {
    throw std::invalid_argument(
        fmt::format("kernel cost: a kernel cannot move {} bytes; counts must be at least 0", bytes));
  }
  return bytes == 0 ? 0 : device.launch_s + bytes / device.memory_bandwidth_Bps;
}

constexpr double fp32_bytes = 4;

}  // namespace

double scale_s(const DeviceSpec& device, double elements, double bytes_per_element) {
  return memory_bound_s(device, 2 * elements * bytes_per_element);
}

double sketch_s(const DeviceSpec& device, double elements, double bytes_per_element) {
  return memory_bound_s(device, elements * bytes_per_element);
}

double gram_s(const DeviceSpec& device, double count, double width) {
  if (count == 0 || width == 0) return memory_bound_s(device, 0);
  return memory_bound_s(device, (count * width + count * count) * fp32_bytes);
}

}  // namespace toposim::kernels
