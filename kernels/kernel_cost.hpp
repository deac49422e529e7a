#pragma once
// What the estimation kernels cost on a device: all of them are bound by memory, so time = bytes moved / bandwidth +
// launch. Used by the lifecycle for the per-step price of compensation.
#include <cstdint>

namespace toposim::kernels {

struct DeviceSpec {
  double memory_bandwidth_Bps = 0;  ///< sustained copy bandwidth, bytes/s
  double launch_s = 5e-6;           ///< one kernel launch
};

/// A survivor scales its own gradient by its coefficient: read and write `elements` values of `bytes_per_element`.
double scale_s(const DeviceSpec& device, double elements, double bytes_per_element);
/// Count-sketch of a gradient, width small against elements: one read.
double sketch_s(const DeviceSpec& device, double elements, double bytes_per_element);
/// All pairwise dot products of `count` sketches of `width` fp32 values: one read of each.
double gram_s(const DeviceSpec& device, double count, double width);

}  // namespace toposim::kernels
