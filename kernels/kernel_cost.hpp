#pragma once
// What the estimation kernels cost on a device. Each touches every value once or twice and computes a handful of
// operations per value, so all of them are bound by memory (roofline: arithmetic intensity below 1 FLOP per byte,
// against some 300 that an H100 needs to be bound by compute): time = bytes moved / bandwidth + launch. Used by the
// step model for the per-step price of compensation.
//
// Every function throws std::invalid_argument on a bandwidth that is not positive or a count below zero.
namespace toposim::kernels {

struct DeviceSpec {
  double memory_bandwidth_Bps = 0;  ///< sustained copy bandwidth, bytes/s
  double launch_s = 5e-6;           ///< one kernel launch; assumed unless measured
};

/// A survivor scales its own gradient by its coefficient: read and write `elements` values of `bytes_per_element`.
double scale_s(const DeviceSpec& device, double elements, double bytes_per_element);
/// Count-sketch of a gradient, width small against elements: one read.
double sketch_s(const DeviceSpec& device, double elements, double bytes_per_element);
/// All pairwise dot products of `count` sketches of `width` fp32 values: one read of each, one write of count^2 sums.
double gram_s(const DeviceSpec& device, double count, double width);

}  // namespace toposim::kernels
